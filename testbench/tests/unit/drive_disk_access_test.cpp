// How the head takes up its work: from wherever it lands, and the change between reading and writing.
//
// Times as in drive_disk_read_test.cpp: LBA n of the first track passes at n * 100 us, the head may begin at 0.4 ms.
#include <gtest/gtest.h>

#include "testbench/tests/unit/drive_disk_bench.h"

namespace ncqlab::drive {
namespace {

constexpr unsigned kPlain = kNonQueuedTag;

Profile zero_latency(double fraction) {
  Profile profile = small_profile();
  profile.media_access.zero_latency_fraction = fraction;
  return profile;
}

// LBA 4 is the first that the head finds. The last of the rest passes at 10 ms, LBA 0 to 3 at 10 ms to 10.4 ms.
TEST(DriveDiskAccess, AWholeTrackIsReadWithinARevolutionOfTheLanding) {
  DiskBench bench(zero_latency(0.5));
  bench.by_hand = true;
  bench.read(kPlain, 0, 100);
  bench.run();
  EXPECT_EQ(bench.disk.available(kPlain, 4), 10'400 * kUs);
  EXPECT_NEAR(static_cast<double>(bench.disk.available(kPlain, 100)), 10'400.0 * kUs, 1.0 * sim::kNanosecond);
}

TEST(DriveDiskAccess, WithoutItTheReadTakesTheLatencyToo) {
  DiskBench bench(zero_latency(0));
  bench.read(kPlain, 0, 100);
  bench.run();
  EXPECT_EQ(bench.ended(kPlain), 20 * kMs);
}

TEST(DriveDiskAccess, ADemandBelowTheFractionIsReadFromItsBeginning) {
  DiskBench bench(zero_latency(0.5));
  bench.read(kPlain, 0, 49);
  bench.run();
  EXPECT_EQ(bench.ended(kPlain), 10 * kMs + 49 * kOuterSector);
}

TEST(DriveDiskAccess, ADemandOfExactlyTheFractionIsNot) {
  DiskBench bench(zero_latency(0.5));
  bench.read(kPlain, 0, 50);
  bench.run();
  EXPECT_LE(bench.ended(kPlain), 10'400 * kUs + sim::kNanosecond);
}

TEST(DriveDiskAccess, AHeadThatLandsBeforeTheDemandReadsItAsEver) {
  DiskBench bench(zero_latency(0.1));
  bench.read(kPlain, 10, 50);
  bench.run();
  EXPECT_EQ(bench.ended(kPlain), 6 * kMs);
}

TEST(DriveDiskAccess, TheNextTrackFollowsWhereTheFirstHasBeenCompleted) {
  DiskBench bench(zero_latency(0.5));
  bench.read(kPlain, 0, 110);  // LBA 100: sector 0 of the next head, at angle 0.5 ms
  bench.run();
  EXPECT_NEAR(static_cast<double>(bench.ended(kPlain)), 21.5 * kMs, 1.0 * sim::kNanosecond);
}

// ---- between reading and writing

TEST(DriveDiskAccess, TheFirstWriteAfterAReadTurnsTheHeadAround) {
  Profile profile = small_profile();
  profile.media_access.turnaround = 100 * kUs;
  DiskBench bench(profile);
  bench.disk.set_write_cache(false);
  bench.write(kPlain, 6, 1);  // 0.11 ms + 0.3 ms + 0.1 ms: sector 6 comes next
  bench.run();
  EXPECT_EQ(bench.done(kPlain), 720 * kUs);
}

TEST(DriveDiskAccess, TheHeadThatComesTooLateByItsTurnLosesARevolution) {
  Profile profile = small_profile();
  profile.media_access.turnaround = 100 * kUs;
  DiskBench bench(profile);
  bench.disk.set_write_cache(false);
  bench.write(kPlain, 5, 1);
  bench.run();
  EXPECT_EQ(bench.done(kPlain), 620 * kUs + kRevolution);
}

TEST(DriveDiskAccess, AReadAfterAReadDoesNotTurn) {
  Profile profile = small_profile();
  profile.media_access.turnaround = 100 * kUs;
  DiskBench bench(profile);
  bench.read(kPlain, 4, 1);
  bench.run();
  EXPECT_EQ(bench.ended(kPlain), 500 * kUs);
}

}  // namespace
}  // namespace ncqlab::drive
