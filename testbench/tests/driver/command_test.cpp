// What lies in memory when PxCI is written, byte by byte (AHCI 1.3.1, 4.2; SATA 3.x, 10.5.5; ACS-3, clause 7).
#include "testbench/tests/driver/attached_disk.h"

namespace ncqlab::driver {
namespace {

using Bytes = std::vector<std::uint8_t>;

class Command : public AttachedDisk {
 protected:
  const SeenCommand& last() { return commands().back(); }
  // CFL and flags, PRDTL; the rest of the header is the same for all.
  Bytes header_head() { return Bytes(last().header.begin(), last().header.begin() + 8); }
};

TEST_F(Command, ReadFpdmaQueued) {
  attach();
  submit(Operation::read, 0x123456, 8);
  EXPECT_EQ(last().fis, (Bytes{0x27, 0x80, 0x60, 0x08, 0x56, 0x34, 0x12, 0x40, 0, 0, 0, 0, 0x00, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(header_head(), (Bytes{0x05, 0, 0x01, 0, 0, 0, 0, 0}));
}

TEST_F(Command, WriteFpdmaQueuedWithItsTagInTheCountField) {
  attach();
  read();
  submit(Operation::write, 0x0A0B0C0D, 0x102);
  EXPECT_EQ(last().slot, 1U);
  EXPECT_EQ(last().fis,
            (Bytes{0x27, 0x80, 0x61, 0x02, 0x0D, 0x0C, 0x0B, 0x40, 0x0A, 0, 0, 0x01, 0x08, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(header_head(), (Bytes{0x45, 0, 0x01, 0, 0, 0, 0, 0}));
}

TEST_F(Command, WriteFpdmaQueuedWithForcedUnitAccess) {
  attach();
  TestRequest& request = make(Operation::write, 0, 8);
  request.force_unit_access = true;
  ASSERT_TRUE(ahci->submit(0, request));
  EXPECT_EQ(last().fis[2], 0x61);
  EXPECT_EQ(last().fis[7], 0xC0);
}

TEST_F(Command, ReadFpdmaQueuedWithForcedUnitAccess) {
  attach();
  TestRequest& request = make(Operation::read, 0, 8);
  request.force_unit_access = true;
  ASSERT_TRUE(ahci->submit(0, request));
  EXPECT_EQ(last().fis[2], 0x60);
  EXPECT_EQ(last().fis[7], 0xC0);
}

TEST_F(Command, ReadDmaExt) {
  options.use_ncq = false;
  attach();
  submit(Operation::read, 0x123456, 8);
  EXPECT_EQ(last().fis, (Bytes{0x27, 0x80, 0x25, 0, 0x56, 0x34, 0x12, 0x40, 0, 0, 0, 0, 0x08, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(header_head(), (Bytes{0x05, 0, 0x01, 0, 0, 0, 0, 0}));
}

TEST_F(Command, WriteDmaExt) {
  options.use_ncq = false;
  attach();
  submit(Operation::write, 0, 0x102);
  EXPECT_EQ(last().fis, (Bytes{0x27, 0x80, 0x35, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0x02, 0x01, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(header_head(), (Bytes{0x45, 0, 0x01, 0, 0, 0, 0, 0}));
}

TEST_F(Command, WriteDmaFuaExt) {
  options.use_ncq = false;
  attach();
  TestRequest& request = make(Operation::write, 0, 8);
  request.force_unit_access = true;
  ASSERT_TRUE(ahci->submit(0, request));
  EXPECT_EQ(last().fis[2], 0x3D);
  EXPECT_EQ(last().fis[7], 0x40);
}

TEST_F(Command, ForcedUnitAccessIsRefusedWhereNoCommandHasIt) {
  options.use_ncq = false;
  attach();
  TestRequest& request = make(Operation::read, 0, 8);
  request.force_unit_access = true;
  EXPECT_FALSE(ahci->submit(0, request));
  EXPECT_EQ(request.status, Status::unsupported);
}

TEST_F(Command, ForcedUnitWriteIsRefusedByADiskWithoutIt) {
  set_word(port().identify, 84, 0x4000);
  set_word(port().identify, 76, 0);
  attach();
  TestRequest& request = make(Operation::write, 0, 8);
  request.force_unit_access = true;
  EXPECT_FALSE(ahci->submit(0, request));
  EXPECT_EQ(request.status, Status::unsupported);
}

TEST_F(Command, FlushCacheExtHasNoPrds) {
  attach();
  submit(Operation::flush, 0, 0);
  EXPECT_EQ(last().fis, (Bytes{0x27, 0x80, 0xEA, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(header_head(), (Bytes{0x05, 0, 0, 0, 0, 0, 0, 0}));
}

TEST_F(Command, ReadAndWriteSectorsExtOnADiskWithoutDma) {
  set_word(port().identify, 49, 0x0200);
  attach();
  submit(Operation::read, 1, 8);
  EXPECT_EQ(last().fis, (Bytes{0x27, 0x80, 0x24, 0, 1, 0, 0, 0x40, 0, 0, 0, 0, 0x08, 0, 0, 0, 0, 0, 0, 0}));
  complete(1);
  submit(Operation::write, 1, 8);
  EXPECT_EQ(last().fis, (Bytes{0x27, 0x80, 0x34, 0, 1, 0, 0, 0x40, 0, 0, 0, 0, 0x08, 0, 0, 0, 0, 0, 0, 0}));
}

TEST_F(Command, SixtyFiveThousandFiveHundredThirtySixSectorsAreCountZero) {
  attach();
  submit(Operation::read, 0, 65536);
  EXPECT_EQ(last().fis[3], 0);
  EXPECT_EQ(last().fis[11], 0);
  complete(1);
  TestRequest& plain = make(Operation::read, 0, 65536);
  plain.queueing = Queueing::never;
  ASSERT_TRUE(ahci->submit(0, plain));
  EXPECT_EQ(last().fis[12], 0);
  EXPECT_EQ(last().fis[13], 0);
}

TEST_F(Command, SixtyFiveThousandFiveHundredThirtyFiveSectors) {
  attach();
  submit(Operation::read, 0, 65535);
  EXPECT_EQ(last().fis[3], 0xFF);
  EXPECT_EQ(last().fis[11], 0xFF);
}

TEST_F(Command, AddressJustBelowAndAt28Bits) {
  attach();
  submit(Operation::read, (1U << 28) - 1, 1);
  EXPECT_EQ(Bytes(last().fis.begin() + 4, last().fis.begin() + 11), (Bytes{0xFF, 0xFF, 0xFF, 0x40, 0x0F, 0, 0}));
  submit(Operation::read, 1U << 28, 1);
  EXPECT_EQ(Bytes(last().fis.begin() + 4, last().fis.begin() + 11), (Bytes{0, 0, 0, 0x40, 0x10, 0, 0}));
}

TEST_F(Command, LastSectorOf48Bits) {
  port().identify = identify_data(0xFFFF'FFFF'FFFF);
  attach();
  submit(Operation::read, 0xFFFF'FFFF'FFFE, 1);
  EXPECT_EQ(Bytes(last().fis.begin() + 4, last().fis.begin() + 11), (Bytes{0xFE, 0xFF, 0xFF, 0x40, 0xFF, 0xFF, 0xFF}));
}

TEST_F(Command, TheHeaderPointsAtTheSlotsOwnTable) {
  attach();
  read();
  read();
  // 0x80 and 256 PRDs of 16 bytes for each slot.
  const std::uint32_t first = 0x23400500;
  const auto table = [](const SeenCommand& command) {
    return command.header[8] | command.header[9] << 8 | command.header[10] << 16 |
           static_cast<std::uint32_t>(command.header[11]) << 24;
  };
  EXPECT_EQ(table(commands()[0]), first);
  EXPECT_EQ(table(commands()[1]), first + 0x1080);
  EXPECT_EQ(commands()[1].header[12], 1);
}

TEST_F(Command, OnePrdWithA64BitAddress) {
  attach();
  TestRequest& request = make(Operation::read, 0, 1);
  set_segments(request, {{0x0123'4567'89AB'CDEE, 512}});
  ASSERT_TRUE(ahci->submit(0, request));
  EXPECT_EQ(last().prds, (Bytes{0xEE, 0xCD, 0xAB, 0x89, 0x67, 0x45, 0x23, 0x01, 0, 0, 0, 0, 0xFF, 0x01, 0x00, 0x00}));
}

TEST_F(Command, SegmentsOfAnyEvenShapeBecomePrdsInOrder) {
  attach();
  TestRequest& request = make(Operation::write, 0, 2);
  set_segments(request, {{0x1000, 2}, {0x2002, 1020}, {0x1000, 2}});
  ASSERT_TRUE(ahci->submit(0, request));
  EXPECT_EQ(last().prds, (Bytes{0x00, 0x10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x01, 0x00, 0, 0,  //
                                0x02, 0x20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFB, 0x03, 0, 0,  //
                                0x00, 0x10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x01, 0x00, 0, 0}));
  EXPECT_EQ(last().header[2], 3);
}

TEST_F(Command, ASegmentOf4MiBIsOnePrd) {
  attach();
  TestRequest& request = make(Operation::read, 0, 8192);
  set_segments(request, {{0x10'0000, 4U << 20}});
  ASSERT_TRUE(ahci->submit(0, request));
  EXPECT_EQ(last().prds, (Bytes{0, 0, 0x10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0x3F, 0}));
}

TEST_F(Command, ALongerSegmentIsCutAt4MiB) {
  attach();
  TestRequest& request = make(Operation::read, 0, 8193);
  set_segments(request, {{0xFFFF'0000, (4U << 20) + 512}});
  ASSERT_TRUE(ahci->submit(0, request));
  EXPECT_EQ(last().prds, (Bytes{0, 0, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0x3F, 0,  //
                                0, 0, 0x3F, 0,    1, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0x01, 0x00, 0}));
}

TEST_F(Command, TakesAsManyPrdsAsTheOptionSaysAndNoMore) {
  options.max_prds = 3;
  attach();
  TestRequest& three = make(Operation::read, 0, 3);
  set_segments(three, {{0x1000, 512}, {0x2000, 512}, {0x3000, 512}});
  EXPECT_TRUE(ahci->submit(0, three));
  TestRequest& four = make(Operation::read, 0, 4);
  set_segments(four, {{0x1000, 512}, {0x2000, 512}, {0x3000, 512}, {0x4000, 512}});
  EXPECT_FALSE(ahci->submit(0, four));
  EXPECT_EQ(four.status, Status::too_many_segments);
}

TEST_F(Command, RefusesIllegalScatterLists) {
  attach();
  const std::vector<std::vector<Segment>> lists = {
      {{0x1001, 512}},                 // odd address
      {{0x1000, 511}, {0x2000, 1}},    // odd sizes
      {{0x1000, 512}, {0x2000, 0}},    // an empty segment
      {{0x1000, 510}},                 // too short
      {{0x1000, 514}},                 // too long
      {},                              // none
      {{0xFFFF'FFFF'FFFF'FF00, 512}},  // past the end of the address space
  };
  for (const auto& list : lists) {
    TestRequest& request = make(Operation::read, 0, 1);
    set_segments(request, list);
    EXPECT_FALSE(ahci->submit(0, request));
    EXPECT_EQ(request.status, Status::bad_segments);
  }
  EXPECT_TRUE(commands().empty());
  EXPECT_TRUE(answered.empty());
}

TEST_F(Command, A32BitControllerTakesSegmentsUpToTheLastByteOf4GiB) {
  platform.cap &= 0x7FFFFFFF;
  platform.next_bus_address = 0x1000'0000;
  attach();
  TestRequest& inside = make(Operation::read, 0, 1);
  set_segments(inside, {{0xFFFF'FE00, 512}});
  EXPECT_TRUE(ahci->submit(0, inside));
  TestRequest& beyond = make(Operation::read, 0, 1);
  set_segments(beyond, {{0xFFFF'FE02, 512}});
  EXPECT_FALSE(ahci->submit(0, beyond));
  EXPECT_EQ(beyond.status, Status::bad_segments);
}

TEST_F(Command, RefusesRangesThatOneCommandOrTheDiskDoesNotHave) {
  attach();
  const std::uint64_t capacity = 1953525168;
  struct Case {
    std::uint64_t lba;
    std::uint32_t sectors;
  };
  for (const Case& bad : {Case{0, 0}, Case{0, 65537}, Case{capacity, 1}, Case{capacity - 7, 8}, Case{UINT64_MAX, 1}}) {
    TestRequest& request = make(Operation::read, bad.lba, bad.sectors);
    EXPECT_FALSE(ahci->submit(0, request));
    EXPECT_EQ(request.status, Status::bad_range);
  }
  submit(Operation::read, capacity - 8, 8);
  EXPECT_EQ(commands().size(), 1U);
}

TEST_F(Command, CountsInLogicalSectorsOf4KiB) {
  set_word(port().identify, 106, 0x5000);
  set_word(port().identify, 117, 2048);
  attach();
  EXPECT_EQ(ahci->device(0)->logical_sector_bytes, 4096U);
  TestRequest& request = make(Operation::read, 5, 1);
  set_segments(request, {{0x1000, 4096}});
  ASSERT_TRUE(ahci->submit(0, request));
  EXPECT_EQ(last().fis[3], 1);
}

}  // namespace
}  // namespace ncqlab::driver
