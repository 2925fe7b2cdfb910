// What the head writes, as the keeper of the contents is told, and what a power failure leaves.
#include <gtest/gtest.h>

#include "testbench/tests/unit/drive_disk_bench.h"

namespace ncqlab::drive {
namespace {

class Passes final : public WritePassListener {
 public:
  explicit Passes(const DiskBench& bench) : bench_(bench) {}
  void write_pass_begins(const Extent& extent) override { begun.push_back({extent.first, extent.end}); }
  void write_pass_failed(const Extent& /*lost*/) override {}
  void write_pass_ended(sim::Time /*now*/, const Extent& extent) override {
    ended.push_back({extent.first, extent.end});
    ended_at = bench_.now;
  }
  std::vector<std::pair<std::uint64_t, std::uint64_t>> begun;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ended;
  sim::Time ended_at = 0;

 private:
  const DiskBench& bench_;
};

using Runs = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

class DriveWritePass : public testing::Test {
 protected:
  DriveWritePass() { bench.disk.set_write_pass_listener(&passes); }
  // In the pass over [50, 54) as the small profile lays it out: the head reaches sector 50 at 5 ms.
  void write_through() { bench.write(0, 50, 4, true); }

  DiskBench bench{small_profile()};
  Passes passes{bench};
};

TEST_F(DriveWritePass, AWriteThroughIsOnePass) {
  write_through();
  bench.run();
  EXPECT_EQ(passes.begun, (Runs{{50, 54}}));
  EXPECT_EQ(passes.ended, (Runs{{50, 54}}));
  EXPECT_EQ(passes.ended_at, 5400 * kUs);
}

TEST_F(DriveWritePass, ACachedWriteIsWrittenWhenTheDriveHasBeenIdle) {
  bench.write(0, 50, 4);
  bench.run_until(5 * kMs);
  EXPECT_TRUE(passes.begun.empty());
  bench.run();
  EXPECT_EQ(passes.ended, (Runs{{50, 54}}));
}

TEST_F(DriveWritePass, ReadsWriteNothing) {
  bench.read(0, 50, 4);
  bench.run();
  EXPECT_TRUE(passes.begun.empty());
  EXPECT_FALSE(bench.disk.write_pass(bench.now).has_value());
}

TEST_F(DriveWritePass, ASectorIsWrittenWhenItHasPassedWhole) {
  write_through();
  bench.run_until(5 * kMs);
  EXPECT_EQ(bench.disk.write_pass(5 * kMs)->written_end, 50U);
  EXPECT_FALSE(bench.disk.write_pass(5 * kMs)->within_sector);
  EXPECT_TRUE(bench.disk.write_pass(5 * kMs + 1)->within_sector);
  EXPECT_EQ(bench.disk.write_pass(5100 * kUs - 1)->written_end, 50U);
  EXPECT_EQ(bench.disk.write_pass(5100 * kUs)->written_end, 51U);
}

TEST_F(DriveWritePass, OnTheWayToItsFirstSectorItHasWrittenNothing) {
  write_through();
  bench.run_until(2 * kMs);
  const auto state = bench.disk.write_pass(2 * kMs);
  ASSERT_TRUE(state.has_value());
  EXPECT_EQ(state->written_end, 50U);
  EXPECT_FALSE(state->within_sector);
}

TEST_F(DriveWritePass, AResetLeavesItToEnd) {
  write_through();
  bench.run_until(2 * kMs);
  bench.reset();
  bench.run();
  EXPECT_EQ(passes.ended, (Runs{{50, 54}}));
}

TEST_F(DriveWritePass, APowerFailureEndsItAndEverythingElse) {
  bench.write(1, 100, 4);
  write_through();
  bench.run_until(2 * kMs);
  bench.disk.power_off(bench.now, 0);
  bench.run();
  EXPECT_TRUE(passes.ended.empty());
  EXPECT_EQ(bench.disk.dirty_sectors(), 0U);
  EXPECT_EQ(bench.disk.outstanding(), 0U);
  EXPECT_FALSE(bench.disk.write_pass(bench.now).has_value());
}

TEST_F(DriveWritePass, ReadAheadIsLostWithThePower) {
  bench.read(0, 50, 4);
  bench.run();
  bench.disk.power_off(bench.now, 0);
  bench.read(0, 50, 4);
  bench.run();
  EXPECT_EQ(bench.disk.statistics().read_hits, 0U);
}

TEST_F(DriveWritePass, WhatTheDriveSavesIsDestagedLater) {
  bench.write(0, 50, 4);
  bench.write(1, 80, 4);
  bench.run_until(1 * kMs);
  bench.disk.power_off(bench.now, 6);
  const auto kept = bench.disk.dirty_extents();
  ASSERT_EQ(kept.size(), 2U);
  EXPECT_EQ(kept[1].end, 82U);
  bench.run();
  EXPECT_EQ(passes.ended, (Runs{{80, 82}, {50, 54}}));  // the nearest first
}

TEST_F(DriveWritePass, DataOfAnAbandonedWriteCanBeKept) {
  bench.reset();
  bench.disk.keep_dirty(bench.now, {50, 52});
  bench.run();
  EXPECT_EQ(passes.ended, (Runs{{50, 52}}));
}

}  // namespace
}  // namespace ncqlab::drive
