// A reset in the middle of everything: nothing of an abandoned command happens later, its tag may be used again, and
// what was dirty stays dirty.
#include <gtest/gtest.h>

#include "testbench/tests/unit/drive_disk_bench.h"

namespace ncqlab::drive {
namespace {

constexpr std::uint64_t kFar = 60 * 200;

class DriveDiskReset : public testing::Test {
 protected:
  void reset_at(sim::Time when) {
    bench.run_until(when);
    bench.reset();
    bench.notes.clear();
  }

  DiskBench bench{small_profile()};
};

TEST_F(DriveDiskReset, ACommandThatIsNotYetEligibleIsForgotten) {
  bench.read(0, 50, 4);
  reset_at(140 * kUs - 1);
  bench.run();
  EXPECT_TRUE(bench.notes.empty());
  EXPECT_EQ(bench.disk.outstanding(), 0U);
}

TEST_F(DriveDiskReset, ATagThatWasNotYetEligibleStartsAnew) {
  bench.read(0, 50, 4);
  reset_at(100 * kUs);
  bench.read(0, 50, 4);
  bench.run();
  ASSERT_EQ(bench.notes.size(), 1U);
  EXPECT_EQ(bench.scheduled(0), 240 * kUs);
}

TEST_F(DriveDiskReset, AReadThatWaitsForTheArmIsForgotten) {
  bench.read(0, 50, 4);
  bench.read(1, kFar, 4);
  reset_at(1 * kMs);
  bench.run();
  EXPECT_TRUE(bench.notes.empty());
  EXPECT_EQ(bench.disk.statistics().arm_movements, 1U);
}

TEST_F(DriveDiskReset, TheReadUnderWayKeepsTheArmUntilItsHoldEnds) {
  bench.read(0, 50, 4);
  reset_at(1 * kMs);
  bench.read(1, kFar, 4);
  bench.run_until(6400 * kUs - 1);
  EXPECT_EQ(bench.scheduled(1), sim::kNever);
  bench.run_until(6400 * kUs);
  EXPECT_EQ(bench.scheduled(1), 6400 * kUs);
}

TEST_F(DriveDiskReset, WhatTheReadUnderWayReadsServesTheNextRead) {
  bench.read(0, 50, 4);
  reset_at(1 * kMs);
  bench.read(0, 50, 4);
  bench.run();
  EXPECT_EQ(bench.ended(0), 5400 * kUs);
  EXPECT_EQ(bench.disk.statistics().arm_movements, 1U);
}

TEST_F(DriveDiskReset, AHappeningThatNobodyHasFetchedIsForgotten) {
  Disk& disk = bench.disk;
  Command command;
  command.tag = 0;
  command.sectors = 1;
  disk.submit(0, command);
  Happening happening{};
  disk.submit(0, [] {
    Command other;
    other.tag = 1;
    other.sectors = 1;
    other.lba = 1;
    return other;
  }());
  ASSERT_TRUE(disk.advance(1 * kMs, happening));
  disk.abandon_commands(1 * kMs);
  EXPECT_FALSE(disk.advance(kRevolution, happening));
}

TEST_F(DriveDiskReset, AWriteThatWaitsForItsDataGivesItsRoomBack) {
  bench.by_hand = true;
  bench.write(0, 200, 100);
  reset_at(1 * kMs);
  bench.write(1, 400, 100);
  bench.run();
  EXPECT_EQ(bench.buffer_ready(1), 1150 * kUs);
}

TEST_F(DriveDiskReset, AWriteThatWaitsForItsDataGivesItsEntryBack) {
  Profile profile = small_profile();
  profile.write_cache.limit_entries = 2;
  DiskBench limited(profile);
  limited.by_hand = true;
  limited.write(0, 200, 1);
  limited.run_until(1 * kMs);
  limited.reset();
  limited.write(1, 400, 1);
  limited.write(2, 600, 1);
  limited.run();
  EXPECT_EQ(limited.buffer_ready(2), 1150 * kUs);
}

TEST_F(DriveDiskReset, AThrottledWriteIsForgotten) {
  bench.write(0, 200, 60);
  bench.write(1, 400, 60);
  reset_at(1 * kMs);
  bench.run();
  EXPECT_TRUE(bench.notes.empty());
}

TEST_F(DriveDiskReset, AForcedWriteOnItsWayIsNeverDone) {
  bench.write(0, 200, 4, true);  // passes from 2 ms to 2.4 ms
  reset_at(2200 * kUs);
  bench.run();
  EXPECT_TRUE(bench.notes.empty());
}

TEST_F(DriveDiskReset, AForcedWriteWhoseTagIsUsedAgainIsDoneInItsOwnTime) {
  bench.write(0, 200, 4, true);
  reset_at(2200 * kUs);
  bench.write(0, 250, 1, true);  // the arm is free at 2.4 ms; 2.75 ms; sector 50 passes from 7 ms to 7.1 ms
  bench.run();
  EXPECT_EQ(bench.notes.size(), 2U);
  EXPECT_EQ(bench.done(0), 7120 * kUs);
}

TEST_F(DriveDiskReset, AForcedWriteOnThePlatterWhoseStatusIsDueIsNeverDone) {
  bench.write(0, 200, 4, true);
  reset_at(2420 * kUs - 1);
  bench.run();
  EXPECT_TRUE(bench.notes.empty());
}

TEST_F(DriveDiskReset, AFlushIsNeverDone) {
  bench.write(0, 200, 4);
  bench.run_until(200 * kUs);
  bench.flush();
  reset_at(1 * kMs);
  bench.run();
  EXPECT_TRUE(bench.notes.empty());
}

TEST_F(DriveDiskReset, ADestageUnderWayEnds) {
  bench.write(kNonQueuedTag, 200, 4);
  bench.run_until(5110 * kUs);
  reset_at(6 * kMs);
  bench.run();
  EXPECT_EQ(bench.disk.statistics().destaged_sectors, 4U);
}

TEST_F(DriveDiskReset, DirtySectorsStayAndAreDestagedWhenIdle) {
  bench.write(0, 200, 4);
  reset_at(1 * kMs);
  bench.run_until(6 * kMs - 1);
  EXPECT_EQ(bench.disk.dirty_sectors(), 4U);
  bench.run_until(6 * kMs);
  EXPECT_EQ(bench.disk.dirty_sectors(), 0U);
}

TEST_F(DriveDiskReset, TheOldIdleTimeIsVoid) {
  bench.write(kNonQueuedTag, 200, 4);  // would be destaged at 5.11 ms
  reset_at(5 * kMs);
  bench.run_until(10 * kMs - 1);
  EXPECT_EQ(bench.disk.dirty_sectors(), 4U);
}

}  // namespace
}  // namespace ncqlab::drive
