// Delays of the slowest requests: when they come, how long they are, and that a drive without figures has none.
#include <gtest/gtest.h>

#include <map>

#include "model/drive/tail_events.h"
#include "testbench/tests/unit/drive_ata_host.h"

namespace ncqlab::drive {
namespace {

TailEvents retries(double fraction, unsigned revolutions) {
  TailEvents events;
  events.retry_fraction = fraction;
  events.retry_revolutions = revolutions;
  return events;
}

TEST(DriveTailEvents, ADriveWithoutFiguresHasNone) {
  EXPECT_FALSE(TailEvents{}.any());
  TailDelays delays(TailEvents{}, 1, 0);
  EXPECT_EQ(delays.delay(3600 * sim::kSecond, 0, kRevolution), 0);
}

TEST(DriveTailEvents, RetriesAreWholeRevolutionsAndAsFrequentAsTheProfileSays) {
  TailDelays delays(retries(0.1, 3), 1, 0);
  std::map<sim::Time, int> counts;
  for (int i = 0; i < 10'000; ++i) ++counts[delays.delay(0, 0, kRevolution) / kRevolution];
  ASSERT_EQ(counts.size(), 4U);
  for (int revolutions = 1; revolutions <= 3; ++revolutions) EXPECT_NEAR(counts[revolutions], 333, 60) << revolutions;
}

TEST(DriveTailEvents, RecalibrationComesOncePerPeriod) {
  TailEvents events;
  events.recalibration_period = 10 * sim::kSecond;
  events.recalibration = 50 * kMs;
  TailDelays delays(events, 1, 0);
  EXPECT_EQ(delays.delay(10 * sim::kSecond - 1, 0, kRevolution), 0);
  EXPECT_EQ(delays.delay(10 * sim::kSecond, 0, kRevolution), 50 * kMs);
  EXPECT_EQ(delays.delay(20 * sim::kSecond - 1, 0, kRevolution), 0);
  EXPECT_EQ(delays.delay(45 * sim::kSecond, 0, kRevolution), 50 * kMs);
}

TEST(DriveTailEvents, TheScanHoldsUpWhatComesAfterALongRest) {
  TailEvents events;
  events.scan_after_idle = 500 * kMs;
  events.scan_step = 30 * kMs;
  TailDelays delays(events, 1, 0);
  EXPECT_EQ(delays.delay(1 * sim::kSecond, 500 * kMs + 1, kRevolution), 0);
  sim::Time longest = 0;
  for (int i = 0; i < 1000; ++i) longest = std::max(longest, delays.delay(1 * sim::kSecond, 500 * kMs, kRevolution));
  EXPECT_GT(longest, 29 * kMs);
  EXPECT_LE(longest, 30 * kMs);
}

TEST(DriveTailEvents, AnotherDriveOfTheSameSeedHasOthers) {
  TailDelays first(retries(0.5, 9), 1, 0);
  TailDelays second(retries(0.5, 9), 1, 1);
  int same = 0;
  for (int i = 0; i < 100; ++i) same += first.delay(0, 0, kRevolution) == second.delay(0, 0, kRevolution) ? 1 : 0;
  EXPECT_LT(same, 60);
}

TEST(DriveTailEvents, AReadTakesSoMuchLonger) {
  Profile certain = small_profile();
  certain.tail_events = retries(1, 1);
  const auto time_to_read = [](const Profile& profile) {
    AtaHost host(profile);
    host.start();
    const sim::Time begin = host.now();
    host.command(0x25, 50, 1);
    while (host.time_of("D2H 50 00 I") == sim::kNever) host.run_one();
    return host.time_of("D2H 50 00 I") - begin;
  };
  EXPECT_EQ(time_to_read(certain) - time_to_read(small_profile()), kRevolution);
}

}  // namespace
}  // namespace ncqlab::drive
