// The optical drive's logical unit: packets in, sense and data out (SPC-3, MMC-5).
#include <gtest/gtest.h>

#include <vector>

#include "model/drive/optical/logical_unit.h"
#include "testbench/tests/unit/drive_ata_host.h"

namespace ncqlab::drive {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Packet = LogicalUnit::Packet;

constexpr Packet kTestUnitReady{};
constexpr Packet kRequestSense{0x03, 0, 0, 0, 18};
constexpr Packet kEject{0x1B, 0, 0, 0, 2};
constexpr Packet kLoad{0x1B, 0, 0, 0, 3};
constexpr Packet kLock{0x1E, 0, 0, 0, 1};
constexpr Packet kUnlock{0x1E, 0, 0, 0, 0};
constexpr Packet kMediaEvents{0x4A, 1, 0, 0, 0x10, 0, 0, 0, 8};

class OpticalUnit : public testing::Test {
 protected:
  static OpticalProfile profile_of_test() {
    OpticalProfile profile;
    profile.identity = {"MAKER   DVD-ROM", "S1", "1.23"};
    profile.bytes_per_second = 1'000'000;
    return profile;
  }
  Medium disc(std::uint32_t blocks) const { return {&contents_, blocks}; }
  // "key/code/qualifier" of one packet.
  static std::string sense_of(LogicalUnit& unit, const Packet& packet) {
    const SenseData sense = unit.execute(packet).sense;
    char text[16];
    std::snprintf(text, sizeof text, "%X/%02X/%02X", sense.key, sense.code, sense.qualifier);
    return text;
  }
  std::string sense_of(const Packet& packet) { return sense_of(unit, packet); }
  Bytes data_of(const Packet& packet) {
    const PacketResult result = unit.execute(packet);
    EXPECT_EQ(result.sense.key, 0);
    Bytes bytes(result.total_bytes());
    unit.read(result, 0, static_cast<std::uint32_t>(bytes.size()), bytes.data());
    return bytes;
  }

