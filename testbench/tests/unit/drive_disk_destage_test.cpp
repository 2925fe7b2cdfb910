// How the write cache and writes through it share arm and buffer with reads, as the profile's policies say.
//
// Times as in drive_disk_write_test.cpp.
#include <gtest/gtest.h>

#include "testbench/tests/unit/drive_disk_bench.h"

namespace ncqlab::drive {
namespace {

constexpr unsigned kPlain = kNonQueuedTag;

Profile with_policy(const char* policy, double high = 1, double low = 0) {
  Profile profile = small_profile();
  profile.destaging.policy = policy;
  profile.destaging.high_fraction = high;
  profile.destaging.low_fraction = low;
  return profile;
}

Command forced_read(unsigned tag, std::uint64_t lba, std::uint32_t sectors) {
  Command command;
  command.tag = tag;
  command.queued = true;
  command.force_unit_access = true;
  command.lba = lba;
  command.sectors = sectors;
  return command;
}

// ---- destaging against reads

// A write waits for room while three reads wait for the arm.
void contend(DiskBench& bench) {
  bench.write(0, 200, 30);
  bench.write(1, 4000, 30);
  bench.run_until(1 * kMs);
  bench.read(2, 20'000, 1);
  bench.read(3, 30'000, 1);
  bench.read(5, 39'000, 1);
  bench.write(4, 6000, 80);
  bench.run();
}

TEST(DriveDiskDestage, ReadsFirstKeepsTheWriteWaitingForAllOfThem) {
  DiskBench bench(with_policy("reads-first"));
  contend(bench);
  for (const unsigned read : {2, 3, 5}) EXPECT_GT(bench.buffer_ready(4), bench.ended(read));
}

TEST(DriveDiskDestage, InTurnsTheWriteGetsItsRoomBeforeTheLastRead) {
  DiskBench bench(with_policy("alternate"));
  contend(bench);
  EXPECT_LT(bench.buffer_ready(4), bench.ended(5));
}

TEST(DriveDiskDestage, AtItsMarkDestagingGoesBeforeReads) {
  DiskBench bench(with_policy("watermark"));
  contend(bench);
  EXPECT_LE(bench.buffer_ready(4), bench.scheduled(3));
}

TEST(DriveDiskDestage, UpToTheHighMarkNothingIsDestagedBeforeTheDriveIsIdle) {
  DiskBench bench(with_policy("watermark", 0.5, 0.2));
  bench.write(0, 200, 50);
  bench.run_until(5 * kMs);
  EXPECT_EQ(bench.disk.dirty_sectors(), 50U);
}

TEST(DriveDiskDestage, AboveTheHighMarkDestagingGoesOnToTheLowOne) {
  DiskBench bench(with_policy("watermark", 0.5, 0.2));
  for (unsigned tag = 0; tag < 6; ++tag) bench.write(tag, 400 * (tag + 1), 9);
  bench.write(kPlain, 8000, 1);  // 55
  bench.run_until(200 * kUs);
  bench.by_hand = true;  // a read that is never fetched keeps the drive from being idle
  bench.read(10, 39'000, 1);
  bench.run_until(1000 * kMs);
  EXPECT_LE(bench.disk.dirty_sectors(), 20U);
  EXPECT_GT(bench.disk.dirty_sectors(), 0U);
}

TEST(DriveDiskDestage, APassTakesNoMoreThanTheProfileSays) {
  Profile profile = small_profile();
  profile.destaging.pass_bytes = 20 * 512;
  DiskBench bench(profile);
  bench.write(0, 200, 50);
  bench.run();
  EXPECT_EQ(bench.disk.statistics().destage_passes, 3U);
}

TEST(DriveDiskDestage, WithoutCoalescingEachWriteIsAnEntryAndAPass) {
  Profile profile = small_profile();
  profile.destaging.coalesce = false;
  DiskBench bench(profile);
  bench.write(0, 200, 4);
  bench.write(1, 204, 4);
  bench.run();
  EXPECT_EQ(bench.disk.statistics().destage_passes, 2U);
  EXPECT_EQ(bench.disk.statistics().destaged_sectors, 8U);
}

TEST(DriveDiskDestage, WithOneCandidateTheNextInLbaOrderIsTaken) {
  Profile profile = small_profile();
  profile.destaging.candidates = 1;
  DiskBench bench(profile);
  bench.write(0, 39'000, 1);
  bench.write(1, 20'000, 1);
  bench.run();
  ASSERT_TRUE(bench.disk.write_pass(bench.now) == std::nullopt);
  EXPECT_EQ(bench.disk.statistics().destage_passes, 2U);
}

// ---- reads and dirty data

TEST(DriveDiskDestage, OfAReadThatBeginsDirtyOnlyTheRestIsRead) {
  DiskBench bench(small_profile());
  bench.write(0, 50, 4);
  bench.run_until(1 * kMs);
  bench.by_hand = true;
  bench.read(1, 50, 8);
  bench.run_until(6 * kMs);
  EXPECT_EQ(bench.disk.available(1, 4), bench.scheduled(1));
  EXPECT_EQ(bench.disk.available(1, 8), 5'800 * kUs);  // LBA 57 has passed
}

TEST(DriveDiskDestage, AReadThatEndsDirtyEndsWithItsLastCleanSector) {
  DiskBench bench(small_profile());
  bench.write(0, 54, 4);
  bench.run_until(1 * kMs);
  bench.by_hand = true;
  bench.read(1, 50, 8);
  bench.run_until(6 * kMs);
  EXPECT_EQ(bench.disk.available(1, 4), 5'400 * kUs);
  EXPECT_EQ(bench.disk.available(1, 8), 5'400 * kUs);
}

TEST(DriveDiskDestage, WhatIsJustBeingDestagedAnswersToo) {
  DiskBench bench(small_profile());
  bench.write(kPlain, 200, 60);
  bench.run_until(5110 * kUs);  // the destage begins
  bench.read(0, 200, 60);
  bench.run_until(6 * kMs);
  EXPECT_EQ(bench.ended(0), 5250 * kUs);
}

TEST(DriveDiskDestage, AForcedReadOfADirtySectorHasItDestagedFirst) {
  DiskBench bench(small_profile());
  bench.write(0, 200, 4);
  bench.run_until(200 * kUs);
  bench.submit(forced_read(1, 203, 1));
  bench.run_until(1 * kMs);
  EXPECT_EQ(bench.scheduled(1), sim::kNever);
  EXPECT_EQ(bench.disk.dirty_sectors(), 3U);  // its own sector is on its way
  bench.run();
  EXPECT_EQ(bench.scheduled(1), 2400 * kUs);  // 0.34 ms + 0.3 ms + 1 ms; sector 3 passes until 2.4 ms
}

TEST(DriveDiskDestage, AForcedReadOfWhatIsJustBeingDestagedComesBehindIt) {
  DiskBench bench(small_profile());
  bench.write(kPlain, 200, 60);
  bench.run_until(5110 * kUs);  // the sectors pass from 12 ms to 18 ms
  bench.submit(forced_read(0, 210, 1));
  bench.run();
  EXPECT_EQ(bench.scheduled(0), 18 * kMs);
}

TEST(DriveDiskDestage, AForcedReadIsNeverAnsweredFromTheCache) {
  DiskBench bench(small_profile());
  bench.read(0, 50, 4);
  bench.run_until(50 * kMs);
  bench.submit(forced_read(1, 50, 4));
  bench.run();
  EXPECT_EQ(bench.disk.statistics().read_hits, 0U);
  EXPECT_EQ(bench.disk.statistics().arm_movements, 2U);
}

// ---- flush

TEST(DriveDiskDestage, AFlushDoesNotWaitForWhatIsWrittenLater) {
  DiskBench bench(small_profile());
  bench.write(0, 200, 4);
  bench.run_until(200 * kUs);
  bench.flush();
  bench.run_until(400 * kUs);
  bench.write(1, 20'000, 4);
  bench.run_until(2400 * kUs);
  EXPECT_EQ(bench.done(kPlain), 2400 * kUs);
  EXPECT_EQ(bench.disk.dirty_sectors(), 4U);
}

TEST(DriveDiskDestage, AFlushWaitsForASectorThatIsWrittenAgainMeanwhile) {
  DiskBench bench(small_profile());
  bench.write(0, 200, 4);
  bench.write(1, 20'000, 4);
  bench.run_until(200 * kUs);
  bench.flush();
  bench.run_until(400 * kUs);
  bench.write(2, 20'000, 4);
  bench.run();
  EXPECT_EQ(bench.disk.statistics().destage_passes, 2U);
  EXPECT_GT(bench.done(kPlain), 2400 * kUs);
}

TEST(DriveDiskDestage, TheCostOfAFlushIsReported) {
  DiskBench bench(small_profile());
  bench.write(0, 200, 4);
  bench.write(1, 20'000, 6);
  bench.run_until(200 * kUs);
  bench.flush();
  bench.run();
  const FlushCost& cost = bench.disk.last_flush();
  EXPECT_EQ(cost.passes, 2U);
  EXPECT_EQ(cost.sectors, 10U);
  EXPECT_EQ(cost.time, bench.done(kPlain) - 200 * kUs);
}

// ---- through to the platter

// Tag 3 keeps the arm busy until 2.42 ms.
TEST(DriveDiskDestage, NeighboursAreWrittenInOnePassAndEachEndsWithItsOwnSector) {
  Profile profile = small_profile();
  profile.write_through.joins_neighbours = true;
  DiskBench bench(profile);
  bench.write(3, 200, 4, true);
  bench.write(0, 250, 4, true);
  bench.write(1, 254, 6, true);
  bench.run();
  EXPECT_EQ(bench.done(0), 7'420 * kUs);
  EXPECT_EQ(bench.done(1), 8'020 * kUs);
  EXPECT_EQ(bench.disk.statistics().arm_movements, 2U);
  EXPECT_EQ(bench.disk.statistics().joined_writes, 1U);
}

TEST(DriveDiskDestage, UnlessTheProfileSaysSoTheNextLosesARevolution) {
  DiskBench bench(small_profile());
  bench.write(3, 200, 4, true);
  bench.write(0, 250, 4, true);
  bench.write(1, 254, 6, true);
  bench.run();
  EXPECT_EQ(bench.done(1) - bench.done(0), kRevolution + 600 * kUs);
}

TEST(DriveDiskDestage, NoMoreDataAreTakenEarlyThanTheProfileSays) {
  Profile profile = small_profile();
  profile.write_through.early_commands = 2;
  DiskBench bench(profile);
  for (unsigned tag = 0; tag < 3; ++tag) bench.write(tag, 200 + 100 * tag, 4, true);
  bench.run();
  EXPECT_EQ(bench.buffer_ready(1), 150 * kUs);
  EXPECT_EQ(bench.buffer_ready(2), bench.done(0) - 20 * kUs);
}

// ---- one buffer

Profile sharing(std::uint64_t sectors) {
  Profile profile = small_profile();
  profile.track_buffer.bytes = sectors * 512;
  return profile;
}

TEST(DriveDiskDestage, WritesTakeTheSharedBufferFromReadSegments) {
  DiskBench bench(sharing(150));
  bench.read(0, 50, 4);  // until LBA 154
  bench.run_until(50 * kMs);
  bench.read(1, 12'000, 1);  // the first segment is stored: 104 sectors
  bench.run_until(51 * kMs);
  bench.write(2, 30'000, 46);  // just fits beside it
  bench.run_until(52 * kMs);
  bench.read(3, 50, 4);
  bench.run_until(52'200 * kUs);
  EXPECT_EQ(bench.ended(3), 52'140 * kUs);
  bench.write(4, 31'000, 1);  // does not
  bench.run_until(53 * kMs);
  bench.read(5, 50, 4);
  bench.run_until(53'200 * kUs);
  EXPECT_EQ(bench.ended(5), sim::kNever);
}

TEST(DriveDiskDestage, DataOfWritesThroughTakeRoomFromTheCache) {
  DiskBench bench(sharing(100));
  bench.write(0, 200, 60, true);
  bench.write(1, 4000, 41);
  bench.write(2, 6000, 10);
  bench.run();
  EXPECT_EQ(bench.buffer_ready(1), bench.done(0) - 20 * kUs);
}

}  // namespace
}  // namespace ncqlab::drive
