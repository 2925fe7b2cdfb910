// Zones as a list, the orders in which LBAs fill tracks, spare sectors, and drives of any size.
#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "model/drive/mechanics/geometry.h"
#include "model/sim/random.h"
#include "testbench/tests/unit/drive_small_profile.h"

namespace ncqlab::drive {
namespace {

// One zone of 12 cylinders, two tracks of 10 sectors each.
Profile one_zone(const std::string& order, std::uint64_t band_tracks = 0) {
  Profile profile = small_profile();
  profile.capacity_sectors = 240;
  profile.mechanics.zones = {1, 10, 10, 10};
  profile.mechanics.layout = {order, band_tracks, 3 * kMs};
  return profile;
}

Geometry geometry_of(const Profile& profile, Layout layout = {}) {
  return Geometry(profile.mechanics, profile.capacity_sectors, layout);
}

// Cylinder and head of the so-manieth track in the order of the LBAs.
std::pair<std::uint32_t, std::uint32_t> track(const Geometry& geometry, std::uint64_t number) {
  const Location location = geometry.locate(number * 10);
  return {location.cylinder, location.head};
}
using At = std::pair<std::uint32_t, std::uint32_t>;

TEST(DriveLayout, CylinderSerpentineTurnsTheHeadsOnEverySecondCylinder) {
  const Geometry disk = geometry_of(one_zone("cylinder-serpentine"));
  EXPECT_EQ(track(disk, 0), At(0, 0));
  EXPECT_EQ(track(disk, 1), At(0, 1));
  EXPECT_EQ(track(disk, 2), At(1, 1));
  EXPECT_EQ(track(disk, 3), At(1, 0));
  EXPECT_EQ(track(disk, 4), At(2, 0));
}

TEST(DriveLayout, SurfaceSerpentineFillsAZoneOfASurfaceAndComesBackOnTheNext) {
  const Geometry disk = geometry_of(one_zone("surface-serpentine"));
  EXPECT_EQ(track(disk, 0), At(0, 0));
  EXPECT_EQ(track(disk, 11), At(11, 0));
  EXPECT_EQ(track(disk, 12), At(11, 1));
  EXPECT_EQ(track(disk, 23), At(0, 1));
}

TEST(DriveLayout, HybridSerpentineDoesSoInBands) {
  const Geometry disk = geometry_of(one_zone("hybrid-serpentine", 5));
  EXPECT_EQ(track(disk, 4), At(4, 0));
  EXPECT_EQ(track(disk, 5), At(4, 1));
  EXPECT_EQ(track(disk, 9), At(0, 1));
  EXPECT_EQ(track(disk, 10), At(5, 0));
  EXPECT_EQ(track(disk, 19), At(5, 1));
}

TEST(DriveLayout, TheLastBandOfAZoneHasWhatIsLeft) {
  const Geometry disk = geometry_of(one_zone("hybrid-serpentine", 5));  // 5, 5, 2 cylinders
  EXPECT_EQ(track(disk, 20), At(10, 0));
  EXPECT_EQ(track(disk, 21), At(11, 0));
  EXPECT_EQ(track(disk, 22), At(11, 1));
  EXPECT_EQ(track(disk, 23), At(10, 1));
}

TEST(DriveLayout, AlongASurfaceTheCylinderSkewCountsAndWhereTheHeadChangesTheHeadSkew) {
  const Geometry disk = geometry_of(one_zone("hybrid-serpentine", 5));
  const auto angle = [&](std::uint64_t number) { return disk.locate(number * 10).angle; };
  EXPECT_EQ(angle(1), 1500 * kUs);
  EXPECT_EQ(angle(4), 6 * kMs);
  EXPECT_EQ(angle(5), 6500 * kUs);
  EXPECT_EQ(angle(6), 8 * kMs);
}

TEST(DriveLayout, FromBandToBandTheBandSkewCounts) {
  const Geometry disk = geometry_of(one_zone("hybrid-serpentine", 5));
  const sim::Time last = disk.locate(90).angle;  // 4 + 4 cylinder skews and a head skew: 12.5 ms
  EXPECT_EQ(last, 2500 * kUs);
  EXPECT_EQ(disk.locate(100).angle, last + 3 * kMs);
}

TEST(DriveLayout, SkewsGoOnAcrossAZoneBorderInBandsToo) {
  Profile profile = one_zone("hybrid-serpentine", 5);
  profile.mechanics.zones.list = {{10, 0, 7}, {10, 0, 5}};  // bands of 5 and 2, then 5
  const Geometry disk = geometry_of(profile);
  EXPECT_EQ(track(disk, 14), At(7, 0));
  // 12.5 ms + 3 ms of the first band, 1.5 + 0.5 + 1.5 + 3 ms of the second
  EXPECT_EQ(disk.locate(140).angle, (15'500 + 6'500) * kUs % kRevolution);
}

TEST(DriveLayout, ListedZonesByShareHaveTheirSharesInWholeCylinders) {
  Profile profile = small_profile();  // 40,000 sectors, 2 heads
  profile.mechanics.zones.list = {{100, 0.25, 0}, {80, 0.5, 0}, {50, 0.25, 0}};
  const Geometry disk = geometry_of(profile);
  EXPECT_EQ(disk.locate(9'999).sectors_per_track, 100U);
  EXPECT_EQ(disk.locate(10'000).sectors_per_track, 80U);
  EXPECT_EQ(disk.locate(29'999).sectors_per_track, 80U);
  EXPECT_EQ(disk.locate(30'000).sectors_per_track, 50U);
  EXPECT_EQ(disk.cylinders(), 50U + 125 + 100);
}

TEST(DriveLayout, ListedZonesByCylindersHaveThoseCylinders) {
  Profile profile = small_profile();
  profile.mechanics.zones.list = {{100, 0, 10}, {50, 0, 400}};
  const Geometry disk = geometry_of(profile);
  EXPECT_EQ(disk.locate(1'999).cylinder, 9U);
  EXPECT_EQ(disk.locate(2'000).cylinder, 10U);
  EXPECT_EQ(disk.locate(2'000).sectors_per_track, 50U);
  EXPECT_EQ(disk.locate(39'999).track_end, 40'000U);
}

// ---- spare sectors

Profile with_spares(const std::string& per, unsigned sectors) {
  Profile profile = one_zone("classic");
  profile.capacity_sectors = 200;
  profile.mechanics.spares = {per, sectors};
  return profile;
}

TEST(DriveLayout, SparesOfATrackLieBehindItsLbas) {
  const Geometry disk = geometry_of(with_spares("track", 2));  // 8 LBAs a track of 10 sectors
  EXPECT_EQ(disk.locate(7).sector, 7U);
  EXPECT_EQ(disk.locate(7).track_end, 8U);
  EXPECT_EQ(disk.locate(8).head, 1U);
  EXPECT_EQ(disk.locate(8).sector, 0U);
  EXPECT_EQ(disk.locate(7).sectors_per_track, 10U) << "so many pass in a revolution";
  EXPECT_EQ(disk.spare_pool_of(8), 1U);
  EXPECT_EQ(disk.spare(1, 0).sector, 8U);
  EXPECT_EQ(disk.spare(1, 1).sector, 9U);
  EXPECT_EQ(disk.spare(1, 1).head, 1U);
}

TEST(DriveLayout, SparesOfACylinderLieAtTheEndOfItsLastTrack) {
  const Geometry disk = geometry_of(with_spares("cylinder", 3));  // 17 LBAs
  EXPECT_EQ(disk.locate(9).track_end, 10U);
  EXPECT_EQ(disk.locate(16).sector, 6U);
  EXPECT_EQ(disk.locate(16).track_end, 17U);
  EXPECT_EQ(disk.locate(17).cylinder, 1U);
  EXPECT_EQ(disk.locate(17).head, 0U);
  EXPECT_EQ(disk.spare_pool_of(17), 1U);
  EXPECT_EQ(disk.spare(1, 2).cylinder, 1U);
  EXPECT_EQ(disk.spare(1, 2).head, 1U);
  EXPECT_EQ(disk.spare(1, 2).sector, 9U);
}

TEST(DriveLayout, SparesOfAZoneLieAtTheEndOfItsLastTrack) {
  Profile profile = with_spares("zone", 4);
  profile.mechanics.zones.list = {{10, 0, 5}, {10, 0, 6}};
  const Geometry disk = geometry_of(profile);
  EXPECT_EQ(disk.locate(95).sector, 5U);
  EXPECT_EQ(disk.locate(95).track_end, 96U);
  EXPECT_EQ(disk.locate(96).cylinder, 5U);
  EXPECT_EQ(disk.locate(96).sector, 0U);
  EXPECT_EQ(disk.spare_pools(), 2U);
  EXPECT_EQ(disk.spare(0, 0).cylinder, 4U);
  EXPECT_EQ(disk.spare(0, 0).sector, 6U);
  EXPECT_EQ(disk.spare(1, 3).cylinder, 10U);
  EXPECT_EQ(disk.spare(1, 3).sector, 9U);
}

// ---- what every shape promises

using Place = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
Place place(const Location& location) { return {location.cylinder, location.head, location.sector}; }

class DriveLayoutProperty : public testing::TestWithParam<std::uint64_t> {
 protected:
  DriveLayoutProperty() : stream(GetParam(), "test/layout") {
    constexpr const char* kOrders[] = {"classic", "cylinder-serpentine", "surface-serpentine", "hybrid-serpentine"};
    constexpr const char* kPer[] = {"track", "cylinder", "zone"};
    Mechanics& mechanics = profile.mechanics;
    mechanics.heads = 1 + static_cast<unsigned>(stream.below(5));
    mechanics.layout.order = kOrders[GetParam() % 4];
    if (GetParam() % 4 == 3) mechanics.layout.band_tracks = 1 + stream.below(30);
    mechanics.layout.band_skew = 2 * kMs;
    if (stream.below(4) != 0) {
      mechanics.spares.per = kPer[stream.below(3)];
      if (GetParam() % 4 >= 2 && mechanics.spares.per == "cylinder") mechanics.spares.per = "zone";
      mechanics.spares.sectors = 1 + static_cast<unsigned>(stream.below(8));
    }
    const std::uint64_t zones = 1 + stream.below(5);
    const bool by_share = stream.below(2) == 0;
    profile.capacity_sectors = 0;
    for (std::uint64_t i = 0; i < zones; ++i) {
      const auto sectors = static_cast<unsigned>(20 + stream.below(30));
      const std::uint64_t cylinders = 1 + stream.below(60);
      mechanics.zones.list.push_back(
          {sectors, by_share ? 1.0 / static_cast<double>(zones) : 0, by_share ? 0 : cylinders});
      profile.capacity_sectors += (sectors - 8) * mechanics.heads * cylinders;
    }
  }

  sim::Stream stream;
  Profile profile = small_profile();
};

// Every LBA in turn, so that all borders are among them.
TEST_P(DriveLayoutProperty, EveryLbaHasASectorOfItsOwnAndTracksEndWhereTheNextBegins) {
  const Geometry disk = geometry_of(profile, Layout{GetParam() % 3});
  std::set<Place> seen;
  std::uint64_t track_end = 0;
  Location before;
  for (std::uint64_t lba = 0; lba < profile.capacity_sectors; ++lba) {
    SCOPED_TRACE("seed " + std::to_string(GetParam()) + " LBA " + std::to_string(lba));
    const Location here = disk.locate(lba);
    ASSERT_LT(here.cylinder, disk.cylinders());
    ASSERT_LT(here.head, disk.heads());
    ASSERT_LT(here.sector, here.sectors_per_track);
    ASSERT_TRUE(seen.insert(place(here)).second) << "two LBAs in one sector";
    if (lba < track_end) {
      ASSERT_EQ(here.track_end, track_end);
      ASSERT_EQ(here.sector, before.sector + 1);
    } else {
      ASSERT_EQ(lba, track_end);
      ASSERT_EQ(here.sector, 0U);
      track_end = here.track_end;
    }
    before = here;
  }
  ASSERT_EQ(track_end, profile.capacity_sectors);
  for (std::uint64_t pool = 0; pool < (disk.spares_per_pool() == 0 ? 0 : disk.spare_pools()); ++pool) {
    for (std::uint32_t slot = 0; slot < disk.spares_per_pool(); ++slot) {
      const Location spare = disk.spare(pool, slot);
      ASSERT_LT(spare.sector, spare.sectors_per_track);
      ASSERT_TRUE(seen.insert(place(spare)).second) << "pool " << pool << " slot " << slot << " is taken";
    }
  }
}

TEST_P(DriveLayoutProperty, FromTrackToTrackTheAngleIsDisplacedByTheSkewOfThatStep) {
  const Geometry disk = geometry_of(profile);
  const Mechanics& mechanics = profile.mechanics;
  const bool bands = GetParam() % 4 >= 2;
  for (std::uint64_t lba = disk.locate(0).track_end; lba < profile.capacity_sectors;) {
    const Location here = disk.locate(lba);
    const Location before = disk.locate(lba - 1);
    sim::Time expected = mechanics.cylinder_skew;
    if (here.cylinder == before.cylinder) expected = mechanics.head_skew;
    const bool new_zone = here.sectors_per_track != before.sectors_per_track;
    if (bands && here.cylinder != before.cylinder && (new_zone || here.head != before.head || disk.heads() == 1)) {
      lba = here.track_end;  // from band to band: checked above
      continue;
    }
    const sim::Time begin = before.angle - disk.pass_time(before.sector, before.sectors_per_track);
    const sim::Time step = ((here.angle - begin) % kRevolution + kRevolution) % kRevolution;
    ASSERT_NEAR(static_cast<double>(step), static_cast<double>(expected), 2.0)
        << "seed " << GetParam() << " LBA " << lba;
    lba = here.track_end;
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, DriveLayoutProperty, testing::Range<std::uint64_t>(0, 48));

// ---- large drives

TEST(DriveLayout, ADriveOf20TerabytesHasItsLastSectorWhereItBelongs) {
  Profile profile = small_profile();
  profile.capacity_sectors = 39'063'650'304;  // 20 TB
  profile.mechanics.heads = 20;
  profile.mechanics.rpm = 7200;
  profile.mechanics.zones = {60, 5000, 4200, 2500};
  for (const char* order : {"classic", "cylinder-serpentine", "surface-serpentine", "hybrid-serpentine"}) {
    profile.mechanics.layout = {order, std::string(order) == "hybrid-serpentine" ? 300U : 0U, 2 * kMs};
    const Geometry disk = geometry_of(profile);
    const Location last = disk.locate(profile.capacity_sectors - 1);
    EXPECT_EQ(last.track_end, profile.capacity_sectors) << order;
    EXPECT_EQ(last.sectors_per_track, 2500U) << order;
    EXPECT_LT(last.cylinder, disk.cylinders()) << order;
    EXPECT_GT(disk.cylinders(), 450'000U) << order;  // 20 heads, 9.6 million tracks of 4,060 sectors on average
    sim::Stream stream(1, order);
    for (int i = 0; i < 20'000; ++i) {
      const std::uint64_t lba = stream.below(profile.capacity_sectors - 1);
      const Location here = disk.locate(lba);
      const Location next = disk.locate(lba + 1);
      ASSERT_GE(here.angle, 0);
      ASSERT_LT(here.angle, disk.revolution());
      if (here.track_end > lba + 1) {
        ASSERT_EQ(next.sector, here.sector + 1);
      } else {
        ASSERT_EQ(next.sector, 0U);
      }
    }
  }
}

TEST(DriveLayout, MoreTracksThan32BitsOfSectorsCountAreTold) {
  Profile profile = small_profile();
  profile.capacity_sectors = (1ULL << 32U) * 100;
  profile.mechanics.heads = 64;
  profile.mechanics.zones = {1, 4000, 4000, 4000};
  const Geometry disk = geometry_of(profile);
  const std::uint64_t lba = (1ULL << 32U) * 99;
  EXPECT_EQ(disk.locate(lba).cylinder, lba / (64 * 4000));
  EXPECT_EQ(disk.locate(lba).head, lba / 4000 % 64);
  EXPECT_EQ(disk.locate(lba).sector, lba % 4000);
}

// ---- speed tolerance

TEST(DriveSpeed, LayoutZeroTurnsAtTheNominalSpeed) {
  Profile profile = small_profile();
  profile.mechanics.rpm_tolerance_fraction = 0.01;
  EXPECT_EQ(geometry_of(profile).revolution(), kRevolution);
}

TEST(DriveSpeed, OthersDifferWithinTheToleranceAndBothWays) {
  Profile profile = small_profile();
  profile.mechanics.rpm_tolerance_fraction = 0.01;
  bool slower = false;
  bool faster = false;
  for (std::uint64_t number = 1; number <= 40; ++number) {
    const sim::Time revolution = geometry_of(profile, Layout{number}).revolution();
    EXPECT_GE(revolution, kRevolution * 100 / 101);
    EXPECT_LE(revolution, kRevolution * 100 / 99 + 1);
    slower = slower || revolution > kRevolution * 1004 / 1000;
    faster = faster || revolution < kRevolution * 996 / 1000;
  }
  EXPECT_TRUE(slower);
  EXPECT_TRUE(faster);
}

TEST(DriveSpeed, WithoutAToleranceAllTurnAlike) {
  EXPECT_EQ(geometry_of(small_profile(), Layout{7}).revolution(), kRevolution);
}

TEST(DriveSpeed, TheToleranceMovesNoZoneBorder) {
  Profile profile = small_profile();
  const Geometry before = geometry_of(profile, Layout{3});
  profile.mechanics.rpm_tolerance_fraction = 0.01;
  const Geometry after = geometry_of(profile, Layout{3});
  for (std::uint64_t lba = 0; lba < 40'000; lba += 7) EXPECT_EQ(place(before.locate(lba)), place(after.locate(lba)));
}

}  // namespace
}  // namespace ncqlab::drive
