// Writes: the volatile cache, its limits, destaging, flush, FUA and write-through.
//
// The times are made of drive_small_profile.h: 110 us until a write or flush is eligible (150 us queued), 300 us before
// the arm moves (350 us queued). LBA 200 is sector 0 of cylinder 1: 1 ms away, at angle 2 ms.
#include <gtest/gtest.h>

#include "testbench/tests/unit/drive_disk_bench.h"

namespace ncqlab::drive {
namespace {

constexpr unsigned kPlain = kNonQueuedTag;

class DriveDiskWrite : public testing::Test {
 protected:
  const DiskStatistics& statistics() const { return bench.disk.statistics(); }

  DiskBench bench{small_profile()};
};

// ---- the cache

TEST_F(DriveDiskWrite, TheBufferIsReadyAfterTheOverhead) {
  bench.write(kPlain, 200, 4);
  bench.run();
  EXPECT_EQ(bench.buffer_ready(kPlain), 110 * kUs);
}

TEST_F(DriveDiskWrite, AQueuedWriteHasTheQueuedOverheadToo) {
  bench.write(0, 200, 4);
  bench.run();
  EXPECT_EQ(bench.buffer_ready(0), 150 * kUs);
}

TEST_F(DriveDiskWrite, ACachedWriteIsDoneWhenItsDataHaveCome) {
  bench.by_hand = true;
  bench.write(0, 200, 4);
  bench.run_until(700 * kUs);
  EXPECT_EQ(bench.done(0), sim::kNever);
  bench.bring_data(0);
  EXPECT_EQ(bench.done(0), 700 * kUs);
  EXPECT_EQ(bench.disk.dirty_sectors(), 4U);
}

TEST_F(DriveDiskWrite, AWriteThatFillsTheCacheExactlyIsLetIn) {
  bench.write(0, 200, 60);
  bench.write(1, 400, 40);
  bench.run_until(150 * kUs);
  EXPECT_EQ(bench.done(1), 150 * kUs);
  EXPECT_EQ(statistics().throttled_writes, 0U);
}

// The destage that makes room begins at once: 0.15 ms + 0.3 ms + 1 ms, then sectors 0 to 59 from 2 ms to 8 ms.
TEST_F(DriveDiskWrite, AWriteThatDoesNotFitWaitsForADestageToEnd) {
  bench.write(0, 200, 60);
  bench.write(1, 400, 41);
  bench.run_until(8 * kMs - 1);
  EXPECT_EQ(bench.buffer_ready(1), sim::kNever);
  bench.run_until(8 * kMs);
  EXPECT_EQ(bench.buffer_ready(1), 8 * kMs);
  EXPECT_EQ(statistics().throttled_writes, 1U);
}

TEST_F(DriveDiskWrite, RoomIsReservedForWritesWhoseDataAreStillToCome) {
  bench.by_hand = true;
  bench.write(0, 200, 60);
  bench.write(1, 400, 41);
  bench.run_until(1 * kMs);
  EXPECT_EQ(bench.buffer_ready(0), 150 * kUs);
  EXPECT_EQ(bench.buffer_ready(1), sim::kNever);
}

TEST_F(DriveDiskWrite, ASmallWriteDoesNotOvertakeOneThatWaitsForRoom) {
  bench.write(0, 200, 60);
  bench.write(1, 400, 41);
  bench.write(2, 600, 1);
  bench.run_until(8 * kMs - 1);
  EXPECT_EQ(bench.buffer_ready(2), sim::kNever);
  bench.run_until(8 * kMs);
  EXPECT_EQ(bench.buffer_ready(2), 8 * kMs);
}

TEST_F(DriveDiskWrite, AWriteLargerThanTheCacheIsLetInAlone) {
  bench.write(0, 200, 101);
  bench.run_until(150 * kUs);
  EXPECT_EQ(bench.done(0), 150 * kUs);
}

TEST_F(DriveDiskWrite, AWriteLargerThanTheCacheWaitsUntilItIsEmpty) {
  bench.write(0, 200, 4);
  bench.write(1, 400, 101);
  bench.run_until(2400 * kUs - 1);
  EXPECT_EQ(bench.buffer_ready(1), sim::kNever);
  bench.run_until(2400 * kUs);
  EXPECT_EQ(bench.buffer_ready(1), 2400 * kUs);
}

TEST_F(DriveDiskWrite, AWriteLargerThanTheCacheWaitsForTheLastDestageToEnd) {
  bench.write(kPlain, 200, 60);
  bench.run_until(5110 * kUs);  // idle: the sectors pass from 12 ms to 18 ms
  ASSERT_EQ(bench.disk.dirty_sectors(), 0U);
  bench.write(0, 400, 101);
  bench.run_until(18 * kMs - 1);
  EXPECT_EQ(bench.buffer_ready(0), sim::kNever);
  bench.run_until(18 * kMs);
  EXPECT_EQ(bench.buffer_ready(0), 18 * kMs);
}

TEST_F(DriveDiskWrite, EntriesAreLimitedBesideTheBytes) {
  Profile profile = small_profile();
  profile.write_cache.limit_entries = 2;
  DiskBench limited(profile);
  limited.write(0, 200, 1);
  limited.write(1, 400, 1);
  limited.write(2, 600, 1);
  limited.run_until(150 * kUs);
  EXPECT_EQ(limited.done(1), 150 * kUs);
  EXPECT_EQ(limited.buffer_ready(2), sim::kNever);
}

TEST_F(DriveDiskWrite, WritesWhoseDataAreStillToComeCountAsEntries) {
  Profile profile = small_profile();
  profile.write_cache.limit_entries = 2;
  DiskBench limited(profile);
  limited.by_hand = true;
  for (unsigned tag = 0; tag < 3; ++tag) limited.write(tag, 200 + 200 * tag, 1);
  limited.run_until(1 * kMs);
  EXPECT_EQ(limited.buffer_ready(1), 150 * kUs);
  EXPECT_EQ(limited.buffer_ready(2), sim::kNever);
}

// ---- destaging

TEST_F(DriveDiskWrite, AnIdleDiskDestagesExactlyAfterItsTime) {
  bench.write(kPlain, 200, 4);  // done at 0.11 ms
  bench.run_until(5110 * kUs - 1);
  EXPECT_EQ(bench.disk.dirty_sectors(), 4U);
  bench.run_until(5110 * kUs);
  EXPECT_EQ(bench.disk.dirty_sectors(), 0U);
}

TEST_F(DriveDiskWrite, ACommandPutsTheIdleTimeOff) {
  bench.write(kPlain, 200, 4);
  bench.run_until(5 * kMs);
  bench.read(kPlain, 1000, 1);
  bench.run_until(6 * kMs);
  EXPECT_EQ(bench.disk.dirty_sectors(), 4U);
  bench.run();
  EXPECT_EQ(bench.disk.dirty_sectors(), 0U);
}

TEST_F(DriveDiskWrite, TheIdleTimeBeginsWithTheEndOfTheLastCommand) {
  bench.write(kPlain, 200, 4);
  bench.run_until(1 * kMs);
  bench.read(kPlain, 50, 1);  // ended at 5.1 ms
  bench.run_until(10'100 * kUs - 1);
  EXPECT_EQ(bench.disk.dirty_sectors(), 4U);
  bench.run_until(10'100 * kUs);
  EXPECT_EQ(bench.disk.dirty_sectors(), 0U);
}

TEST_F(DriveDiskWrite, ACommandStopsIdleDestagingAfterThePassUnderWay) {
  for (unsigned tag = 0; tag < 10; ++tag) bench.write(tag, 200 * (tag + 1), 1);
  bench.run_until(5150 * kUs);  // idle since 0.15 ms
  bench.read(kPlain, 20'000, 1);
  while (bench.ended(kPlain) == sim::kNever) bench.run_until(bench.now + 1 * kMs);
  EXPECT_EQ(statistics().destage_passes, 1U);
  EXPECT_EQ(bench.disk.dirty_sectors(), 9U);
}

TEST_F(DriveDiskWrite, AdjacentWritesAreDestagedInOnePass) {
  bench.write(0, 200, 4);
  bench.write(1, 208, 4);
  bench.write(2, 204, 4);
  bench.run();
  EXPECT_EQ(statistics().destage_passes, 1U);
  EXPECT_EQ(statistics().destaged_sectors, 12U);
}

TEST_F(DriveDiskWrite, ASectorWrittenTwiceIsDestagedOnce) {
  bench.write(0, 200, 4);
  bench.write(1, 200, 4);
  bench.run();
  EXPECT_EQ(statistics().destaged_sectors, 4U);
}

// Room for 80 sectors takes both destages: the second read comes between them.
TEST_F(DriveDiskWrite, ReadsAndUrgentDestagesTakeTurns) {
  bench.write(0, 200, 30);
  bench.write(1, 4000, 30);
  bench.run_until(1 * kMs);
  bench.read(2, 20'000, 1);
  bench.read(3, 30'000, 1);
  bench.write(4, 6000, 80);
  bench.run();
  EXPECT_EQ(bench.scheduled(2), 1140 * kUs);
  EXPECT_GT(bench.scheduled(3), bench.ended(2) + 3 * kMs);  // the first destage
  EXPECT_GT(bench.buffer_ready(4), bench.ended(3));
}

// ---- flush

TEST_F(DriveDiskWrite, AFlushOfACleanCacheTakesTheOverhead) {
  bench.flush();
  bench.run();
  EXPECT_EQ(bench.done(kPlain), 110 * kUs);
}

// 0.2 ms + 0.11 ms + 0.3 ms + 1 ms; sectors 0 to 3 pass from 2 ms to 2.4 ms.
TEST_F(DriveDiskWrite, AFlushEndsWithTheLastDirtySector) {
  bench.write(0, 200, 4);
  bench.run_until(200 * kUs);
  bench.flush();
  bench.run();
  EXPECT_EQ(bench.done(kPlain), 2400 * kUs);
}

TEST_F(DriveDiskWrite, AFlushWaitsForEveryExtent) {
  bench.write(0, 200, 4);
  bench.write(1, 20'000, 4);
  bench.write(2, 39'000, 4);
  bench.run_until(200 * kUs);
  bench.flush();
  bench.run();
  EXPECT_EQ(statistics().destage_passes, 3U);
  EXPECT_EQ(bench.disk.dirty_sectors(), 0U);
  EXPECT_EQ(bench.notes.back().what, Happening::What::done);
  EXPECT_EQ(bench.notes.back().tag, kPlain);
}

TEST_F(DriveDiskWrite, AFlushWaitsForTheDestageUnderWay) {
  bench.write(kPlain, 200, 60);
  bench.run_until(5110 * kUs);  // 5.11 ms + 0.3 ms + 1 ms; the sectors pass from 12 ms to 18 ms
  EXPECT_EQ(bench.disk.dirty_sectors(), 0U);
  bench.flush();
  bench.run();
  EXPECT_EQ(bench.done(kPlain), 18 * kMs);
}

// ---- through to the platter

// 0.15 ms + 0.35 ms + 1 ms; sectors 0 to 3 pass from 2 ms to 2.4 ms; 20 us to the status.
TEST_F(DriveDiskWrite, AForcedWriteIsDoneWhenItIsOnThePlatter) {
  bench.write(0, 200, 4, true);
  bench.run();
  EXPECT_EQ(bench.done(0), 2420 * kUs);
}

TEST_F(DriveDiskWrite, WithTheCacheOffEveryWriteGoesThrough) {
  bench.disk.set_write_cache(false);
  bench.write(0, 200, 4);
  bench.run();
  EXPECT_EQ(bench.done(0), 2420 * kUs);
  EXPECT_EQ(statistics().destage_passes, 0U);
}

TEST_F(DriveDiskWrite, TheWriteSettlesAfterALongSeek) {
  bench.write(kPlain, 60 * 200 + 47, 1, true);  // 0.11 ms + 0.3 ms + 4 ms + 0.25 ms: sector 46 has gone by
  bench.run();
  EXPECT_EQ(bench.done(kPlain), 4820 * kUs);
}

TEST_F(DriveDiskWrite, AForcedWriteReplacesTheDirtyCopy) {
  bench.write(0, 200, 4);
  bench.write(1, 200, 4, true);
  bench.run();
  EXPECT_EQ(statistics().destage_passes, 0U);
  EXPECT_EQ(bench.disk.dirty_sectors(), 0U);
}

TEST_F(DriveDiskWrite, WhatAForcedWriteDoesNotCoverStaysDirty) {
  bench.write(0, 200, 4);
  bench.write(1, 201, 1, true);
  bench.run_until(1 * kMs);
  EXPECT_EQ(bench.disk.dirty_sectors(), 3U);
  bench.run();
  EXPECT_EQ(statistics().destaged_sectors, 3U);
}

TEST_F(DriveDiskWrite, AForcedWriteThatReplacesAllThatIsDirtyLetsThrottledWritesIn) {
  bench.write(0, 400, 1, true);  // keeps the arm busy, so that no destage begins
  bench.write(1, 200, 60);
  bench.write(2, 1000, 60);  // waits for room
  bench.write(3, 200, 60, true);
  bench.run();
  EXPECT_NE(bench.done(2), sim::kNever);
  EXPECT_NE(bench.done(3), sim::kNever);
}

TEST_F(DriveDiskWrite, AFlushEndsWhenAForcedWriteHasReplacedTheLastDirtySectors) {
  bench.write(0, 400, 1, true);
  bench.write(1, 200, 4);
  bench.run_until(200 * kUs);
  bench.flush();
  bench.write(2, 200, 4, true);
  bench.run();
  EXPECT_NE(bench.done(kPlain), sim::kNever);
}

TEST_F(DriveDiskWrite, SwitchingTheCacheOffConcernsWritesThatBecomeEligibleLater) {
  bench.by_hand = true;
  bench.write(0, 200, 60);
  bench.run_until(1 * kMs);
  bench.disk.set_write_cache(false);
  bench.bring_data(0);
  EXPECT_EQ(bench.done(0), 1 * kMs);
  bench.disk.set_write_cache(true);
  bench.run();
  bench.write(1, 4000, 100);
  bench.run();
  EXPECT_NE(bench.buffer_ready(1), sim::kNever);
}

}  // namespace
}  // namespace ncqlab::drive
