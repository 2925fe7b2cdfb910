// What a loss of power leaves of writes in every state: in the cache, under the head, on the platter, promised.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "testbench/tests/unit/drive_ata_host.h"

namespace ncqlab::drive {
namespace {

constexpr std::uint8_t kReadDma = 0x25;
constexpr std::uint8_t kWriteDma = 0x35;
constexpr std::uint8_t kWriteDmaFua = 0x3D;
constexpr std::uint8_t kFlush = 0xEA;

Profile saving(std::uint64_t sectors) {
  Profile profile = small_profile();
  profile.power_loss.saved_bytes = sectors * kSector_bytes;
  return profile;
}

class Cut {
 public:
  explicit Cut(const Profile& profile = small_profile(), std::uint64_t seed = 1) : host(profile, nullptr, seed) {
    host.start();
  }
  void write(std::uint64_t lba, std::uint16_t sectors, std::uint8_t value, std::uint8_t opcode = kWriteDma) {
    host.outgoing = AtaHost::filled(sectors, value);
    host.sent.clear();
    host.command(opcode, lba, sectors);
    while (host.time_of("D2H 50 00 I") == sim::kNever) host.run_one();
  }
  void flush() {
    host.sent.clear();
    host.command(kFlush);
    while (host.time_of("D2H 50 00 I") == sim::kNever) host.run_one();
  }
  void cut_and_return(PowerCut how = PowerCut::with_reserve) {
    host.cut_power(how);
    host.run_until(host.now() + 3 * sim::kSecond);
    host.power_on();
  }
  // A forced write of 77h, and the power fails once its pass is as wanted; gives the sector that the head had come to.
  std::uint64_t cut_while_writing(std::uint64_t lba, std::uint16_t sectors, bool (*wanted)(const WritePassState&)) {
    host.outgoing = AtaHost::filled(sectors, 0x77);
    host.command(kWriteDmaFua, lba, sectors);
    std::optional<WritePassState> pass;
    while (!pass || !wanted(*pass)) {
      host.run_until(host.now() + 10 * kUs);
      pass = host.drive.write_pass();
    }
    cut_and_return();
    return pass->written_end;
  }
  // The first byte of a sector; -1 when it cannot be read.
  int read(std::uint64_t lba) {
    host.sent.clear();
    host.command(kReadDma, lba, 1);
    host.run_until(host.now() + 2 * sim::kSecond);
    return (host.last_status().status & 1) != 0 ? -1 : host.data().at(0);
  }
  static int factory(std::uint64_t lba) { return StripedFactory::byte_of(lba, 0); }

  AtaHost host;
};

TEST(DrivePowerCut, ACachedWriteIsLost) {
  Cut cut;
  cut.write(50, 1, 0x77);
  cut.cut_and_return();
  EXPECT_EQ(cut.read(50), Cut::factory(50));
}

TEST(DrivePowerCut, AFlushedWriteIsKept) {
  Cut cut;
  cut.write(50, 1, 0x77);
  cut.flush();
  cut.cut_and_return();
  EXPECT_EQ(cut.read(50), 0x77);
}

TEST(DrivePowerCut, AForcedWriteIsKeptAndTheOlderCopyDoesNotComeBack) {
  Cut cut;
  cut.write(50, 1, 0x66);
  cut.write(50, 1, 0x77, kWriteDmaFua);
  cut.cut_and_return();
  EXPECT_EQ(cut.read(50), 0x77);
}

TEST(DrivePowerCut, WithoutACacheAWriteIsKeptOnceItIsAnswered) {
  Profile profile = small_profile();
  profile.write_cache.enabled = false;
  Cut cut(profile);
  cut.write(50, 1, 0x77);
  cut.cut_and_return();
  EXPECT_EQ(cut.read(50), 0x77);
}

TEST(DrivePowerCut, OfAWriteUnderWayTheSectorsThatTheHeadHasPassedAreKept) {
  Cut cut;
  cut.cut_while_writing(50, 20, [](const WritePassState& pass) { return pass.written_end >= 60; });
  EXPECT_EQ(cut.read(59), 0x77);
  EXPECT_EQ(cut.read(61), Cut::factory(61));
}

// With many seeds: the sector under the head is old, new or unreadable, each in about a third.
TEST(DrivePowerCut, TheSectorUnderTheHeadIsTornInThreeWays) {
  std::map<int, int> found;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Cut cut(small_profile(), seed);
    const std::uint64_t torn =
        cut.cut_while_writing(50, 20, [](const WritePassState& pass) { return pass.within_sector; });
    ++found[cut.read(torn)];
    ASSERT_LE(cut.host.drive.counts().pending, 1U);
  }
  ASSERT_EQ(found.size(), 3U);
  for (const int what : {-1, 0x77, Cut::factory(50)}) {
    EXPECT_GT(found[what], 70) << what;
    EXPECT_LT(found[what], 130) << what;
  }
}

// 512e: the head writes physical sectors of 8 LBAs, and what is torn of one is torn of all.
TEST(DrivePowerCut, APhysicalSectorIsTornAsAWhole) {
  Profile profile = small_profile();
  profile.physical_sectors.bytes = 4096;
  std::map<std::vector<int>, int> found;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Cut cut(profile, seed);
    cut.cut_while_writing(48, 16, [](const WritePassState& pass) { return pass.written_end >= 52; });
    const int first = cut.read(48);
    const int last = cut.read(55);
    ++found[{first == Cut::factory(48) ? 0 : first, last == Cut::factory(55) ? 0 : last}];
    EXPECT_EQ(cut.read(56), Cut::factory(56));
  }
  ASSERT_EQ(found.size(), 3U);
  EXPECT_GT((found[{0, 0}]), 15);
  EXPECT_GT((found[{0x77, 0x77}]), 15);
  EXPECT_GT((found[{-1, -1}]), 15);
}

