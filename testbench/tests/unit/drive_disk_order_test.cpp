// Commands for the same sectors: one that comes behind another never overtakes it when one of them writes.
#include <gtest/gtest.h>

#include <string>

#include "testbench/tests/unit/drive_disk_bench.h"

namespace ncqlab::drive {
namespace {

enum class Kind { read, cached, forced };
constexpr Kind kKinds[] = {Kind::read, Kind::cached, Kind::forced};

std::string text(Kind kind) {
  return kind == Kind::read ? "read" : kind == Kind::cached ? "cached write" : "FUA write";
}

class DriveDiskOrder : public testing::Test {
 protected:
  static void give(DiskBench& bench, Kind kind, unsigned tag, std::uint64_t lba, std::uint32_t sectors) {
    if (kind == Kind::read) return bench.read(tag, lba, sectors);
    bench.write(tag, lba, sectors, kind == Kind::forced);
  }
  static sim::Time begun(const DiskBench& bench, Kind kind, unsigned tag) {
    return kind == Kind::read ? bench.scheduled(tag) : bench.buffer_ready(tag);
  }
  static sim::Time ended(const DiskBench& bench, Kind kind, unsigned tag) {
    return kind == Kind::read ? bench.ended(tag) : bench.done(tag);
  }
};

// Tag 0 keeps the arm busy elsewhere.
TEST_F(DriveDiskOrder, OfEachPairTheSecondBeginsNoSoonerThanTheFirstEnds) {
  for (const Kind first : kKinds) {
    for (const Kind second : kKinds) {
      if (first == Kind::read && second == Kind::read) continue;
      SCOPED_TRACE(text(second) + " behind " + text(first));
      DiskBench bench(small_profile());
      bench.read(0, 30'000, 1);
      bench.run_until(1 * kMs);
      give(bench, first, 1, 100, 10);
      give(bench, second, 2, 109, 4);
      bench.run();
      ASSERT_NE(ended(bench, first, 1), sim::kNever);
      ASSERT_NE(ended(bench, second, 2), sim::kNever);
      EXPECT_GE(begun(bench, second, 2), ended(bench, first, 1));
    }
  }
}

TEST_F(DriveDiskOrder, TheSecondBeginsAsSoonAsTheFirstHasEnded) {
  DiskBench bench(small_profile());
  bench.read(1, 50, 10);
  bench.write(2, 59, 1);
  bench.run();
  EXPECT_EQ(bench.ended(1), 6 * kMs);
  EXPECT_EQ(bench.buffer_ready(2), 6 * kMs);
  EXPECT_EQ(bench.disk.statistics().held_commands, 1U);
}

TEST_F(DriveDiskOrder, NeighboursDoNotWait) {
  DiskBench bench(small_profile());
  bench.read(1, 50, 10);
  bench.write(2, 60, 1);
  bench.write(3, 49, 1);
  bench.run();
  EXPECT_EQ(bench.buffer_ready(2), 150 * kUs);
  EXPECT_EQ(bench.buffer_ready(3), 150 * kUs);
}

TEST_F(DriveDiskOrder, TwoReadsMayPassEachOther) {
  DiskBench bench(small_profile());
  bench.write(3, 20'000, 1, true);  // a write elsewhere holds nobody
  bench.read(1, 50, 10);
  bench.read(2, 50, 10);
  bench.run();
  EXPECT_EQ(bench.disk.statistics().held_commands, 0U);
}

TEST_F(DriveDiskOrder, AChainIsServedLinkByLink) {
  DiskBench bench(small_profile());
  for (unsigned tag = 0; tag < 6; ++tag) bench.write(tag, 100 + tag, 2, true);
  bench.run();
  for (unsigned tag = 1; tag < 6; ++tag) EXPECT_GE(bench.buffer_ready(tag), bench.done(tag - 1));
  EXPECT_EQ(bench.disk.statistics().held_commands, 5U);
}

TEST_F(DriveDiskOrder, AReadBehindACachedWriteFindsItsData) {
  DiskBench bench(small_profile());
  bench.by_hand = true;
  bench.write(1, 100, 4);
  bench.read(2, 100, 4);
  bench.run_until(1 * kMs);
  EXPECT_EQ(bench.scheduled(2), sim::kNever);
  bench.bring_data(1);
  EXPECT_EQ(bench.scheduled(2), 1 * kMs);
  EXPECT_EQ(bench.disk.statistics().read_hits, 1U);
}

TEST_F(DriveDiskOrder, OneThatIsGivenUpLetsTheNextGo) {
  DiskBench bench(small_profile());
  bench.read(0, 30'000, 1);
  bench.run_until(1 * kMs);
  bench.read(1, 100, 4);
  bench.write(2, 100, 4);
  bench.run_until(2 * kMs);
  EXPECT_EQ(bench.buffer_ready(2), sim::kNever);
  EXPECT_TRUE(bench.disk.abandon(bench.now, 1));
  bench.run_until(2 * kMs);
  EXPECT_EQ(bench.buffer_ready(2), 2 * kMs);
}

TEST_F(DriveDiskOrder, OneThatIsHeldCanBeGivenUp) {
  DiskBench bench(small_profile());
  bench.write(1, 100, 4, true);
  bench.write(2, 100, 4);
  bench.run_until(1 * kMs);
  EXPECT_TRUE(bench.disk.abandon(bench.now, 2));
  bench.run();
  EXPECT_EQ(bench.buffer_ready(2), sim::kNever);
  EXPECT_EQ(bench.disk.outstanding(), 0U);
}

TEST_F(DriveDiskOrder, AReportSaysWhatAHeldCommandWaitsFor) {
  DiskBench bench(small_profile());
  bench.write(1, 100, 4, true);
  bench.write(2, 100, 4);
  bench.run_until(1 * kMs);
  const auto all = bench.disk.outstanding_commands();
  ASSERT_EQ(all.size(), 2U);
  EXPECT_STREQ(all[1].waits_for, "an older command for the same sectors");
}

}  // namespace
}  // namespace ncqlab::drive
