// Seek times and the way from one sector to another: movement, settling, rotation.
#include <gtest/gtest.h>

#include "model/drive/mechanics/mechanism.h"
#include "model/drive/mechanics/seek_curve.h"
#include "model/sim/random.h"
#include "testbench/tests/unit/drive_small_profile.h"

namespace ncqlab::drive {
namespace {

SeekTable table() { return SeekTable(small_profile().mechanics.seek, 300); }

TEST(DriveSeekCurve, NoDistanceTakesNoTime) { EXPECT_EQ(table()[0], 0); }
TEST(DriveSeekCurve, OneCylinderTakesItsOwnFigure) { EXPECT_EQ(table()[1], 1 * kMs); }
TEST(DriveSeekCurve, TheKneeIsMetExactly) { EXPECT_EQ(table()[60], 4 * kMs); }
TEST(DriveSeekCurve, TheFullStrokeIsMetExactly) { EXPECT_EQ(table()[299], 9 * kMs); }

TEST(DriveSeekCurve, BelowTheKneeItFollowsThePower) {
  // 1 ms + 3 ms * (sqrt(25) - 1) / (sqrt(60) - 1), in whole nanoseconds
  EXPECT_EQ(table()[25], 2'778'841 * sim::kNanosecond);
}

TEST(DriveSeekCurve, BeyondTheKneeItIsLinear) {
  // 4 ms + 5 ms * (120 - 60) / (299 - 60)
  EXPECT_EQ(table()[120], 5'255'230 * sim::kNanosecond);
}

TEST(DriveSeekCurve, ALongerWayNeverTakesLess) {
  const SeekTable seek = table();
  for (std::uint32_t distance = 1; distance < 300; ++distance)
    EXPECT_GE(seek[distance], seek[distance - 1]) << distance;
}

TEST(DriveSeekCurve, ADiskOfOneCylinderHasNoSeek) {
  const SeekTable seek(small_profile().mechanics.seek, 1);
  EXPECT_EQ(seek.cylinders(), 1U);
  EXPECT_EQ(seek[0], 0);
}

TEST(DriveSeekCurve, ADiskOfTwoCylindersSeeksItsSingleCylinder) {
  EXPECT_EQ(SeekTable(small_profile().mechanics.seek, 2)[1], 1 * kMs);
}

class DriveMechanism : public testing::Test {
 protected:
  Location at(std::uint64_t lba) const { return mechanism.geometry().locate(lba); }
  sim::Time positioning(sim::Time start, std::uint64_t lba, bool write = false, sim::Time guard = 0) const {
    return mechanism.positioning(mechanism.geometry().angle_at(start), at(lba), write, guard);
  }

  Mechanism mechanism{tables_of(small_profile())};
};

TEST_F(DriveMechanism, TheArmStartsAtCylinderZero) { EXPECT_EQ(mechanism.track().cylinder, 0U); }

TEST_F(DriveMechanism, OnTheTrackNothingMoves) { EXPECT_EQ(mechanism.movement(at(50), false), 0); }
TEST_F(DriveMechanism, AnotherHeadTakesTheHeadSwitch) { EXPECT_EQ(mechanism.movement(at(100), false), 200 * kUs); }
TEST_F(DriveMechanism, AnotherCylinderTakesTheSeek) { EXPECT_EQ(mechanism.movement(at(60 * 200), false), 4 * kMs); }
TEST_F(DriveMechanism, AnotherCylinderAndHeadTakeTheSeekAlone) {
  EXPECT_EQ(mechanism.movement(at(60 * 200 + 100), false), 4 * kMs);
}
TEST_F(DriveMechanism, TheWayBackTakesAsLong) {
  mechanism.move_to(at(60 * 200));
  EXPECT_EQ(mechanism.movement(at(0), false), 4 * kMs);
}

TEST_F(DriveMechanism, AWriteSettlesAfterASeek) {
  EXPECT_EQ(mechanism.movement(at(60 * 200), true), 4 * kMs + 250 * kUs);
}
TEST_F(DriveMechanism, AWriteOnTheNextCylinderSettlesWithinTheSkew) {
  EXPECT_EQ(mechanism.movement(at(200), true), mechanism.movement(at(200), false));
  EXPECT_EQ(mechanism.movement(at(400), true), mechanism.movement(at(400), false) + 250 * kUs);
}
TEST_F(DriveMechanism, AWriteOnAnotherHeadSettlesWithinTheSkew) {
  EXPECT_EQ(mechanism.movement(at(100), true), 200 * kUs);
}
TEST_F(DriveMechanism, AWriteOnTheTrackNeedsNoSettling) { EXPECT_EQ(mechanism.movement(at(50), true), 0); }

TEST_F(DriveMechanism, OnTheTrackPositioningIsTheRotation) { EXPECT_EQ(positioning(0, 50), 50 * kOuterSector); }

TEST_F(DriveMechanism, ASectorThatJustBeginsNeedsNoTime) { EXPECT_EQ(positioning(50 * kOuterSector, 50), 0); }

TEST_F(DriveMechanism, ASectorThatHasBegunTakesAnotherRevolution) {
  const sim::Time late = kRoundingSlack + 1;
  EXPECT_EQ(positioning(50 * kOuterSector + late, 50), kRevolution - late);
}

TEST_F(DriveMechanism, WithinTheRoundingSlackASectorIsNotMissed) {
  EXPECT_EQ(positioning(50 * kOuterSector + kRoundingSlack, 50), 0);
}

TEST_F(DriveMechanism, RotationGoesOnDuringTheMovement) {
  // Cylinder 60, head 0: angle 120 ms of skew, that is 0; the seek takes 4 ms, the rest of the revolution is waited
  // for.
  EXPECT_EQ(positioning(0, 60 * 200), kRevolution);
  EXPECT_EQ(positioning(0, 60 * 200 + 40), 4 * kMs);
  EXPECT_EQ(positioning(0, 60 * 200 + 39), 4 * kMs + kRevolution - kOuterSector);
}

TEST_F(DriveMechanism, ATargetExactlyAtTheGuardIsReached) {
  EXPECT_EQ(positioning(0, 1, false, kOuterSector), kOuterSector);
}

TEST_F(DriveMechanism, ATargetNearerThanTheGuardIsMissed) {
  EXPECT_EQ(positioning(1, 1, false, kOuterSector), kOuterSector - 1 + kRevolution);
}

TEST_F(DriveMechanism, WhatFollowsDirectlyIsNotMissedByRoundingWhateverTheGuard) {
  EXPECT_EQ(positioning(1, 0, false, kOuterSector), 0);
}

TEST_F(DriveMechanism, PositioningIsMovementAndLessThanARevolution) {
  sim::Stream stream(1, "test/mechanism");
  for (int i = 0; i < 20'000; ++i) {
    mechanism.move_to(at(stream.below(40'000)));
    const std::uint64_t lba = stream.below(40'000);
    const auto start = static_cast<sim::Time>(stream.below(static_cast<std::uint64_t>(sim::kSecond)));
    const bool write = stream.below(2) == 1;
    const sim::Time moved = mechanism.movement(at(lba), write);
    const sim::Time way = positioning(start, lba, write);
    ASSERT_GE(way, moved) << i;
    ASSERT_LT(way, moved + kRevolution) << i;
    // It ends when the sector begins, to within the slack.
    const sim::Time off = (mechanism.geometry().angle_at(start + way) - at(lba).angle + kRevolution) % kRevolution;
    ASSERT_LE(off, kRoundingSlack) << i;
  }
}

}  // namespace
}  // namespace ncqlab::drive