TEST(DrivePowerCut, AnUnreadableSectorIsReadableWhenItIsWrittenAgain) {
  for (std::uint64_t seed = 0;; ++seed) {
    ASSERT_LT(seed, 100U);
    Cut cut(small_profile(), seed);
    const std::uint64_t torn =
        cut.cut_while_writing(50, 20, [](const WritePassState& pass) { return pass.within_sector; });
    if (cut.host.drive.counts().pending == 0) continue;
    cut.write(torn, 1, 0x55, kWriteDmaFua);
    EXPECT_EQ(cut.read(torn), 0x55);
    break;
  }
}

TEST(DrivePowerCut, ADriveWithAReserveSavesSoMuch) {
  Cut cut(saving(4));
  cut.write(50, 6, 0x77);
  cut.cut_and_return();
  EXPECT_EQ(cut.read(53), 0x77);
  EXPECT_EQ(cut.read(54), Cut::factory(54));
}

TEST(DrivePowerCut, WhenTheReserveFailsTooNothingIsSaved) {
  Cut cut(saving(4));
  cut.write(50, 6, 0x77);
  cut.cut_and_return(PowerCut::sudden);
  EXPECT_EQ(cut.read(50), Cut::factory(50));
}

TEST(DrivePowerCut, WhatWasSavedGoesToThePlatterAfterPowerOn) {
  Cut cut(saving(4));
  cut.write(50, 4, 0x77);
  cut.cut_and_return();
  cut.host.run();
  cut.cut_and_return(PowerCut::sudden);
  EXPECT_EQ(cut.read(50), 0x77);
}

TEST(DrivePowerCut, AfterPowerOnTheFirstCommandWaitsForThePlattersToTurn) {
  Profile profile = small_profile();
  profile.spindle.spin_up = 700 * kMs;
  Cut cut(profile);
  cut.host.cut_power();
  const sim::Time on = cut.host.now();
  cut.host.power_on();
  cut.host.command(kReadDma, 50, 1);
  cut.host.run_until(on + 700 * kMs - 1);
  EXPECT_TRUE(cut.host.data().empty());
  cut.host.run_until(on + 750 * kMs);
  EXPECT_EQ(cut.host.data().size(), kSector_bytes);
}

TEST(DrivePowerCut, ADriveWithoutPowerSaysNothing) {
  Cut cut;
  cut.write(50, 1, 0x77);
  cut.host.cut_power();
  cut.host.sent.clear();
  cut.host.comreset();
  cut.host.command(kReadDma, 50, 1);
  cut.host.run();
  EXPECT_TRUE(cut.host.sent.empty());
}

TEST(DrivePowerCut, SettingsAreThoseOfPowerOn) {
  Cut cut;
  cut.host.command(0xEF, 0, 0, 0x82);
  cut.host.run();
  ASSERT_FALSE(cut.host.drive.disk().write_cache_enabled());
  cut.cut_and_return();
  EXPECT_TRUE(cut.host.drive.disk().write_cache_enabled());
}

TEST(DrivePowerCut, APowerCycleCounts) {
  Cut cut;
  cut.cut_and_return();
  EXPECT_EQ(cut.host.drive.counts().power_cycles, 2U);
}

}  // namespace
}  // namespace ncqlab::drive
