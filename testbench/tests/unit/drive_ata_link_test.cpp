// The drive on a link that damages frames and saves power (SATA 3.x, clauses 8 to 10 and 13.4).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testbench/tests/unit/drive_ata_host.h"

namespace ncqlab::drive {
namespace {

using sata::LinkPower;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::uint8_t kRead = 0x60;
constexpr std::uint8_t kWrite = 0x61;
const char* const kReleased = "D2H 40 00";
const char* const kDone = "D2H 50 00 I";
const char* const kDamaged = "D2H 51 84 I";
const char* const kQueueDamaged = "SDB 41 error 84 00000000 I";

class DriveAtaLink : public testing::Test {
 protected:
  void SetUp() override { host.start(); }
  void run_for(sim::Time time) { host.run_until(host.now() + time); }
  void run_until_asked_for_data() {
    while (host.time_of("Activate") == sim::kNever) run_for(1 * kUs);
    run_for(10 * kUs);
    host.sent.clear();
  }

  AtaHost host;
};

// ---- frames of the drive that are refused

TEST_F(DriveAtaLink, ARegisterFisIsSentUntilItIsTaken) {
  host.refuse_frames("D2H", 3);
  host.command(0xE5);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kDone, kDone, kDone, kDone));
}

TEST_F(DriveAtaLink, SoAreDmaSetupAndSetDeviceBits) {
  host.refuse_frames("S", 2);
  host.queued(kRead, 0, 50, 1);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kReleased, "Setup in tag 0, 512 bytes", "Setup in tag 0, 512 bytes",
                                        "Setup in tag 0, 512 bytes", "Data 512", "SDB 40 00000001 I"));
}

TEST_F(DriveAtaLink, RefusedDataEndADmaReadWithICRC) {
  host.refuse_frames("Data", 1);
  host.command(0x25, 50, 20);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre("Data 8192", kDamaged));
}

TEST_F(DriveAtaLink, RefusedLastDataDoToo) {
  host.refuse_frames("Data 512", 1);
  host.command(0x25, 50, 17);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre("Data 8192", "Data 512", kDamaged));
}

TEST_F(DriveAtaLink, RefusedDataEndAPioReadWithICRC) {
  host.refuse_frames("Data", 1);
  host.command(0x24, 50, 2);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre("PIO in 58, then D0, 512 bytes I", "Data 512", kDamaged));
}

TEST_F(DriveAtaLink, RefusedDataHaltTheQueue) {
  host.refuse_frames("Data", 1);
  host.queued(kRead, 3, 50, 1);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kReleased, "Setup in tag 3, 512 bytes", "Data 512", kQueueDamaged));
  host.sent.clear();
  host.command(0x2F, 0x10, 1);
  host.run();
  EXPECT_EQ(host.data().at(0), 3);
  EXPECT_EQ(host.data().at(3), 0x84);
}

TEST_F(DriveAtaLink, AfterRefusedDataTheNextCommandRuns) {
  host.refuse_frames("Data", 1);
  host.command(0x25, 50, 20);
  host.run();
  host.sent.clear();
  host.command(0x25, 50, 1);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre("Data 512", kDone));
}

// ---- frames of the host that are damaged

TEST_F(DriveAtaLink, ADamagedCommandIsNotAnswered) {
  host.damage(0x27);
  host.run();
  EXPECT_THAT(host.lines(), IsEmpty());
}

TEST_F(DriveAtaLink, DamagedDataEndADmaWriteWithICRC) {
  host.command(0x35, 50, 20);
  run_until_asked_for_data();
  host.damage(0x46);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kDamaged));
  EXPECT_EQ(host.last_status().lba, 50U);
}

TEST_F(DriveAtaLink, DamagedDataHaltTheQueue) {
  host.queued(kWrite, 3, 50, 20);
  run_until_asked_for_data();
  host.damage(0x46);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kQueueDamaged));
}

TEST_F(DriveAtaLink, AWriteWhoseDataWereDamagedHoldsNoRoomInTheCache) {
  for (int i = 0; i < 5; ++i) {  // the cache takes 100 sectors
    host.sent.clear();
    host.command(0x35, 50, 90);
    run_until_asked_for_data();
    host.damage(0x46);
    host.run();
    EXPECT_THAT(host.lines(), ElementsAre(kDamaged));
  }
}

TEST_F(DriveAtaLink, DamagedDataThatNobodyWaitsForAreNotAnswered) {
  host.queued(kRead, 3, 50, 1);
  run_for(1 * kMs);
  host.sent.clear();
  host.damage(0x46);
  run_for(1 * kMs);
  EXPECT_THAT(host.lines(), IsEmpty());
}

// ---- frames that still wait for the link

TEST_F(DriveAtaLink, ASetupThatWaitsForTheLinkIsTakenBackWhenTheQueueHalts) {
  host.queued(kRead, 0, 50, 1);
  run_for(1 * kMs);
  host.hold();
  run_for(20 * kMs);
  EXPECT_EQ(host.sent.back().line, "Setup in tag 0, 512 bytes");
  host.queued(kRead, 0, 60, 1);  // in use
  host.release();
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kReleased, "D2H 51 04 I"));
}

