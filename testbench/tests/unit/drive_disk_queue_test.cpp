// The queue of the disk library: policies of the profile, priorities, and what waiting comes to.
#include <gtest/gtest.h>

#include "testbench/tests/unit/drive_disk_bench.h"

namespace ncqlab::drive {
namespace {

Command read_of(unsigned tag, std::uint64_t lba, bool high_priority) {
  Command command;
  command.tag = tag;
  command.queued = true;
  command.high_priority = high_priority;
  command.lba = lba;
  command.sectors = 1;
  return command;
}

Profile with_priorities(bool offered) {
  Profile profile = small_profile();
  profile.serial_ata.ncq_priority = offered;
  return profile;
}

// Tag 0 occupies the arm; the others wait for it.
TEST(DriveDiskQueue, HighPriorityIsReadFirstHoweverFar) {
  DiskBench bench(with_priorities(true));
  bench.read(0, 50, 1);
  bench.submit(read_of(1, 190, false));
  bench.submit(read_of(2, 30'000, true));
  bench.run();
  EXPECT_LT(bench.ended(2), bench.ended(1));
}

TEST(DriveDiskQueue, ADriveWithoutPrioritiesLooksAtNone) {
  DiskBench bench(with_priorities(false));
  bench.read(0, 50, 1);
  bench.submit(read_of(1, 190, false));
  bench.submit(read_of(2, 30'000, true));
  bench.run();
  EXPECT_LT(bench.ended(1), bench.ended(2));
}

TEST(DriveDiskQueue, TheElevatorGoesUpFromWhereTheLastPassEnded) {
  Profile profile = small_profile();
  profile.queue.pick_policy = "elevator";
  DiskBench bench(profile);
  bench.read(0, 10'000, 1);
  bench.read(1, 9'000, 1);
  bench.read(2, 30'000, 1);
  bench.read(3, 12'000, 1);
  bench.run();
  EXPECT_LT(bench.ended(3), bench.ended(2));
  EXPECT_LT(bench.ended(2), bench.ended(1));
}

// Tag 0's hold ends at 5 ms + 11 sectors.
TEST(DriveDiskQueue, WaitingIsCountedFromBeingEligibleToBeingChosen) {
  DiskBench bench(small_profile());
  bench.read(0, 50, 1);
  bench.read(1, 12'000, 1);
  bench.run();
  EXPECT_EQ(bench.disk.starvation(0).longest_wait, 0);
  EXPECT_EQ(bench.disk.starvation(1).longest_wait, 6100 * kUs - 140 * kUs);
}

TEST(DriveDiskQueue, ACommandLeftBehindCountsThoseThatPassedIt) {
  DiskBench bench(small_profile());
  bench.read(0, 50, 1);
  bench.read(1, 39'000, 1);
  bench.read(2, 3'000, 1);
  bench.read(3, 3'150, 1);
  bench.run();
  EXPECT_EQ(bench.disk.starvation(1).most_passed_over, 2U);
  EXPECT_EQ(bench.disk.starvation(2).most_passed_over, 0U);
}

}  // namespace
}  // namespace ncqlab::drive
