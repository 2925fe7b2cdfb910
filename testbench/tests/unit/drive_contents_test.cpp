// What sectors hold: written, partly written, never written.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "model/drive/media/contents.h"
#include "model/sim/random.h"

namespace ncqlab::drive {
namespace {

using Bytes = std::vector<std::uint8_t>;

// Every byte of a sector is the low byte of its LBA.
class NumberedFactory final : public FactoryContents {
 public:
  void fill(std::uint64_t lba, std::uint32_t sectors, std::uint8_t* buffer) const override {
    for (std::size_t i = 0; i < std::size_t{sectors} * kSector_bytes; ++i) {
      buffer[i] = static_cast<std::uint8_t>(lba + i / kSector_bytes);
    }
  }
};

// The first byte of each sector read, after a check that all of its bytes are equal.
Bytes read(const Contents& contents, std::uint64_t lba, std::uint32_t sectors) {
  Bytes buffer(std::size_t{sectors} * kSector_bytes, 0xEE);
  contents.read(lba, sectors, buffer.data());
  Bytes firsts;
  for (std::size_t sector = 0; sector < sectors; ++sector) {
    const std::uint8_t first = buffer[sector * kSector_bytes];
    for (std::size_t i = 0; i < kSector_bytes; ++i) EXPECT_EQ(buffer[sector * kSector_bytes + i], first);
    firsts.push_back(first);
  }
  return firsts;
}

void write(Contents& contents, std::uint64_t lba, std::uint32_t sectors, std::uint8_t value) {
  const Bytes buffer(std::size_t{sectors} * kSector_bytes, value);
  contents.write(lba, sectors, buffer.data());
}

class DriveContents : public testing::Test {
 protected:
  NumberedFactory factory;
  Contents contents{&factory};
};

TEST_F(DriveContents, WithoutAFactoryUnwrittenSectorsAreZero) { EXPECT_EQ(read(Contents(), 5, 2), (Bytes{0, 0})); }

TEST_F(DriveContents, UnwrittenSectorsAreAsTheFactoryLeftThem) { EXPECT_EQ(read(contents, 5, 3), (Bytes{5, 6, 7})); }

TEST_F(DriveContents, AWrittenSectorHoldsWhatWasWritten) {
  write(contents, 9, 1, 0xAA);
  EXPECT_EQ(read(contents, 9, 1), Bytes{0xAA});
}

TEST_F(DriveContents, AroundAWrittenSectorTheBlockIsAsTheFactoryLeftIt) {
  write(contents, 10, 1, 0xAA);
  EXPECT_EQ(read(contents, 8, 8), (Bytes{8, 9, 0xAA, 11, 12, 13, 14, 15}));
}

TEST_F(DriveContents, AWriteAcrossBlocksIsWhole) {
  write(contents, 7, 10, 0xAA);
  EXPECT_EQ(read(contents, 6, 12), (Bytes{6, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 0xAA, 17}));
}

TEST_F(DriveContents, AReadAcrossWrittenAndUnwrittenBlocksIsRight) {
  write(contents, 16, 1, 0xAA);
  write(contents, 39, 1, 0xBB);
  const Bytes all = read(contents, 10, 32);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::size_t lba = 10 + i;
    EXPECT_EQ(all[i], lba == 16 ? 0xAA : lba == 39 ? 0xBB : lba) << lba;
  }
}

TEST_F(DriveContents, TheLastWriteCounts) {
  write(contents, 8, 8, 0xAA);
  write(contents, 10, 2, 0xBB);
  EXPECT_EQ(read(contents, 9, 4), (Bytes{0xAA, 0xBB, 0xBB, 0xAA}));
}

TEST_F(DriveContents, HighAddressesArePlacesOfTheirOwn) {
  const std::uint64_t high = (1ULL << 47) + 8;
  write(contents, high, 1, 0xAA);
  EXPECT_EQ(read(contents, 8, 1), Bytes{8});
  EXPECT_EQ(read(contents, high, 1), Bytes{0xAA});
}

TEST_F(DriveContents, AgreeWithAMapOfSectors) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    sim::Stream stream(seed, "test/contents");
    Contents disk(&factory);
    std::map<std::uint64_t, std::uint8_t> reference;
    for (int step = 0; step < 200; ++step) {
      const std::uint64_t lba = stream.below(200);
      const auto sectors = static_cast<std::uint32_t>(1 + stream.below(30));
      const auto value = static_cast<std::uint8_t>(stream.below(256));
      write(disk, lba, sectors, value);
      for (std::uint64_t i = 0; i < sectors; ++i) reference[lba + i] = value;
      const std::uint64_t from = stream.below(220);
      const Bytes got = read(disk, from, 20);
      for (std::uint64_t i = 0; i < 20; ++i) {
        const auto known = reference.find(from + i);
        const auto expected = known == reference.end() ? static_cast<std::uint8_t>(from + i) : known->second;
        ASSERT_EQ(got[i], expected) << "seed " << seed << " step " << step << " LBA " << from + i;
      }
    }
  }
}