TEST_F(DriveAtaLink, AStatusThatWaitsForTheLinkIsTakenBackBySoftwareReset) {
  host.hold();
  host.command(0xE5);
  host.control(0x04);
  host.control(0x00);
  host.release();
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre("D2H 50 01"));
}

// ---- power, at the host's request

Profile saving() {
  Profile profile = small_profile();
  profile.serial_ata.host_power = profile.serial_ata.device_power = profile.serial_ata.device_sleep = true;
  profile.serial_ata.partial_after_idle = 2 * kMs;
  profile.serial_ata.slumber_after_idle = 7 * kMs;
  return profile;
}

class DriveAtaPower : public testing::Test {
 protected:
  void SetUp() override { host.start(); }
  void enable(std::uint16_t feature) {
    host.command(0xEF, 0, feature, 0x10);
    while (host.sent.empty()) host.run_until(host.now() + kFrame);
    host.run_until(host.now() + kFrame);
    host.sent.clear();
  }
  AtaHost host{saving()};
};

TEST_F(DriveAtaPower, PartialAndSlumberAreAcceptedByProfile) {
  EXPECT_TRUE(host.drive.accepts_power(LinkPower::partial));
  EXPECT_TRUE(host.drive.accepts_power(LinkPower::slumber));
  AtaHost plain;
  plain.start();
  EXPECT_FALSE(plain.drive.accepts_power(LinkPower::partial));
}

TEST_F(DriveAtaPower, DuringANonQueuedCommandTheyAreNot) {
  host.command(0x25, 50, 1);
  EXPECT_FALSE(host.drive.accepts_power(LinkPower::partial));
  host.run();
  EXPECT_TRUE(host.drive.accepts_power(LinkPower::partial));
}

TEST_F(DriveAtaPower, WhileTheHeadMovesForAQueuedCommandTheyAre) {
  host.queued(0x60, 0, 50, 1);
  host.run_until(host.now() + 1 * kMs);
  EXPECT_TRUE(host.drive.accepts_power(LinkPower::partial));
}

TEST_F(DriveAtaPower, DevSleepMustBeEnabled) {
  EXPECT_FALSE(host.drive.accepts_power(LinkPower::dev_sleep));
  enable(9);
  EXPECT_TRUE(host.drive.accepts_power(LinkPower::dev_sleep));
}

// ---- power, at the drive's own initiative

TEST_F(DriveAtaPower, UntilItIsEnabledTheDriveAsksForNothing) {
  host.command(0xE5);
  host.run();
  EXPECT_TRUE(host.power_requests.empty());
}

TEST_F(DriveAtaPower, AfterItsTimeTheDriveAsksForPartial) {
  enable(3);
  const sim::Time idle = host.now();
  host.run_until(idle + 2 * kMs - 1);
  EXPECT_TRUE(host.power_requests.empty());
  host.run_until(idle + 2 * kMs);
  ASSERT_EQ(host.power_requests.size(), 1U);
  EXPECT_EQ(host.power_requests[0].power, LinkPower::partial);
}

TEST_F(DriveAtaPower, ACommandStartsTheTimeAnew) {
  enable(3);
  host.run_until(host.now() + 1 * kMs);
  host.command(0xE5);
  const sim::Time idle = host.now() + kFrame;
  host.run_until(idle + 2 * kMs - 1);
  EXPECT_TRUE(host.power_requests.empty());
  host.run_until(idle + 2 * kMs);
  EXPECT_EQ(host.power_requests.size(), 1U);
}

TEST_F(DriveAtaPower, WithACommandOutstandingItAsksForNothing) {
  enable(3);
  host.queued(0x60, 0, 39'000, 1);
  host.run_until(host.now() + 3 * kMs);
  EXPECT_TRUE(host.power_requests.empty());
}

TEST_F(DriveAtaPower, FromPartialTheWayToSlumberLeadsThroughActive) {
  enable(3);
  const sim::Time idle = host.now();
  host.run_until(idle + 2 * kMs);
  host.set_power(LinkPower::partial);
  host.run_until(idle + 7 * kMs - 1);
  EXPECT_EQ(host.power_requests.size(), 1U);
  host.run_until(idle + 7 * kMs);
  ASSERT_EQ(host.power_requests.size(), 2U);
  EXPECT_EQ(host.power_requests[1].power, LinkPower::active);
  host.set_power(LinkPower::active);
  ASSERT_EQ(host.power_requests.size(), 3U);
  EXPECT_EQ(host.power_requests[2].power, LinkPower::slumber);
}

TEST_F(DriveAtaPower, WokenByACommandItDoesNotGoOnToSlumber) {
  enable(3);
  const sim::Time idle = host.now();
  host.run_until(idle + 2 * kMs);
  host.set_power(LinkPower::partial);
  host.run_until(idle + 3 * kMs);
  host.set_power(LinkPower::active);
  host.queued(0x60, 0, 39'000, 1);
  host.run_until(idle + 8 * kMs);
  EXPECT_EQ(host.power_requests.size(), 1U);
}

TEST_F(DriveAtaPower, AComresetDisablesItsInitiative) {
  enable(3);
  host.start();
  host.command(0xE5);
  host.run();
  EXPECT_TRUE(host.power_requests.empty());
}

}  // namespace
}  // namespace ncqlab::drive
