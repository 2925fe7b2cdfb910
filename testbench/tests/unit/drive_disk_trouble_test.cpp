// Sectors that take retries, and those that cannot be read or written at all.
//
// Times as in drive_disk_read_test.cpp: LBA n of the first track passes at n * 100 us.
#include <gtest/gtest.h>

#include <map>

#include "testbench/tests/unit/drive_disk_bench.h"

namespace ncqlab::drive {
namespace {

constexpr unsigned kPlain = kNonQueuedTag;

class Spots final : public TroubleSource {
 public:
  Spots() { set_troubled(true); }
  void add(Operation operation, std::uint64_t lba, unsigned revolutions, bool hopeless) {
    spots_[operation][lba] = {lba, revolutions, hopeless};
  }
  std::optional<Trouble> first_trouble(Operation operation, const Extent& extent) override {
    const auto& of_kind = spots_[operation];
    const auto spot = of_kind.lower_bound(extent.first);
    if (spot == of_kind.end() || spot->first >= extent.end) return std::nullopt;
    return spot->second;
  }

 private:
  std::map<Operation, std::map<std::uint64_t, Trouble>> spots_;
};

class DriveDiskTrouble : public testing::Test {
 protected:
  DriveDiskTrouble() { bench.disk.set_trouble_source(&spots); }
  void slow(Operation operation, std::uint64_t lba, unsigned revolutions) {
    spots.add(operation, lba, revolutions, false);
  }
  void hopeless(Operation operation, std::uint64_t lba, unsigned revolutions) {
    spots.add(operation, lba, revolutions, true);
  }
  void read_within(sim::Time limit, std::uint64_t lba, std::uint32_t sectors) {
    Command command;
    command.lba = lba;
    command.sectors = sectors;
    command.time_limit = limit;
    bench.submit(command);
  }
  const Note& last() const { return bench.notes.back(); }

  Spots spots;
  DiskBench bench{small_profile()};
};

// ---- reads

TEST_F(DriveDiskTrouble, RetriesCostRevolutions) {
  slow(Operation::read, 52, 3);
  bench.by_hand = true;
  bench.read(kPlain, 50, 4);
  bench.run();
  EXPECT_EQ(bench.disk.available(kPlain, 2), 5200 * kUs);
  EXPECT_EQ(bench.disk.available(kPlain, 3), 5300 * kUs + 3 * kRevolution);
  EXPECT_EQ(bench.disk.available(kPlain, 4), 5400 * kUs + 3 * kRevolution);
  EXPECT_EQ(bench.disk.readable(kPlain), 4U);
}

TEST_F(DriveDiskTrouble, WhatCannotBeReadIsGivenUpAfterItsRetries) {
  hopeless(Operation::read, 52, 5);
  bench.by_hand = true;
  bench.read(kPlain, 50, 4);
  bench.run();
  EXPECT_EQ(bench.disk.readable(kPlain), 2U);
  EXPECT_EQ(bench.disk.available(kPlain, 2), 5200 * kUs);
  EXPECT_EQ(bench.disk.available(kPlain, 3), 5300 * kUs + 5 * kRevolution);
}

TEST_F(DriveDiskTrouble, ATimeLimitThatIsJustEnoughLetsTheRetriesFinish) {
  slow(Operation::read, 52, 3);
  bench.by_hand = true;
  read_within(3 * kRevolution, 50, 4);
  bench.run();
  EXPECT_EQ(bench.disk.readable(kPlain), 4U);
}

TEST_F(DriveDiskTrouble, ATimeLimitEndsTheRetries) {
  slow(Operation::read, 52, 3);
  bench.by_hand = true;
  read_within(3 * kRevolution - 1, 50, 4);
  bench.run();
  EXPECT_EQ(bench.disk.readable(kPlain), 2U);
  EXPECT_EQ(bench.disk.available(kPlain, 3), 5300 * kUs + 2 * kRevolution);
}

TEST_F(DriveDiskTrouble, TheArmIsKeptUntilTheDriveGivesUp) {
  hopeless(Operation::read, 52, 5);
  bench.read(kPlain, 50, 4);
  bench.read(0, 12'000, 1);
  bench.run();
  EXPECT_EQ(bench.scheduled(0), 5300 * kUs + 5 * kRevolution);
}

TEST_F(DriveDiskTrouble, ReadingAheadEndsBeforeTrouble) {
  slow(Operation::read, 60, 3);
  bench.read(kPlain, 50, 4);
  bench.run_until(50 * kMs);
  bench.read(0, 59, 1);
  bench.run();
  EXPECT_EQ(bench.disk.statistics().arm_movements, 1U);
  bench.read(0, 60, 1);
  bench.run();
  EXPECT_EQ(bench.disk.statistics().arm_movements, 2U);
}

TEST_F(DriveDiskTrouble, AHitOnTheRunningPassMeetsTroubleToo) {
  slow(Operation::read, 170, 2);
  bench.read(0, 50, 4);
  bench.run_until(7 * kMs);
  bench.read(1, 150, 30);
  bench.run();
  DiskBench well(small_profile());
  well.read(0, 50, 4);
  well.run_until(7 * kMs);
  well.read(1, 150, 30);
  well.run();
  EXPECT_EQ(bench.ended(1), well.ended(1) + 2 * kRevolution);
}

// ---- writes

TEST_F(DriveDiskTrouble, AWriteThroughWaitsForItsRetries) {
  slow(Operation::write, 201, 2);
  bench.write(0, 200, 4, true);
  bench.run();
  EXPECT_EQ(bench.done(0), 2420 * kUs + 2 * kRevolution);
}

TEST_F(DriveDiskTrouble, AWriteThroughThatCannotBeWrittenFailsWithItsSector) {
  hopeless(Operation::write, 201, 2);
  bench.write(0, 200, 4, true);
  bench.run();
  EXPECT_EQ(last().what, Happening::What::failed);
  EXPECT_EQ(last().time, 2220 * kUs + 2 * kRevolution);
  EXPECT_EQ(bench.failed_lba, 201U);
  EXPECT_EQ(bench.disk.outstanding(), 0U);
}

TEST_F(DriveDiskTrouble, AFlushFailsWithTheSectorThatCannotBeWritten) {
  hopeless(Operation::write, 202, 0);
  bench.write(0, 200, 4);
  bench.run_until(200 * kUs);
  bench.flush();
  bench.run();
  EXPECT_EQ(bench.when(Happening::What::failed, kPlain), 2300 * kUs);
  EXPECT_EQ(bench.failed_lba, 202U);
}

TEST_F(DriveDiskTrouble, TheNextFlushWritesTheRestAndSucceeds) {
  hopeless(Operation::write, 202, 0);
  bench.write(0, 200, 4);
  bench.run_until(200 * kUs);
  bench.flush();
  bench.run_until(2400 * kUs);
  EXPECT_EQ(bench.disk.dirty_sectors(), 1U);  // LBA 203; 202 is lost
  bench.flush();
  bench.run();
  EXPECT_NE(bench.done(kPlain), sim::kNever);
  EXPECT_EQ(bench.disk.dirty_sectors(), 0U);
}

TEST_F(DriveDiskTrouble, ASectorLostWhileIdleIsToldByTheNextFlush) {
  hopeless(Operation::write, 200, 0);
  bench.write(0, 200, 1);
  bench.run_until(100 * kMs);
  EXPECT_EQ(bench.disk.dirty_sectors(), 0U);
  bench.flush();
  bench.run();
  EXPECT_EQ(last().what, Happening::What::failed);
  EXPECT_EQ(bench.failed_lba, 200U);
}

}  // namespace
}  // namespace ncqlab::drive