TEST(Contents, DiscardedSectorsAreAsTheFactoryLeftThem) {
  const NumberedFactory factory;
  Contents contents(&factory);
  write(contents, 4, 20, 0x99);
  contents.discard(6, 11);
  EXPECT_EQ(read(contents, 3, 22), (Bytes{3,  0x99, 0x99, 6,    7,    8,    9,    10,   11,   12,   13,
                                          14, 15,   16,   0x99, 0x99, 0x99, 0x99, 0x99, 0x99, 0x99, 24}));
}

TEST(Contents, DiscardingNothingChangesNothing) {
  Contents contents;
  write(contents, 4, 2, 0x99);
  contents.discard(4, 0);
  contents.discard(100, 50);
  EXPECT_EQ(read(contents, 4, 2), (Bytes{0x99, 0x99}));
}

TEST(Contents, WrittenSectorsAreVisitedInOrder) {
  Contents contents;
  write(contents, 30, 1, 2);
  write(contents, 7, 2, 1);
  std::vector<std::uint64_t> seen;
  contents.visit_written([&](std::uint64_t lba, const std::uint8_t* bytes) {
    seen.push_back(lba);
    EXPECT_EQ(bytes[511], lba == 30 ? 2 : 1);
  });
  EXPECT_EQ(seen, (std::vector<std::uint64_t>{7, 8, 30}));
}

// ---- two layers

class DriveContentsLayers : public testing::Test {
 protected:
  Bytes platter(std::uint64_t lba, std::uint32_t sectors) const {
    Bytes buffer(std::size_t{sectors} * kSector_bytes);
    contents.read_platter(lba, sectors, buffer.data());
    Bytes firsts;
    for (std::size_t i = 0; i < sectors; ++i) firsts.push_back(buffer[i * kSector_bytes]);
    return firsts;
  }
  void pass(const Extent& extent, sim::Time when = 0) {
    contents.write_pass_begins(extent);
    contents.write_pass_ended(when, extent);
  }

  NumberedFactory factory;
  Contents contents{&factory};
};

TEST_F(DriveContentsLayers, WhatAHostHasWrittenIsInTheBuffer) {
  write(contents, 10, 2, 0xAA);
  EXPECT_EQ(read(contents, 10, 2), (Bytes{0xAA, 0xAA}));
  EXPECT_EQ(platter(10, 2), (Bytes{10, 11}));
  EXPECT_EQ(contents.place_of(10), Contents::Place::buffer);
  EXPECT_EQ(contents.place_of(12), Contents::Place::platter);
}

TEST_F(DriveContentsLayers, APassBringsItToThePlatter) {
  write(contents, 10, 2, 0xAA);
  contents.write_pass_begins({10, 12});
  EXPECT_EQ(contents.place_of(10), Contents::Place::under_head);
  EXPECT_EQ(platter(10, 2), (Bytes{10, 11}));
  contents.write_pass_ended(5, {10, 12});
  EXPECT_EQ(contents.place_of(10), Contents::Place::platter);
  EXPECT_EQ(platter(10, 2), (Bytes{0xAA, 0xAA}));
}