  StripedFactory contents_;
  OpticalProfile profile = profile_of_test();
  LogicalUnit unit{profile, disc(100)};
};

// ---- readiness and conditions

TEST_F(OpticalUnit, WithADiscItIsReady) { EXPECT_EQ(sense_of(kTestUnitReady), "0/00/00"); }

TEST_F(OpticalUnit, WithoutADiscItIsNotReady) {
  LogicalUnit empty(profile, {});
  EXPECT_EQ(sense_of(empty, kTestUnitReady), "2/3A/01");
}

TEST_F(OpticalUnit, WithTheTrayOpenItIsNotReady) {
  unit.open_tray();
  EXPECT_EQ(sense_of(kTestUnitReady), "2/3A/02");
}

TEST_F(OpticalUnit, AfterAResetTheNextCommandMeetsUnitAttentionOnce) {
  unit.reset();
  EXPECT_EQ(sense_of(kTestUnitReady), "6/29/00");
  EXPECT_EQ(sense_of(kTestUnitReady), "0/00/00");
}

TEST_F(OpticalUnit, AProfileMayLeaveOutTheAttentionAfterAReset) {
  profile.attention_after_reset = false;
  unit.reset();
  EXPECT_EQ(sense_of(kTestUnitReady), "0/00/00");
}

TEST_F(OpticalUnit, InquiryAndEventStatusLeaveTheAttentionForTheNext) {
  unit.reset();
  EXPECT_EQ(unit.execute({0x12, 0, 0, 0, 36}).sense.key, 0);
  EXPECT_EQ(unit.execute(kMediaEvents).sense.key, 0);
  EXPECT_EQ(sense_of(kTestUnitReady), "6/29/00");
}

TEST_F(OpticalUnit, RequestSenseTakesTheAttentionAway) {
  unit.reset();
  EXPECT_EQ(data_of(kRequestSense).at(2), 6);
  EXPECT_EQ(sense_of(kTestUnitReady), "0/00/00");
}

TEST_F(OpticalUnit, ADiscThatComesBackIsAChange) {
  unit.open_tray();
  unit.close_tray();
  EXPECT_EQ(sense_of(kTestUnitReady), "6/28/00");
  EXPECT_EQ(sense_of(kTestUnitReady), "0/00/00");
}

TEST_F(OpticalUnit, AsQemuTheSameDiscIsNoChangeAndAnotherIsFirstAbsent) {
  profile.qemu_media_change = true;
  unit.open_tray();
  unit.close_tray();
  EXPECT_EQ(sense_of(kTestUnitReady), "0/00/00");
  unit.open_tray();
  unit.remove();
  unit.insert(disc(5));
  unit.close_tray();
  EXPECT_EQ(sense_of(kTestUnitReady), "2/3A/01");
  EXPECT_EQ(sense_of(kTestUnitReady), "6/28/00");
  EXPECT_EQ(sense_of(kTestUnitReady), "0/00/00");
}

TEST_F(OpticalUnit, RequestSenseTellsOfTheLastCommandAndThenOfNothing) {
  unit.open_tray();
  sense_of(kTestUnitReady);
  const Bytes first = data_of(kRequestSense);
  ASSERT_EQ(first.size(), 18U);
  EXPECT_EQ(first[0], 0x70);
  EXPECT_EQ(first[2], 2);
  EXPECT_EQ(first[7], 10);
  EXPECT_EQ(first[12], 0x3A);
  EXPECT_EQ(first[13], 2);
  EXPECT_EQ(data_of(kRequestSense)[2], 0);
}

TEST_F(OpticalUnit, RequestSenseEndsAtItsAllocationLength) { EXPECT_EQ(data_of({0x03, 0, 0, 0, 8}).size(), 8U); }

TEST_F(OpticalUnit, AnUnknownPacketIsIllegal) { EXPECT_EQ(sense_of({0xFE}), "5/20/00"); }

// ---- reading

TEST_F(OpticalUnit, Read10ReadsBlocksOf2048Bytes) {
  EXPECT_EQ(data_of({0x28, 0, 0, 0, 0, 7, 0, 0, 2}), AtaHost::factory(28, 8));
}

TEST_F(OpticalUnit, Read12DoesToo) { EXPECT_EQ(data_of({0xA8, 0, 0, 0, 0, 7, 0, 0, 0, 2}), AtaHost::factory(28, 8)); }

TEST_F(OpticalUnit, PartsOfABlockMayBeTaken) {
  const PacketResult result = unit.execute({0x28, 0, 0, 0, 0, 7, 0, 0, 2});
  const Bytes whole = AtaHost::factory(28, 8);
  Bytes part(700);
  unit.read(result, 1300, 700, part.data());
  EXPECT_EQ(part, Bytes(whole.begin() + 1300, whole.begin() + 2000));
}

TEST_F(OpticalUnit, TheLastBlockIsReadAndTheNextIsOutOfRange) {
  EXPECT_EQ(sense_of({0x28, 0, 0, 0, 0, 99, 0, 0, 1}), "0/00/00");
  EXPECT_EQ(sense_of({0x28, 0, 0, 0, 0, 99, 0, 0, 2}), "5/21/00");
  EXPECT_EQ(sense_of({0xA8, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}), "5/21/00");
}

TEST_F(OpticalUnit, ReadingNothingIsNoError) {
  EXPECT_EQ(unit.execute({0x28, 0, 0, 0, 0, 99, 0, 0, 0}).total_bytes(), 0U);
}

TEST_F(OpticalUnit, ReadCapacityTellsLastBlockAndSize) { EXPECT_EQ(data_of({0x25}), (Bytes{0, 0, 0, 99, 0, 0, 8, 0})); }

TEST_F(OpticalUnit, WithoutADiscThereIsNothingToRead) {
  LogicalUnit empty(profile, {});
  for (const std::uint8_t opcode : {0x25, 0x28, 0xA8, 0x43}) EXPECT_EQ(sense_of(empty, {opcode}), "2/3A/01");
}

TEST_F(OpticalUnit, TheTableOfContentsIsOneDataTrackAndTheLeadOut) {
  EXPECT_EQ(data_of({0x43, 0, 0, 0, 0, 0, 0, 0, 100}),
            (Bytes{0, 18, 1, 1, 0, 0x14, 1, 0, 0, 0, 0, 0, 0, 0x14, 0xAA, 0, 0, 0, 0, 100}));
}

TEST_F(OpticalUnit, InMinutesSecondsAndFramesItBeginsAtTwoSeconds) {
  const Bytes toc = data_of({0x43, 2, 0, 0, 0, 0, 0, 0, 100});
  EXPECT_EQ(Bytes(toc.begin() + 8, toc.begin() + 12), (Bytes{0, 0, 2, 0}));
  EXPECT_EQ(Bytes(toc.begin() + 16, toc.begin() + 20), (Bytes{0, 0, 3, 25}));
}

// ---- inquiry and modes

TEST_F(OpticalUnit, InquiryNamesARemovableCdDrive) {
  const Bytes inquiry = data_of({0x12, 0, 0, 0, 96});
  ASSERT_EQ(inquiry.size(), 36U);
  EXPECT_EQ(inquiry[0], 0x05);
  EXPECT_EQ(inquiry[1], 0x80);
  EXPECT_EQ(inquiry[4], 31);
  EXPECT_EQ(std::string(inquiry.begin() + 8, inquiry.end()), "MAKER   DVD-ROM         1.23");
}

TEST_F(OpticalUnit, InquiryKnowsNoVitalProductData) { EXPECT_EQ(sense_of({0x12, 1, 0, 0, 96}), "5/24/00"); }

TEST_F(OpticalUnit, ModeSenseGivesBothPagesOrOne) {
  const Bytes all = data_of({0x5A, 0, 0x3F, 0, 0, 0, 0, 0, 255});
  EXPECT_EQ(all.size(), 8U + 8 + 20);
  EXPECT_EQ(all.at(1), all.size() - 2);
  EXPECT_EQ(all.at(8), 0x01);
  EXPECT_EQ(all.at(16), 0x2A);
  EXPECT_EQ(data_of({0x5A, 0, 0x2A, 0, 0, 0, 0, 0, 255}).at(8), 0x2A);
  EXPECT_EQ(sense_of({0x5A, 0, 0x0D, 0, 0, 0, 0, 0, 255}), "5/24/00");
  EXPECT_EQ(sense_of({0x5A, 0, 0xFF, 0, 0, 0, 0, 0, 255}), "5/39/00");
}

// ---- tray

TEST_F(OpticalUnit, StartStopMovesTheTray) {
  EXPECT_EQ(sense_of(kEject), "0/00/00");
  EXPECT_TRUE(unit.tray_open());
  EXPECT_EQ(sense_of(kLoad), "0/00/00");
  EXPECT_FALSE(unit.tray_open());
}

TEST_F(OpticalUnit, WithoutLoEjItDoesNot) {
  EXPECT_EQ(sense_of({0x1B, 0, 0, 0, 0}), "0/00/00");
  EXPECT_FALSE(unit.tray_open());
}

TEST_F(OpticalUnit, ALockedTrayStaysClosedUntilItIsUnlocked) {
  sense_of(kLock);
  EXPECT_EQ(sense_of(kEject), "5/53/02");
  EXPECT_FALSE(unit.tray_open());
  sense_of(kUnlock);
  sense_of(kEject);
  EXPECT_TRUE(unit.tray_open());
}

TEST_F(OpticalUnit, AResetUnlocks) {
  sense_of(kLock);
  unit.reset();
  EXPECT_FALSE(unit.locked());
}

TEST_F(OpticalUnit, ADiscGoesInAndOutThroughTheOpenTrayOnly) {
  EXPECT_FALSE(unit.insert(disc(5)));
  EXPECT_FALSE(unit.remove());
  EXPECT_EQ(unit.medium().blocks, 100U);
  unit.open_tray();
  EXPECT_TRUE(unit.remove());
  EXPECT_TRUE(unit.insert(disc(5)));
  unit.close_tray();
  EXPECT_EQ(unit.medium().blocks, 5U);
}

class CountingTray final : public TrayListener {
 public:
  void tray_moved(bool open) override { moves.push_back(open); }
  std::vector<bool> moves;
};

TEST_F(OpticalUnit, EveryMovementOfTheTrayIsToldOnce) {
  CountingTray listener;
  unit.set_listener(&listener);
  unit.open_tray();
  unit.open_tray();
  sense_of(kLoad);
  EXPECT_EQ(listener.moves, (std::vector<bool>{true, false}));
}

TEST_F(OpticalUnit, EventStatusTellsEachEventOnce) {
  EXPECT_EQ(data_of(kMediaEvents), (Bytes{0, 6, 4, 0x10, 0, 2, 0, 0}));  // nothing new, a disc is there
  unit.open_tray();
  EXPECT_EQ(data_of(kMediaEvents), (Bytes{0, 6, 4, 0x10, 3, 1, 0, 0}));  // removal, tray open
  EXPECT_EQ(data_of(kMediaEvents), (Bytes{0, 6, 4, 0x10, 0, 1, 0, 0}));
  unit.close_tray();
  EXPECT_EQ(data_of(kMediaEvents), (Bytes{0, 6, 4, 0x10, 2, 2, 0, 0}));  // new medium
}

TEST_F(OpticalUnit, EventStatusOfOtherClassesNamesThoseThatThereAre) {
  EXPECT_EQ(data_of({0x4A, 1, 0, 0, 0x02, 0, 0, 0, 8}), (Bytes{0, 2, 0x80, 0x10}));
}

TEST_F(OpticalUnit, EventStatusIsPolledOnly) { EXPECT_EQ(sense_of({0x4A, 0, 0, 0, 0x10, 0, 0, 0, 8}), "5/24/00"); }

// ---- READ CD

TEST_F(OpticalUnit, ReadCdOfUserDataReadsBlocks) {
  EXPECT_EQ(data_of({0xBE, 0, 0, 0, 0, 7, 0, 0, 1, 0x10}), data_of({0x28, 0, 0, 0, 0, 7, 0, 0, 1}));
}

TEST_F(OpticalUnit, ReadCdOfNoBlocksOrOfNothingInThemIsFine) {
  EXPECT_EQ(data_of({0xBE, 0, 0, 0, 0, 7, 0, 0, 0, 0x10}), Bytes{});
  EXPECT_EQ(data_of({0xBE, 0, 0, 0, 0, 7, 0, 0, 1, 0}), Bytes{});
}

TEST_F(OpticalUnit, ReadCdOfHeadersIsAnInvalidField) {
  EXPECT_EQ(sense_of({0xBE, 0, 0, 0, 0, 7, 0, 0, 1, 0xF8}), "5/24/00");
}

TEST_F(OpticalUnit, ReadCdBeyondTheDiscIsOutOfRange) {
  EXPECT_EQ(sense_of({0xBE, 0, 0, 0, 0, 99, 0, 0, 2, 0x10}), "5/21/00");
}

}  // namespace
}  // namespace ncqlab::drive
