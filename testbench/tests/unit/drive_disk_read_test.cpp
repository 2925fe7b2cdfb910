// Reads: what a miss, a hit and a hit on the running pass cost, and how long the arm is held.
//
// The times are made of drive_small_profile.h: 100 us until a read is eligible (140 us queued), 300 us before the arm
// moves (350 us queued), LBA n of the first track at angle n * 100 us, sector 0 of cylinder 60 at angle 0 and 4 ms
// away.
#include <gtest/gtest.h>

#include "testbench/tests/unit/drive_disk_bench.h"

namespace ncqlab::drive {
namespace {

constexpr unsigned kPlain = kNonQueuedTag;
constexpr std::uint64_t kFar = 60 * 200;

class DriveDiskRead : public testing::Test {
 protected:
  sim::Time available(unsigned tag, std::uint32_t sectors) { return bench.disk.available(tag, sectors); }

  DiskBench bench{small_profile()};
};

// ---- misses

TEST_F(DriveDiskRead, AMissCostsOverheadsRotationAndTransfer) {
  bench.read(kPlain, 50, 4);
  bench.run();
  EXPECT_EQ(bench.scheduled(kPlain), 100 * kUs);
  EXPECT_EQ(bench.ended(kPlain), 5 * kMs + 4 * kOuterSector);
}

TEST_F(DriveDiskRead, ASectorThatComesRightAfterTheOverheadsIsRead) {
  bench.read(kPlain, 4, 1);  // 100 + 300 us
  bench.run();
  EXPECT_EQ(bench.ended(kPlain), 500 * kUs);
}

TEST_F(DriveDiskRead, ASectorThatComesEarlierTakesARevolutionMore) {
  bench.read(kPlain, 3, 1);
  bench.run();
  EXPECT_EQ(bench.ended(kPlain), 400 * kUs + kRevolution);
}

TEST_F(DriveDiskRead, AQueuedReadHasItsOwnOverheads) {
  bench.read(0, 4, 1);  // 140 + 350 us: too late
  bench.run();
  EXPECT_EQ(bench.scheduled(0), 140 * kUs);
  EXPECT_EQ(bench.ended(0), 500 * kUs + kRevolution);
}

TEST_F(DriveDiskRead, TheMovementBeginsAfterTheOverheads) {
  bench.read(kPlain, kFar + 44, 1);  // 0.4 ms + 4 ms: it just comes round
  bench.run();
  EXPECT_EQ(bench.ended(kPlain), 4500 * kUs);
}

TEST_F(DriveDiskRead, PlanningTakesItsTimeBeforeTheMovement) {
  bench.profile.queue.planning_latency = 1;
  bench.read(kPlain, kFar + 45, 1);
  bench.run();
  EXPECT_EQ(bench.ended(kPlain), 4600 * kUs);
}

TEST_F(DriveDiskRead, DataBecomeAvailableSectorBySector) {
  bench.by_hand = true;
  bench.read(kPlain, 99, 3);
  bench.run();
  EXPECT_EQ(available(kPlain, 1), 10 * kMs);
  EXPECT_EQ(available(kPlain, 2), 10'600 * kUs);
  EXPECT_EQ(available(kPlain, 3), 10'700 * kUs);
}

TEST_F(DriveDiskRead, StatisticsTellOfTheMovement) {
  bench.read(kPlain, kFar + 45, 1);
  bench.run();
  const DiskStatistics& statistics = bench.disk.statistics();
  EXPECT_EQ(statistics.reads, 1U);
  EXPECT_EQ(statistics.read_hits, 0U);
  EXPECT_EQ(statistics.arm_movements, 1U);
  EXPECT_EQ(statistics.seek_cylinders, 60U);
  EXPECT_EQ(statistics.positioning, 4100 * kUs);
  EXPECT_EQ(statistics.rotation, 100 * kUs);
}

// ---- the hold

TEST_F(DriveDiskRead, TheArmIsHeldUntilExactlyTheHeldSectorsHavePassed) {
  bench.read(0, 50, 4);
  bench.run_until(1 * kMs);
  bench.read(1, kFar, 1);
  bench.run_until(5 * kMs + 14 * kOuterSector - 1);
  EXPECT_EQ(bench.scheduled(1), sim::kNever);
  bench.run_until(5 * kMs + 14 * kOuterSector);
  EXPECT_EQ(bench.scheduled(1), bench.now);
}

TEST_F(DriveDiskRead, TheNextMovementBeginsWhenTheHoldEnds) {
  bench.read(0, 50, 4);
  bench.read(1, kFar + 8, 1);  // 6.4 ms + 0.35 ms + 4 ms = 10.75 ms: sector 8 comes at 10.8 ms
  bench.run();
  EXPECT_EQ(bench.ended(1), 10'900 * kUs);
}

TEST_F(DriveDiskRead, WithoutAHoldTheArmIsFreeWithTheLastSector) {
  bench.profile.read_ahead.hold_bytes = 0;
  bench.read(0, 50, 4);
  bench.read(1, kFar, 1);
  bench.run();
  EXPECT_EQ(bench.scheduled(1), 5 * kMs + 4 * kOuterSector);
}

TEST_F(DriveDiskRead, WithReadAheadOffNothingIsHeld) {
  bench.disk.set_read_ahead(false);
  bench.read(0, 50, 4);
  bench.read(1, kFar, 1);
  bench.run();
  EXPECT_EQ(bench.scheduled(1), 5 * kMs + 4 * kOuterSector);
}

TEST_F(DriveDiskRead, TheHoldEndsWithTheDisk) {
  bench.read(0, 39'990, 4);
  bench.read(1, 0, 1);
  bench.run();
  EXPECT_EQ(bench.scheduled(1) - bench.ended(0), 6 * kInnerSector);
}

// The quirk concerns the last 2048 sectors: LBA 37,952 is the first of them.
TEST_F(DriveDiskRead, NearTheEndOfTheDiskTheHoldIsCutShort) {
  bench.profile.read_ahead.last_sectors_limit = 3;
  bench.read(0, 37'951, 2);
  bench.read(1, 0, 1);
  bench.run();
  EXPECT_EQ(bench.scheduled(1) - bench.ended(0), 3 * kInnerSector);
}

TEST_F(DriveDiskRead, BeforeTheLastSectorsTheHoldIsWhole) {
  bench.profile.read_ahead.last_sectors_limit = 3;
  bench.read(0, 37'950, 2);
  bench.read(1, 0, 1);
  bench.run();
  EXPECT_EQ(bench.scheduled(1) - bench.ended(0), 10 * kInnerSector);
}

// ---- hits on the running pass

TEST_F(DriveDiskRead, WhatTheHeadHasPassedIsThereAtOnce) {
  bench.read(0, 50, 4);
  bench.run_until(7 * kMs);
  bench.read(1, 60, 4);  // eligible at 7.14 ms, LBA 71 passes
  bench.run();
  EXPECT_EQ(bench.scheduled(1), 7140 * kUs);
  EXPECT_EQ(bench.ended(1), 7140 * kUs);
  EXPECT_EQ(bench.disk.statistics().arm_movements, 1U);
  EXPECT_EQ(bench.disk.statistics().read_hits, 1U);
}

TEST_F(DriveDiskRead, WhatTheHeadWillReachIsThereWhenItHasPassed) {
  bench.read(0, 50, 4);
  bench.run_until(7 * kMs);
  bench.read(1, 80, 4);
  bench.run();
  EXPECT_EQ(bench.scheduled(1), 7140 * kUs);
  EXPECT_EQ(bench.ended(1), 8400 * kUs);
  EXPECT_EQ(bench.disk.statistics().arm_movements, 1U);
}

TEST_F(DriveDiskRead, AHitOnTheRunningPassHoldsTheArmUntilItHasBeenRead) {
  bench.read(0, 50, 4);
  bench.run_until(6 * kMs);
  bench.read(1, 70, 4);
  bench.read(2, kFar, 1);
  bench.run_until(7400 * kUs - 1);
  EXPECT_EQ(bench.scheduled(2), sim::kNever);
  bench.run_until(7400 * kUs);
  EXPECT_EQ(bench.scheduled(2), 7400 * kUs);
}

TEST_F(DriveDiskRead, ReadAheadGoesOnToItsLimit) {
  bench.read(0, 50, 4);
  bench.run_until(100 * kMs);
  bench.read(1, 150, 4);  // the last four of 54 + 100
  bench.run();
  EXPECT_EQ(bench.ended(1), 100'140 * kUs);
}

TEST_F(DriveDiskRead, BeyondItsLimitThereIsNothing) {
  bench.read(0, 50, 4);
  bench.run_until(100 * kMs);
  bench.read(1, 154, 1);
  bench.run();
  EXPECT_EQ(bench.disk.statistics().arm_movements, 2U);
}

TEST_F(DriveDiskRead, AHitMovesTheLimitOn) {
  bench.read(0, 50, 4);
  bench.run_until(8 * kMs);
  bench.read(1, 90, 4);
  bench.run_until(100 * kMs);
  bench.read(2, 190, 4);  // 94 + 100
  bench.run();
  EXPECT_EQ(bench.ended(2), 100'140 * kUs);
}

TEST_F(DriveDiskRead, WhatAPassWillReachIsScheduledBeforeThePassBegins) {
  bench.read(0, 50, 4);
  bench.read(1, 56, 2);
  bench.run();
  EXPECT_EQ(bench.scheduled(1), 140 * kUs);
  EXPECT_EQ(bench.ended(1), 5800 * kUs);
  EXPECT_EQ(bench.disk.statistics().arm_movements, 1U);
}

// The far read's hold ends at 11.1 ms; LBA 60 is then read from 16 ms on, and its hold, until 17.1 ms, covers LBA 66.
TEST_F(DriveDiskRead, AWaitingCommandThatTheHoldHasReadNeedsNoMovement) {
  bench.read(0, kFar, 1);
  bench.read(1, 66, 1);
  bench.read(2, 60, 1);
  bench.run();
  EXPECT_EQ(bench.ended(2), 16'100 * kUs);
  EXPECT_EQ(bench.ended(1), 17'100 * kUs);
  EXPECT_EQ(bench.disk.statistics().arm_movements, 2U);
}

// As before; when the hold ends with LBA 70 the arm stays for what begins at most another hold further on.
TEST_F(DriveDiskRead, AWaitingCommandWithinAnotherHoldNeedsNoMovement) {
  bench.read(0, kFar, 1);
  bench.read(1, 81, 1);
  bench.read(2, 60, 1);
  bench.run();
  EXPECT_EQ(bench.ended(1), 18'200 * kUs);
  EXPECT_EQ(bench.disk.statistics().arm_movements, 2U);
}

TEST_F(DriveDiskRead, AWaitingCommandBeyondAnotherHoldNeedsAMovement) {
  bench.read(0, kFar, 1);
  bench.read(1, 82, 1);
  bench.read(2, 60, 1);
  bench.run();
  EXPECT_EQ(bench.disk.statistics().arm_movements, 3U);
}

// The far read is over at 10.5 ms; LBA 50 to 57 pass from 15 ms to 15.8 ms, and LBA 58 comes again at 25.8 ms.
TEST_F(DriveDiskRead, AWaitingCommandIntoWhichAPassHasReadGoesOnWhereThatStopped) {
  bench.profile.read_ahead.hold_bytes = 4 * 512;
  bench.profile.read_ahead.limit_bytes = 4 * 512;
  bench.read(0, kFar, 1);
  bench.read(1, 50, 4);
  bench.read(2, 56, 6);
  bench.run();
  EXPECT_EQ(bench.ended(1), 15'400 * kUs);
  EXPECT_EQ(bench.ended(2), 26'200 * kUs);
}

TEST_F(DriveDiskRead, SequentialReadsNeverLoseARevolution) {
  std::uint64_t lba = 50;
  for (int i = 0; i < 25; ++i, lba += 2) {
    bench.read(kPlain, lba, 2);
    bench.run();
  }
  EXPECT_EQ(bench.disk.statistics().arm_movements, 1U);
  EXPECT_EQ(bench.ended(kPlain), 10 * kMs);
}

// ---- segments

TEST_F(DriveDiskRead, ASegmentAnswersAfterTheArmHasLeft) {
  bench.read(0, 50, 4);
  bench.run_until(50 * kMs);
  bench.read(1, kFar, 1);
  bench.run_until(100 * kMs);
  bench.read(2, 50, 4);
  bench.run();
  EXPECT_EQ(bench.ended(2), 100'140 * kUs);
  EXPECT_EQ(bench.disk.statistics().arm_movements, 2U);
}

TEST_F(DriveDiskRead, OfASegmentOnlyWhatHadPassedIsKept) {
  bench.read(0, 50, 4);
  bench.run_until(6 * kMs);
  bench.read(1, kFar, 1);  // eligible at 6.14 ms; the hold ends at 6.4 ms with LBA 63
  bench.run_until(100 * kMs);
  bench.read(2, 63, 1);
  bench.run();
  EXPECT_EQ(bench.disk.statistics().arm_movements, 2U);
  bench.read(3, 64, 1);
  bench.run();
  EXPECT_EQ(bench.disk.statistics().arm_movements, 3U);
}

TEST_F(DriveDiskRead, OfAPartialHitTheFirstPartIsThereAndTheRestIsRead) {
  bench.by_hand = true;
  bench.read(0, 50, 4);
  bench.run_until(50 * kMs);
  bench.fetch_data(0);
  bench.read(1, kFar, 1);
  bench.run_until(100 * kMs);
  bench.fetch_data(1);
  bench.read(kPlain, 150, 8);  // the segment ends at 154: head 1, sector 54, angle 5.9 ms
  bench.run();
  EXPECT_EQ(bench.scheduled(kPlain), 100'100 * kUs);
  EXPECT_EQ(available(kPlain, 4), 100'100 * kUs);
  EXPECT_EQ(available(kPlain, 5), 106 * kMs);
  EXPECT_EQ(available(kPlain, 8), 106'300 * kUs);
}

TEST_F(DriveDiskRead, AWriteMakesTheSegmentStale) {
  bench.read(0, 50, 4);
  bench.run_until(50 * kMs);
  bench.read(1, kFar, 1);
  bench.run_until(100 * kMs);
  bench.write(2, 53, 1, true);
  bench.run_until(200 * kMs);
  bench.read(3, 50, 4);
  bench.run();
  EXPECT_EQ(bench.disk.statistics().arm_movements, 4U);
}

TEST_F(DriveDiskRead, DirtySectorsAnswerAtOnce) {
  bench.write(0, 1000, 8);
  bench.run_until(1 * kMs);
  bench.read(1, 1002, 4);
  bench.run_until(1200 * kUs);
  EXPECT_EQ(bench.ended(1), 1140 * kUs);
  EXPECT_EQ(bench.disk.statistics().read_hits, 1U);
}

TEST_F(DriveDiskRead, AReadThatIsOnlyPartlyDirtyGoesToThePlatter) {
  bench.write(0, 1000, 8);
  bench.run_until(1 * kMs);
  bench.read(1, 1006, 4);
  bench.run();
  EXPECT_EQ(bench.disk.statistics().read_hits, 0U);
}

// ---- order

TEST_F(DriveDiskRead, TheNearestInTimeIsReadFirst) {
  bench.read(0, 50, 1);
  bench.read(1, kFar + 80, 1);
  bench.read(2, kFar + 20, 1);  // the arm is there with sector 4
  bench.run();
  EXPECT_LT(bench.ended(2), bench.ended(1));
}

TEST_F(DriveDiskRead, FifoReadsInTheOrderOfArrival) {
  Profile profile = small_profile();
  profile.queue.pick_policy = "fifo";
  DiskBench fifo(profile);
  fifo.read(0, 50, 1);
  fifo.read(1, 30'000, 1);
  fifo.read(2, 5000, 1);
  fifo.run();
  EXPECT_LT(fifo.ended(1), fifo.ended(2));
}

TEST_F(DriveDiskRead, AnUnknownPolicyIsALogicError) {
  Profile profile = small_profile();
  profile.queue.pick_policy = "astrology";
  EXPECT_THROW(Disk(profile, tables_of(profile)), std::logic_error);
}

TEST_F(DriveDiskRead, ATagInUseIsALogicError) {
  bench.read(0, 50, 1);
  Command again;
  again.tag = 0;
  again.sectors = 1;
  EXPECT_THROW(bench.disk.submit(bench.now, again), std::logic_error);
}

}  // namespace
}  // namespace ncqlab::drive