TEST_F(DriveContentsLayers, APassWritesWhatWasThereWhenItBegan) {
  write(contents, 10, 3, 0xAA);
  contents.write_pass_begins({10, 13});
  write(contents, 11, 1, 0xBB);
  EXPECT_EQ(contents.place_of(11), Contents::Place::buffer);
  write(contents, 11, 1, 0xCC);
  contents.write_pass_ended(5, {10, 13});
  EXPECT_EQ(platter(10, 3), (Bytes{0xAA, 0xAA, 0xAA}));
  EXPECT_EQ(read(contents, 10, 3), (Bytes{0xAA, 0xCC, 0xAA}));
  pass({11, 12});
  EXPECT_EQ(platter(11, 1), Bytes{0xCC});
}

TEST_F(DriveContentsLayers, ASectorThatIsTrimmedAndWrittenDuringAPassStaysInTheBuffer) {
  write(contents, 10, 1, 0xAA);
  contents.write_pass_begins({10, 11});
  contents.discard(10, 1);
  write(contents, 10, 1, 0xBB);
  contents.write_pass_ended(5, {10, 11});
  EXPECT_EQ(platter(10, 1), Bytes{10});
  EXPECT_EQ(read(contents, 10, 1), Bytes{0xBB});
}

TEST_F(DriveContentsLayers, WhatTheBufferAloneHoldsIsListedInRuns) {
  write(contents, 10, 10, 0xAA);
  contents.write_pass_begins({12, 14});
  write(contents, 13, 1, 0xBB);
  const std::vector<Extent> runs = contents.in_buffer_only({11, 100});
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].first, 11U);
  EXPECT_EQ(runs[0].end, 12U);
  EXPECT_EQ(runs[1].first, 13U);
  EXPECT_EQ(runs[1].end, 20U);
}

TEST_F(DriveContentsLayers, WhenThePowerFailsThePassEndsWhereItWasAndTheBufferIsGone) {
  write(contents, 10, 10, 0xAA);
  contents.write_pass_begins({10, 20});
  contents.power_off(5, 13, {});
  EXPECT_EQ(read(contents, 11, 4), (Bytes{0xAA, 0xAA, 13, 14}));
  EXPECT_EQ(contents.place_of(13), Contents::Place::platter);
}

TEST_F(DriveContentsLayers, WhatTheDriveSavesStaysInTheBuffer) {
  write(contents, 10, 10, 0xAA);
  contents.power_off(5, 0, {{12, 15}});
  EXPECT_EQ(read(contents, 11, 5), (Bytes{11, 0xAA, 0xAA, 0xAA, 15}));
  EXPECT_EQ(contents.place_of(12), Contents::Place::buffer);
}

TEST_F(DriveContentsLayers, DurableSinceTheEndOfThePass) {
  contents.keep_durable_times();
  write(contents, 10, 2, 0xAA);
  EXPECT_EQ(contents.durable_since(10), std::nullopt);
  pass({10, 12}, 77);
  EXPECT_EQ(contents.durable_since(11), 77);
  contents.discard(11, 1);
  EXPECT_EQ(contents.durable_since(11), std::nullopt);
}

TEST_F(DriveContentsLayers, AVisitSeesEachWrittenSectorOnceAsAHostDoes) {
  write(contents, 10, 3, 0xAA);
  pass({10, 13});
  write(contents, 12, 2, 0xBB);
  std::vector<std::pair<std::uint64_t, int>> seen;
  contents.visit_written([&](std::uint64_t lba, const std::uint8_t* bytes) { seen.emplace_back(lba, bytes[0]); });
  EXPECT_EQ(seen, (std::vector<std::pair<std::uint64_t, int>>{{10, 0xAA}, {11, 0xAA}, {12, 0xBB}, {13, 0xBB}}));
}

}  // namespace
}  // namespace ncqlab::drive
