// Where an LBA lies, at the edges of tracks, cylinders, zones and the disk.
#include <gtest/gtest.h>

#include "model/drive/mechanics/geometry.h"
#include "model/sim/random.h"
#include "testbench/tests/unit/drive_small_profile.h"

namespace ncqlab::drive {
namespace {

Geometry small(Layout layout = {}) {
  const Profile profile = small_profile();
  return Geometry(profile.mechanics, profile.capacity_sectors, layout);
}

void expect_at(const Location& location, std::uint32_t cylinder, std::uint32_t head, std::uint32_t sector) {
  EXPECT_EQ(location.cylinder, cylinder);
  EXPECT_EQ(location.head, head);
  EXPECT_EQ(location.sector, sector);
}

TEST(DriveGeometry, ARevolutionFollowsFromRpm) {
  EXPECT_EQ(small().revolution(), kRevolution);
  Profile profile = small_profile();
  profile.mechanics.rpm = 7200;
  EXPECT_EQ(Geometry(profile.mechanics, 40'000, {}).revolution(), 8'333'333'333);
}

TEST(DriveGeometry, LbaZeroIsTheFirstSectorOfTheFirstTrack) { expect_at(small().locate(0), 0, 0, 0); }
TEST(DriveGeometry, TheLastSectorOfATrackIsOnItsHead) { expect_at(small().locate(99), 0, 0, 99); }
TEST(DriveGeometry, TheNextTrackIsOnTheNextHead) { expect_at(small().locate(100), 0, 1, 0); }
TEST(DriveGeometry, TheLastSectorOfACylinderIsOnTheLastHead) { expect_at(small().locate(199), 0, 1, 99); }
TEST(DriveGeometry, BehindTheLastHeadComesTheNextCylinder) { expect_at(small().locate(200), 1, 0, 0); }

TEST(DriveGeometry, TheLastSectorOfAZoneHasItsSectorsPerTrack) {
  const Location location = small().locate(19'999);
  expect_at(location, 99, 1, 99);
  EXPECT_EQ(location.sectors_per_track, 100U);
}

TEST(DriveGeometry, TheFirstSectorOfTheNextZoneHasThatOnes) {
  const Location location = small().locate(20'000);
  expect_at(location, 100, 0, 0);
  EXPECT_EQ(location.sectors_per_track, 50U);
}

TEST(DriveGeometry, TheLastLbaIsTheLastSectorOfTheLastCylinder) {
  const Geometry geometry = small();
  expect_at(geometry.locate(39'999), 299, 1, 49);
  EXPECT_EQ(geometry.cylinders(), 300U);
}

TEST(DriveGeometry, ATrackEndsWhereTheNextBegins) {
  const Geometry geometry = small();
  EXPECT_EQ(geometry.locate(0).track_end, 100U);
  EXPECT_EQ(geometry.locate(99).track_end, 100U);
  EXPECT_EQ(geometry.locate(100).track_end, 200U);
  EXPECT_EQ(geometry.locate(19'999).track_end, 20'000U);
  EXPECT_EQ(geometry.locate(20'000).track_end, 20'050U);
}

TEST(DriveGeometry, TheLastTrackEndsWithTheCapacity) {
  Profile profile = small_profile();
  profile.capacity_sectors = 39'975;
  const Geometry geometry(profile.mechanics, profile.capacity_sectors, {});
  EXPECT_EQ(geometry.locate(39'974).track_end, 39'975U);
}

TEST(DriveGeometry, ASectorsAngleIsItsShareOfARevolution) {
  const Geometry geometry = small();
  EXPECT_EQ(geometry.locate(0).angle, 0);
  EXPECT_EQ(geometry.locate(1).angle, kOuterSector);
  EXPECT_EQ(geometry.locate(99).angle, 99 * kOuterSector);
}

TEST(DriveGeometry, TheNextHeadIsDisplacedByTheHeadSkew) { EXPECT_EQ(small().locate(100).angle, 500 * kUs); }
TEST(DriveGeometry, TheNextCylinderIsDisplacedByTheCylinderSkewFromTheLastHead) {
  EXPECT_EQ(small().locate(200).angle, 2 * kMs);
}
TEST(DriveGeometry, SkewsGoRoundTheRevolution) { EXPECT_EQ(small().locate(5 * 200).angle, 0); }
TEST(DriveGeometry, SkewsGoOnAcrossAZoneBorder) {
  EXPECT_EQ(small().locate(20'000).angle, 100 * 2 * kMs % kRevolution);
}

TEST(DriveGeometry, TheSpindleStandsAtAngleZeroAtTimeZero) {
  const Geometry geometry = small();
  EXPECT_EQ(geometry.angle_at(0), 0);
  EXPECT_EQ(geometry.angle_at(kRevolution - 1), kRevolution - 1);
  EXPECT_EQ(geometry.angle_at(kRevolution), 0);
}

TEST(DriveGeometry, PassTimeOfAWholeTrackIsARevolution) {
  Profile profile = small_profile();
  profile.mechanics.rpm = 7200;
  const Geometry geometry(profile.mechanics, 40'000, {});
  for (const std::uint32_t sectors : {50U, 97U, 915U, 1558U, 2063U}) {
    EXPECT_EQ(geometry.pass_time(sectors, sectors), geometry.revolution()) << sectors;
  }
}

TEST(DriveGeometry, ZonesFollowTheParabolaThroughTheThreeValues) {
  Profile profile = small_profile();
  profile.mechanics.zones = {5, 2000, 1500, 900};
  profile.capacity_sectors = 50'000'000;
  const Geometry geometry(profile.mechanics, profile.capacity_sectors, {});
  EXPECT_EQ(geometry.locate(0).sectors_per_track, 2000U);
  EXPECT_EQ(geometry.locate(15'000'000).sectors_per_track, 1763U);  // 2000*3/8 + 1500*3/4 - 900/8 = 1762.5
  EXPECT_EQ(geometry.locate(25'000'000).sectors_per_track, 1500U);
  EXPECT_EQ(geometry.locate(49'999'999).sectors_per_track, 900U);
}

TEST(DriveGeometry, LayoutZeroIsNominal) {
  const Geometry geometry = small(Layout{0});
  EXPECT_EQ(geometry.angle_at(0), 0);
  EXPECT_EQ(geometry.locate(20'000).sector, 0U);
}

TEST(DriveGeometry, AnotherLayoutHasAnotherSpindlePhase) {
  EXPECT_NE(small(Layout{1}).angle_at(0), small(Layout{0}).angle_at(0));
  EXPECT_NE(small(Layout{1}).angle_at(0), small(Layout{2}).angle_at(0));
}

TEST(DriveGeometry, ZoneBordersOfLayoutsDifferBySomeCylinders) {
  bool differ = false;
  for (std::uint64_t number = 1; number <= 8; ++number) {
    const Geometry geometry = small(Layout{number});
    std::uint64_t border = 0;
    while (geometry.locate(border).sectors_per_track == 100) ++border;
    EXPECT_GE(border, 20'000U) << number;
    EXPECT_LE(border, 20'000U + 16 * 200) << number;
    differ = differ || border != 20'000;
  }
  EXPECT_TRUE(differ);
}

TEST(DriveGeometry, OneLayoutIsTheSameEveryTime) {
  EXPECT_EQ(small(Layout{7}).angle_at(0), small(Layout{7}).angle_at(0));
  EXPECT_EQ(small(Layout{7}).locate(30'000).cylinder, small(Layout{7}).locate(30'000).cylinder);
}

// What any geometry promises, on drives of different shapes.
class DriveGeometryProperty : public testing::TestWithParam<std::uint64_t> {
 protected:
  DriveGeometryProperty() : stream(GetParam(), "test/geometry") {
    profile.mechanics.heads = 1 + static_cast<unsigned>(stream.below(8));
    const auto outer = 60 + static_cast<unsigned>(stream.below(2000));
    const auto count = 1 + static_cast<unsigned>(stream.below(40));
    profile.mechanics.zones = {count, outer, outer * 3 / 4, outer / 2};
    profile.capacity_sectors = 2'000'000 + stream.below(100'000'000);
    profile.mechanics.rpm = 4200 + static_cast<double>(stream.below(11'000));
  }
  Geometry geometry() const { return Geometry(profile.mechanics, profile.capacity_sectors, Layout{GetParam() % 4}); }

  sim::Stream stream;
  Profile profile = small_profile();
};

TEST_P(DriveGeometryProperty, ConsecutiveLbasAreConsecutiveSectorsOrATrackSwitch) {
  const Geometry disk = geometry();
  for (int i = 0; i < 2000; ++i) {
    const std::uint64_t lba = stream.below(profile.capacity_sectors - 1);
    SCOPED_TRACE("seed " + std::to_string(GetParam()) + " LBA " + std::to_string(lba));
    const Location here = disk.locate(lba);
    const Location next = disk.locate(lba + 1);
    ASSERT_LT(here.sector, here.sectors_per_track);
    ASSERT_LT(here.head, disk.heads());
    ASSERT_LT(here.cylinder, disk.cylinders());
    ASSERT_GE(here.angle, 0);
    ASSERT_LT(here.angle, disk.revolution());
    if (disk.locate(lba).track_end != lba + 1) {
      ASSERT_EQ(next.sector, here.sector + 1);
      ASSERT_EQ(next.head, here.head);
      ASSERT_EQ(next.cylinder, here.cylinder);
    } else {
      ASSERT_EQ(here.sector + 1, here.sectors_per_track);
      ASSERT_EQ(next.sector, 0U);
      ASSERT_EQ(next.cylinder * disk.heads() + next.head, here.cylinder * disk.heads() + here.head + 1);
    }
  }
}

TEST_P(DriveGeometryProperty, AHigherLbaNeverLiesOnALowerTrack) {
  const Geometry disk = geometry();
  for (int i = 0; i < 2000; ++i) {
    const std::uint64_t a = stream.below(profile.capacity_sectors);
    const std::uint64_t b = stream.below(profile.capacity_sectors);
    const Location low = disk.locate(std::min(a, b));
    const Location high = disk.locate(std::max(a, b));
    ASSERT_LE(low.cylinder * disk.heads() + low.head, high.cylinder * disk.heads() + high.head)
        << "seed " << GetParam() << " LBAs " << a << " and " << b;
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, DriveGeometryProperty, testing::Range<std::uint64_t>(0, 24));

}  // namespace
}  // namespace ncqlab::drive
