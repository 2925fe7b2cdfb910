// One command given up while the others go on: what can be, what cannot, and who profits.
#include <gtest/gtest.h>

#include "testbench/tests/unit/drive_disk_bench.h"

namespace ncqlab::drive {
namespace {

class DriveDiskAbandon : public testing::Test {
 protected:
  DiskBench bench{small_profile()};
};

TEST_F(DriveDiskAbandon, ACommandThatIsNotEligibleYetIsGivenUp) {
  bench.read(0, 50, 1);
  EXPECT_TRUE(bench.disk.abandon(bench.now, 0));
  bench.run();
  EXPECT_EQ(bench.scheduled(0), sim::kNever);
  EXPECT_EQ(bench.disk.outstanding(), 0U);
}

TEST_F(DriveDiskAbandon, AReadThatWaitsForTheArmIsGivenUp) {
  bench.read(0, 50, 1);
  bench.run_until(1 * kMs);
  bench.read(1, 30'000, 1);
  bench.run_until(1500 * kUs);
  EXPECT_TRUE(bench.disk.abandon(bench.now, 1));
  bench.run();
  EXPECT_NE(bench.ended(0), sim::kNever);
  EXPECT_EQ(bench.scheduled(1), sim::kNever);
}

TEST_F(DriveDiskAbandon, AReadThatTheArmHasTakenUpIsNot) {
  bench.read(0, 50, 1);
  bench.run_until(1 * kMs);
  EXPECT_FALSE(bench.disk.abandon(bench.now, 0));
  bench.run();
  EXPECT_NE(bench.ended(0), sim::kNever);
}

TEST_F(DriveDiskAbandon, AWriteWhoseDataHaveComeIsNot) {
  bench.write(0, 50, 1, true);
  bench.run_until(1 * kMs);
  EXPECT_FALSE(bench.disk.abandon(bench.now, 0));
  bench.run();
  EXPECT_NE(bench.done(0), sim::kNever);
}

TEST_F(DriveDiskAbandon, AnUnusedTagIsNot) { EXPECT_FALSE(bench.disk.abandon(bench.now, 5)); }

TEST_F(DriveDiskAbandon, ItsTagMayBeUsedAtOnce) {
  bench.read(0, 30'000, 1);
  bench.disk.abandon(bench.now, 0);
  bench.read(0, 50, 1);
  bench.run();
  EXPECT_EQ(bench.disk.statistics().reads, 1U);
  EXPECT_NE(bench.ended(0), sim::kNever);
}

// The cache takes 100 sectors. Tag 1 waits for room, tag 2 behind it would fit.
TEST_F(DriveDiskAbandon, AWriteThatWaitedForRoomMakesWayForTheNext) {
  bench.write(0, 200, 60);
  bench.write(1, 400, 41);
  bench.write(2, 600, 1);
  bench.run_until(1 * kMs);
  EXPECT_EQ(bench.buffer_ready(2), sim::kNever);
  EXPECT_TRUE(bench.disk.abandon(bench.now, 1));
  bench.run_until(1 * kMs);
  EXPECT_EQ(bench.buffer_ready(2), 1 * kMs);
}

}  // namespace
}  // namespace ncqlab::drive
