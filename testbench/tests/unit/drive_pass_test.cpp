// A run of the head over consecutive LBAs: when each sector has passed, and which have passed when.
#include <gtest/gtest.h>

#include "model/drive/mechanics/pass.h"
#include "model/sim/random.h"
#include "testbench/tests/unit/drive_small_profile.h"

namespace ncqlab::drive {
namespace {

constexpr std::uint64_t kCapacity = 40'000;

class DrivePass : public testing::Test {
 protected:
  // A pass that begins at `lba` as soon as that sector comes round.
  void begin(std::uint64_t lba, bool write = false) {
    const Geometry& geometry = mechanism.geometry();
    const Location location = geometry.locate(lba);
    began = mechanism.positioning(geometry.angle_at(0), location, write, 0);
    pass.begin(lba, location, began, write);
  }
  sim::Time reached(std::uint64_t end) { return pass.reached(mechanism, end) - began; }
  std::uint64_t position(sim::Time t, std::uint64_t limit = kCapacity) {
    return pass.position(mechanism, began + t, limit);
  }

  Mechanism mechanism{tables_of(small_profile())};
  Pass pass;
  sim::Time began = 0;
};

TEST_F(DrivePass, TheFirstSectorHasPassedAfterItsOwnTime) {
  begin(10);
  EXPECT_EQ(reached(11), kOuterSector);
}

TEST_F(DrivePass, AFullTrackTakesExactlyARevolution) {
  begin(0);
  EXPECT_EQ(reached(100), kRevolution);
}

TEST_F(DrivePass, AFullTrackOfAnOddRevolutionTakesExactlyThat) {
  Profile profile = small_profile();
  profile.mechanics.rpm = 7200;
  profile.mechanics.zones = {1, 97, 97, 97};
  mechanism = Mechanism(tables_of(profile));
  begin(0);
  EXPECT_EQ(reached(97), 8'333'333'333);
}

TEST_F(DrivePass, StreamingOverATrackBorderCostsExactlyTheHeadSkew) {
  begin(99);
  EXPECT_EQ(reached(101), 2 * kOuterSector + 500 * kUs);
}

TEST_F(DrivePass, StreamingOverACylinderBorderCostsExactlyTheCylinderSkew) {
  begin(199);
  EXPECT_EQ(reached(201), 2 * kOuterSector + 1500 * kUs);
}

TEST_F(DrivePass, StreamingOverAZoneBorderCostsTheCylinderSkewAndGoesOnAtTheNewRate) {
  begin(19'999);
  EXPECT_EQ(reached(20'001), kOuterSector + 1500 * kUs + kInnerSector);
}

TEST_F(DrivePass, ASwitchThatTheSkewDoesNotCoverCostsARevolutionMore) {
  Profile profile = small_profile();
  profile.mechanics.head_switch = 500 * kUs + kRoundingSlack + 1;
  mechanism = Mechanism(tables_of(profile));
  begin(99);
  EXPECT_EQ(reached(101), 2 * kOuterSector + 500 * kUs + kRevolution);
}

TEST_F(DrivePass, AWriteStreamsOverTrackBordersAsAReadDoes) {
  Profile profile = small_profile();
  profile.mechanics.write_settle = 5 * kMs;
  mechanism = Mechanism(tables_of(profile));
  begin(99, true);
  EXPECT_EQ(reached(201), 102 * kOuterSector + 500 * kUs + 1500 * kUs);
}

TEST_F(DrivePass, BeforeItBeginsNothingHasPassed) {
  begin(10);
  EXPECT_EQ(position(-1), 10U);
  EXPECT_EQ(position(0), 10U);
}

TEST_F(DrivePass, ASectorCountsWhenItHasPassedWhole) {
  begin(10);
  EXPECT_EQ(position(kOuterSector - 1), 10U);
  EXPECT_EQ(position(kOuterSector), 11U);
}

TEST_F(DrivePass, DuringATrackSwitchNothingPasses) {
  begin(99);
  EXPECT_EQ(position(kOuterSector), 100U);
  EXPECT_EQ(position(kOuterSector + 500 * kUs), 100U);
  EXPECT_EQ(position(2 * kOuterSector + 500 * kUs - 1), 100U);
  EXPECT_EQ(position(2 * kOuterSector + 500 * kUs), 101U);
}

TEST_F(DrivePass, ThePositionStopsAtTheLimit) {
  begin(10);
  EXPECT_EQ(position(sim::kSecond, 150), 150U);
}

TEST_F(DrivePass, ItLeavesTheArmOnTheTrackOfTheLastSectorPassed) {
  begin(90);
  reached(300);
  pass.settle_at(mechanism, 200);
  EXPECT_EQ(mechanism.movement(mechanism.geometry().locate(100), false), 0);
  pass.settle_at(mechanism, 201);
  EXPECT_EQ(mechanism.movement(mechanism.geometry().locate(200), false), 0);
}

TEST_F(DrivePass, AnEmptyPassLeavesTheArmAtItsFirstSector) {
  begin(200);
  pass.settle_at(mechanism, 200);
  EXPECT_EQ(mechanism.track().cylinder, 1U);
}

// reached() and position() are inverses at the edge, over tracks, cylinders and the zone border, with a revolution that
// no number of sectors divides.
TEST_F(DrivePass, ReachedAndPositionAreInversesAtTheEdge) {
  Profile profile = small_profile();
  profile.mechanics.rpm = 7200;
  profile.mechanics.zones = {2, 101, 75, 53};
  profile.capacity_sectors = kCapacity - 1000;
  sim::Stream stream(1, "test/pass");
  for (int run = 0; run < 300; ++run) {
    mechanism = Mechanism(tables_of(profile, Layout{stream.below(5)}));
    const std::uint64_t first = stream.below(2) == 0 ? stream.below(38'000) : 19'000 + stream.below(3000);
    begin(first, stream.below(2) == 0);
    std::uint64_t end = first;
    for (int step = 0; step < 40; ++step) {
      end += 1 + stream.below(40);
      if (end > profile.capacity_sectors) break;
      SCOPED_TRACE("run " + std::to_string(run) + " from " + std::to_string(first) + " to " + std::to_string(end));
      const sim::Time at = reached(end);
      ASSERT_EQ(position(at - 1, profile.capacity_sectors), end - 1);
      ASSERT_EQ(position(at, profile.capacity_sectors), end);
    }
  }
}

TEST_F(DrivePass, ReachedGrowsWithEverySector) {
  begin(19'900);
  sim::Time before = 0;
  for (std::uint64_t end = 19'901; end < 20'300; ++end) {
    const sim::Time at = reached(end);
    EXPECT_GT(at, before) << end;
    before = at;
  }
}

// ---- schedules

TEST_F(DrivePass, AScheduleKnowsWhenEachSectorIsInTheBuffer) {
  begin(90);
  reached(120);
  Schedule schedule;
  schedule.set_from(pass, 90, 120, 0);
  EXPECT_EQ(schedule.available(mechanism.geometry(), 91), began + kOuterSector);
  EXPECT_EQ(schedule.available(mechanism.geometry(), 100), began + 10 * kOuterSector);
  EXPECT_EQ(schedule.available(mechanism.geometry(), 101), began + 11 * kOuterSector + 500 * kUs);
  EXPECT_EQ(schedule.available(mechanism.geometry(), 120), began + 30 * kOuterSector + 500 * kUs);
}

TEST_F(DrivePass, WhatLiesBeforeTheScheduledPartComesFromTheCache) {
  begin(90);
  reached(120);
  Schedule schedule;
  schedule.set_from(pass, 90, 120, 7);
  EXPECT_EQ(schedule.available(mechanism.geometry(), 90), 7);
}

TEST_F(DrivePass, NothingIsAvailableBeforeItWasScheduled) {
  begin(90);
  reached(120);
  Schedule schedule;
  schedule.set_from(pass, 90, 120, sim::kSecond);
  EXPECT_EQ(schedule.available(mechanism.geometry(), 91), sim::kSecond);
}

TEST_F(DrivePass, AScheduleOfTheCacheIsAllThereAtOnce) {
  Schedule schedule;
  schedule.set_all(5);
  EXPECT_EQ(schedule.available(mechanism.geometry(), 1), 5);
  EXPECT_EQ(schedule.available(mechanism.geometry(), 1000), 5);
}

TEST_F(DrivePass, AScheduleKnowsItsFirstTrackHoweverManyFollow) {
  begin(0);
  reached(38'000);  // the 560th track
  Schedule schedule;
  schedule.set_from(pass, 0, 38'000, 0);
  EXPECT_EQ(schedule.available(mechanism.geometry(), 1), began + kOuterSector);
  EXPECT_EQ(schedule.available(mechanism.geometry(), 101), began + kRevolution + 500 * kUs + kOuterSector);
}

TEST_F(DrivePass, AStreamOfManyTracksForgetsNothingThatIsStillAsked) {
  begin(0);
  for (std::uint64_t end = 50; end <= 38'000; end += 50) {
    const sim::Time at = reached(end);
    ASSERT_EQ(position(at), end);
    ASSERT_EQ(reached(end), at);
  }
}

}  // namespace
}  // namespace ncqlab::drive
