// The published forms of a seek curve, and what a separate one for writes does.
#include <gtest/gtest.h>

#include "model/drive/mechanics/mechanism.h"
#include "model/drive/mechanics/seek_curve.h"
#include "testbench/tests/unit/drive_small_profile.h"

namespace ncqlab::drive {
namespace {

constexpr sim::Time kNs = sim::kNanosecond;

SeekCurve curve(const char* name) {
  SeekCurve made;
  made.curve = name;
  return made;
}

TEST(DriveSeekTable, IsMetAtItsPointsAndLinearBetween) {
  SeekCurve table = curve("table");
  table.points = {{1, 1 * kMs}, {11, 2 * kMs}, {111, 4 * kMs}};
  const SeekTable seek(table, 200);
  EXPECT_EQ(seek[0], 0);
  EXPECT_EQ(seek[1], 1 * kMs);
  EXPECT_EQ(seek[6], 1500 * kUs);
  EXPECT_EQ(seek[11], 2 * kMs);
  EXPECT_EQ(seek[12], 2020 * kUs);
  EXPECT_EQ(seek[111], 4 * kMs);
}

TEST(DriveSeekTable, BelowTheFirstPointItsTimeCountsAndBeyondTheLastItsSlope) {
  SeekCurve table = curve("table");
  table.points = {{10, 1 * kMs}, {20, 2 * kMs}};
  const SeekTable seek(table, 50);
  EXPECT_EQ(seek[1], 1 * kMs);
  EXPECT_EQ(seek[9], 1 * kMs);
  EXPECT_EQ(seek[30], 3 * kMs);
}

TEST(DriveSeekTable, AFallingEndNeverComesBelowZero) {
  SeekCurve table = curve("table");
  table.points = {{1, 2 * kMs}, {2, 1 * kMs}};
  EXPECT_EQ(SeekTable(table, 10)[9], 0);
}

TEST(DriveSeekThreePoint, IsMetAtOneCylinderAThirdAndTheLast) {
  SeekCurve three = curve("three-point");
  three.single_cylinder = 1 * kMs;
  three.average = 8 * kMs;
  three.full_stroke = 16 * kMs;
  const SeekTable seek(three, 300);
  EXPECT_EQ(seek[1], 1 * kMs);
  EXPECT_EQ(seek[100], 8 * kMs);
  EXPECT_EQ(seek[299], 16 * kMs);
  EXPECT_EQ(seek[34], 3'333'333 * kNs);    // 1 ms + 7 ms * 33 / 99
  EXPECT_EQ(seek[199], 11'979'899 * kNs);  // 8 ms + 8 ms * 99 / 199
}

// The formula's coefficients are such that the mean over random pairs comes near the average.
TEST(DriveSeekLee, MeetsSingleCylinderAndFullStrokeNearly) {
  SeekCurve lee = curve("lee");
  lee.single_cylinder = 1 * kMs;
  lee.average = 8 * kMs;
  lee.full_stroke = 16 * kMs;
  constexpr std::uint32_t kCylinders = 40'000;
  const SeekTable seek(lee, kCylinders);
  EXPECT_EQ(seek[1], 1 * kMs);
  // a = (-10 + 120 - 80) / (3 * 200) = 0.05 ms, b = (7 - 120 + 128) / 120,000 = 0.000125 ms
  EXPECT_EQ(seek[10'001], 1 * kMs + 5 * kMs + 1250 * kUs);
  EXPECT_NEAR(sim::to_ms(seek[kCylinders - 1]), 16.0, 0.001);
  double sum = 0;
  double pairs = 0;
  for (std::uint32_t d = 1; d < kCylinders; ++d) {
    sum += sim::to_ms(seek[d]) * (kCylinders - d);
    pairs += kCylinders - d;
  }
  EXPECT_NEAR(sum / pairs, 8.0, 0.02);
}

SeekCurve hp97560() {  // Ruemmler and Wilkes, IEEE Computer 3/1994: 3.24 + 0.4 sqrt(d), from 383 on 8.00 + 0.008 d
  SeekCurve hpl = curve("hpl");
  hpl.single_cylinder = 2500 * kUs;
  hpl.hpl = {383, 3240 * kUs, 400 * kUs, 8 * kMs, 8 * kUs};
  return hpl;
}

TEST(DriveSeekHpl, HasARootBelowTheBoundaryAndALineFromThereOn) {
  const SeekTable seek(hp97560(), 1962);
  EXPECT_EQ(seek[1], 2500 * kUs);
  EXPECT_EQ(seek[4], 4040 * kUs);
  EXPECT_EQ(seek[361], 3240 * kUs + 19 * 400 * kUs);
  EXPECT_EQ(seek[383], 11'064 * kUs);
  EXPECT_EQ(seek[1961], 23'688 * kUs);
}

TEST(DriveSeekHpl, TheFirstTenMayBeGivenThemselves) {
  SeekCurve hpl = hp97560();
  for (int i = 1; i <= 10; ++i) hpl.hpl.first_ten.push_back(i * 100 * kUs);
  const SeekTable seek(hpl, 1962);
  EXPECT_EQ(seek[1], 100 * kUs);
  EXPECT_EQ(seek[10], 1 * kMs);
  EXPECT_EQ(seek[16], 3240 * kUs + 4 * 400 * kUs);
}

TEST(DriveSeekCurves, AnUnknownNameIsRefused) { EXPECT_THROW(SeekTable(curve("bezier"), 10), std::logic_error); }

TEST(DriveWriteSeek, AWriteFollowsItsOwnCurve) {
  Profile profile = small_profile();
  profile.mechanics.write_settle = 0;
  profile.mechanics.write_seek = curve("table");
  profile.mechanics.write_seek->points = {{1, 3 * kMs}, {2, 7 * kMs}, {3, 7 * kMs}};
  const Mechanism mechanism(tables_of(profile));
  EXPECT_EQ(mechanism.movement(mechanism.locate(200), true), 3 * kMs);
  EXPECT_EQ(mechanism.movement(mechanism.locate(60 * 200), true), 7 * kMs);
  EXPECT_EQ(mechanism.movement(mechanism.locate(60 * 200), false), 4 * kMs);
}

}  // namespace
}  // namespace ncqlab::drive
