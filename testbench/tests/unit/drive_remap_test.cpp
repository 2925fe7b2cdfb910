// Sectors that lie elsewhere: which spare they get, and what the way there and back costs.
#include <gtest/gtest.h>

#include "model/drive/mechanics/pass.h"
#include "testbench/tests/unit/drive_small_profile.h"

namespace ncqlab::drive {
namespace {

// 40 cylinders of two tracks, 100 sectors each, of which the last two of a track are spare.
class DriveRemap : public testing::Test {
 protected:
  DriveRemap() {
    profile.capacity_sectors = 40 * 196;
    profile.mechanics.zones = {1, 100, 100, 100};
    profile.mechanics.spares = {"track", 2};
    mechanism = Mechanism(tables_of(profile));
  }
  void expect_at(std::uint64_t lba, std::uint32_t cylinder, std::uint32_t head, std::uint32_t sector) const {
    const Location location = mechanism.locate(lba);
    EXPECT_EQ(location.cylinder, cylinder);
    EXPECT_EQ(location.head, head);
    EXPECT_EQ(location.sector, sector);
  }
  // From the start of the first sector of [first, end) to the end of the last.
  sim::Time time_of(std::uint64_t first, std::uint64_t end) {
    Pass pass;
    pass.begin(first, mechanism.locate(first), mechanism.locate(first).angle, false);
    return pass.reached(mechanism, end) - pass.begins_at();
  }

  Profile profile = small_profile();
  Mechanism mechanism{tables_of(small_profile())};
};

TEST_F(DriveRemap, TheSpareOfTheOwnTrackComesFirst) {
  EXPECT_TRUE(mechanism.remap(10));
  expect_at(10, 0, 0, 98);
  EXPECT_TRUE(mechanism.remap(20));
  expect_at(20, 0, 0, 99);
}

TEST_F(DriveRemap, ThenThoseOfTheNextTracks) {
  for (const std::uint64_t lba : {10, 11, 12}) EXPECT_TRUE(mechanism.remap(lba));
  expect_at(12, 0, 1, 98);
}

TEST_F(DriveRemap, AtTheEndOfTheDiskThoseBefore) {
  const std::uint64_t last = profile.capacity_sectors - 1;
  for (std::uint64_t i = 0; i < 3; ++i) EXPECT_TRUE(mechanism.remap(last - i));
  expect_at(last - 2, 39, 0, 98);
}

TEST_F(DriveRemap, ASectorIsRemappedOnce) {
  EXPECT_TRUE(mechanism.remap(10));
  EXPECT_FALSE(mechanism.remap(10));
}

TEST_F(DriveRemap, WhenNoSpareIsLeftItIsTold) {
  for (std::uint64_t lba = 0; lba < 160; ++lba) ASSERT_TRUE(mechanism.remap(lba * 3)) << lba;
  EXPECT_FALSE(mechanism.remap(1));
}

TEST_F(DriveRemap, ADriveWithoutSparesRemapsNothing) { EXPECT_FALSE(Mechanism(tables_of(small_profile())).remap(10)); }

TEST_F(DriveRemap, ATrackEndsBeforeTheRemappedSectorAndGoesOnBehindIt) {
  mechanism.remap(10);
  EXPECT_EQ(mechanism.locate(0).track_end, 10U);
  EXPECT_EQ(mechanism.locate(10).track_end, 11U);
  EXPECT_EQ(mechanism.locate(11).track_end, 98U);
  expect_at(11, 0, 0, 11);
}

TEST_F(DriveRemap, ARequestAcrossItGoesThereAndBack) {
  EXPECT_EQ(time_of(0, 20), 20 * kOuterSector);
  mechanism.remap(10);
  // To sector 98 of the same track, and a revolution after sector 11 would have come at sector 11.
  EXPECT_EQ(time_of(0, 11), 99 * kOuterSector);
  EXPECT_EQ(time_of(0, 20), kRevolution + 20 * kOuterSector);
}

TEST_F(DriveRemap, OnAnotherCylinderItCostsTheSeeks) {
  profile.mechanics.spares = {"zone", 2};
  profile.capacity_sectors = 40 * 200 - 2;
  mechanism = Mechanism(tables_of(profile));
  mechanism.remap(10);
  expect_at(10, 39, 1, 98);
  const sim::Time there = mechanism.movement(mechanism.locate(0), mechanism.locate(10), false);
  EXPECT_GT(there, 3 * kMs);
  EXPECT_GT(time_of(0, 20), 2 * there + 20 * kOuterSector);
}

TEST_F(DriveRemap, TheProfilesOnesAreThereFromTheBeginning) {
  profile.mechanics.remapped = {11, 10};
  mechanism = Mechanism(tables_of(profile));
  expect_at(11, 0, 0, 98);
  expect_at(10, 0, 0, 99);
}

TEST_F(DriveRemap, OneDrivesRemapsAreNotAnothers) {
  const auto tables = tables_of(profile);
  Mechanism one(tables);
  const Mechanism other(tables);
  one.remap(10);
  EXPECT_EQ(other.locate(10).sector, 10U);
}

}  // namespace
}  // namespace ncqlab::drive
