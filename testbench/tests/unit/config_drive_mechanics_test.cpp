// The mechanics of a drive profile beyond zones by a parabola and the usual seek curve: what is read, and each way in
// which it can be wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "model/config/drive_profile.h"

namespace ncqlab::config {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// The test drive with pieces of its text replaced.
std::string with(std::initializer_list<std::pair<std::string, std::string>> replacements) {
  std::ifstream stream("testbench/tests/unit/data/drive.json");
  std::stringstream buffer;
  buffer << stream.rdbuf();
  std::string text = buffer.str();
  for (const auto& [from, to] : replacements) {
    const auto at = text.find(from);
    if (at == std::string::npos) throw std::logic_error("the test drive has no " + from);
    text.replace(at, from.size(), to);
  }
  return text;
}

// With another member of the mechanics.
std::string adding(const std::string& member) {
  return with({{"\"write_settle_ms\": 0.125", "\"write_settle_ms\": 0.125, " + member}});
}

constexpr const char* kZones =
    "\"zones\": {\n      \"count\": 4,\n      \"outer_sectors_per_track\": 1000,\n      \"middle_sectors_per_track\": "
    "800,\n"
    "      \"inner_sectors_per_track\": 500\n    }";

std::string with_zones(const std::string& list) { return with({{kZones, "\"zone_list\": " + list}}); }

// With another seek curve.
std::string with_seek(const std::string& members) {
  std::string text = with({{"\"seek\": {", "\"seek\": {@"}});
  const auto begin = text.find('@');
  return text.replace(begin, text.find('}', begin) - begin, members);
}

drive::Mechanics mechanics_of(const std::string& text) {
  return read_drive_profile(Document::parse(text, "d.json"), "d").mechanics;
}

std::vector<std::string> errors_of(const std::string& text) {
  try {
    read_drive_profile(Document::parse(text, "d.json"), "d");
  } catch (const ConfigError& e) {
    return e.lines();
  }
  return {};
}

std::vector<std::string> warnings_of(const std::string& text) {
  std::vector<std::string> warnings;
  read_drive_profile(Document::parse(text, "d.json"), "d", &warnings);
  return warnings;
}

// ---- zones

TEST(DriveMechanicsProfile, ZonesMayBeListedByShare) {
  const auto zones = mechanics_of(with_zones(R"([{"sectors_per_track": 1000, "share": 0.75},
                                                 {"sectors_per_track": 900, "share": 0.25}])"))
                         .zones;
  ASSERT_EQ(zones.list.size(), 2U);
  EXPECT_EQ(zones.list[0].sectors_per_track, 1000U);
  EXPECT_EQ(zones.list[0].share, 0.75);
  EXPECT_EQ(zones.list[1].cylinders, 0U);
}

TEST(DriveMechanicsProfile, OrByCylinders) {
  const auto zones = mechanics_of(with_zones(R"([{"sectors_per_track": 1000, "cylinders": 60}])")).zones;
  EXPECT_EQ(zones.list[0].cylinders, 60U);
}

TEST(DriveMechanicsProfile, ZonesHaveASharesOrCylindersAllAlike) {
  EXPECT_THAT(errors_of(with_zones(R"([{"sectors_per_track": 1000}])")),
              ElementsAre("d.json: /mechanics/zone_list/0: neither share nor cylinders, expected one of them"));
  EXPECT_THAT(errors_of(with_zones(R"([{"sectors_per_track": 1000, "share": 1, "cylinders": 60}])")),
              ElementsAre("d.json: /mechanics/zone_list/0: share and cylinders, expected one of them"));
  EXPECT_THAT(errors_of(with_zones(R"([{"sectors_per_track": 1000, "share": 0.5},
                                       {"sectors_per_track": 900, "cylinders": 60}])")),
              ElementsAre("d.json: /mechanics/zone_list/1: found cylinders, expected share, as the zones before have"));
}

TEST(DriveMechanicsProfile, SharesAddUpToOne) {
  EXPECT_THAT(errors_of(with_zones(R"([{"sectors_per_track": 1000, "share": 0.5}])")),
              ElementsAre("d.json: /mechanics/zone_list: shares that add up to 0.5, expected a sum of 1"));
}

TEST(DriveMechanicsProfile, ListedCylindersHoldTheCapacity) {
  // 102,400 sectors in cylinders of 2 x 1000: 51.2 of them.
  EXPECT_THAT(errors_of(with_zones(R"([{"sectors_per_track": 1000, "cylinders": 52}])")), IsEmpty());
  EXPECT_THAT(errors_of(with_zones(R"([{"sectors_per_track": 1000, "cylinders": 51}])")),
              ElementsAre("d.json: /mechanics/zone_list: zones of 102000 sectors, expected at least /capacity_sectors "
                          "(102400)"));
}

TEST(DriveMechanicsProfile, AListedZoneBehindTheCapacityIsOnlyOdd) {
  EXPECT_THAT(warnings_of(with_zones(R"([{"sectors_per_track": 1000, "cylinders": 52},
                                         {"sectors_per_track": 900, "cylinders": 1}])")),
              ElementsAre("d.json: /mechanics/zone_list/1: a zone behind the last sector, expected zones that "
                          "/capacity_sectors reaches"));
}

TEST(DriveMechanicsProfile, OneKindOfZonesIsThere) {
  EXPECT_THAT(errors_of(with({{kZones, "\"remapped\": []"}})),
              ElementsAre("d.json: /mechanics/zones: missing, expected it or zone_list"));
  EXPECT_THAT(errors_of(adding(R"("zone_list": [{"sectors_per_track": 1000, "share": 1}])")),
              ElementsAre("d.json: /mechanics/zones: found beside zone_list, expected it or zone_list"));
}

// ---- layout, spares, remapped sectors, speed

TEST(DriveMechanicsProfile, TheLayoutIsRead) {
  const auto layout =
      mechanics_of(adding(R"("layout": {"order": "hybrid-serpentine", "band_tracks": 7, "band_skew_ms": 2})")).layout;
  EXPECT_EQ(layout.order, "hybrid-serpentine");
  EXPECT_EQ(layout.band_tracks, 7U);
  EXPECT_EQ(layout.band_skew, sim::from_ms(2));
  EXPECT_EQ(mechanics_of(with({})).layout.order, "classic");
}

TEST(DriveMechanicsProfile, OnlyHybridSerpentineHasBandsOfSoManyTracks) {
  EXPECT_THAT(errors_of(adding(R"("layout": {"order": "hybrid-serpentine", "band_tracks": 0, "band_skew_ms": 2})")),
              ElementsAre("d.json: /mechanics/layout/band_tracks: found 0, expected at least 1, for order "
                          "hybrid-serpentine"));
  EXPECT_THAT(errors_of(adding(R"("layout": {"order": "classic", "band_tracks": 7, "band_skew_ms": 2})")),
              ElementsAre("d.json: /mechanics/layout/band_tracks: found 7, expected 0, for order classic"));
}

TEST(DriveMechanicsProfile, ABandSkewIsLessThanARevolution) {
  EXPECT_THAT(errors_of(adding(R"("layout": {"order": "surface-serpentine", "band_tracks": 0, "band_skew_ms": 9})")),
              ElementsAre("d.json: /mechanics/layout/band_skew_ms: found 9, expected less than one revolution "
                          "(8.333333333)"));
}

TEST(DriveMechanicsProfile, SparesAndRemappedSectorsAreRead) {
  const auto mechanics = mechanics_of(adding(R"("spares": {"per": "cylinder", "sectors": 5}, "remapped": [9, 8])"));
  EXPECT_EQ(mechanics.spares.per, "cylinder");
  EXPECT_EQ(mechanics.spares.sectors, 5U);
  EXPECT_THAT(mechanics.remapped, ElementsAre(9, 8));
}

TEST(DriveMechanicsProfile, SparesLeaveSomethingOfTheShortestTrack) {
  EXPECT_THAT(errors_of(adding(R"("spares": {"per": "zone", "sectors": 500})")),
              ElementsAre("d.json: /mechanics/spares/sectors: found 500, expected less than the shortest track has "
                          "(500)"));
}

TEST(DriveMechanicsProfile, SparesOfACylinderNeedOneThatLbasFillInTurn) {
  EXPECT_THAT(errors_of(adding(R"("spares": {"per": "cylinder", "sectors": 5},
                                  "layout": {"order": "surface-serpentine", "band_tracks": 0, "band_skew_ms": 2})")),
              ElementsAre("d.json: /mechanics/spares/per: found \"cylinder\", expected \"track\" or \"zone\": with "
                          "order surface-serpentine no LBAs follow each other in one"));
}

TEST(DriveMechanicsProfile, ARemappedLbaIsOnTheDiskAndNamedOnce) {
  EXPECT_THAT(errors_of(adding(R"("spares": {"per": "track", "sectors": 5}, "remapped": [102400, 3, 3])")),
              ElementsAre("d.json: /mechanics/remapped/0: found 102400, expected less than /capacity_sectors (102400)",
                          "d.json: /mechanics/remapped/2: found 3 for the second time, expected each LBA once"));
}

TEST(DriveMechanicsProfile, RemappedSectorsNeedSpares) {
  EXPECT_THAT(errors_of(adding(R"("remapped": [3])")),
              ElementsAre("d.json: /mechanics/remapped: 1 sectors, expected no more than there are spare ones (0)"));
}

TEST(DriveMechanicsProfile, TheSpeedToleranceIsRead) {
  EXPECT_EQ(mechanics_of(adding(R"("speed_tolerance": {"fraction": 0.0078125})")).rpm_tolerance_fraction, 0.0078125);
  EXPECT_EQ(mechanics_of(with({})).rpm_tolerance_fraction, 0);
}

TEST(DriveMechanicsProfile, TooManyTracksAreRefused) {
  EXPECT_THAT(errors_of(with({{"\"capacity_sectors\": 102400", "\"capacity_sectors\": 281474976710655"},
                              {"\"heads\": 2", "\"heads\": 64"},
                              {"\"outer_sectors_per_track\": 1000", "\"outer_sectors_per_track\": 65535"},
                              {"\"middle_sectors_per_track\": 800", "\"middle_sectors_per_track\": 65535"},
                              {"\"inner_sectors_per_track\": 500", "\"inner_sectors_per_track\": 65535"}})),
              ElementsAre("d.json: /capacity_sectors: found 281474976710655, expected no more than 16777216 cylinders; "
                          "more heads or sectors per track?"));
  EXPECT_THAT(errors_of(with({{"\"capacity_sectors\": 102400", "\"capacity_sectors\": 140000000000"},
                              {"\"heads\": 2", "\"heads\": 64"}})),
              ElementsAre("d.json: /capacity_sectors: found 140000000000, expected no more than 134217728 tracks; more "
                          "sectors per track?"));
}

// ---- seek curves

TEST(DriveMechanicsProfile, ATableIsRead) {
  const auto seek = mechanics_of(with_seek(R"("curve": "table", "points": [{"cylinders": 1, "time_ms": 0.5},
                                                                          {"cylinders": 50, "time_ms": 8}])"))
                        .seek;
  EXPECT_EQ(seek.curve, "table");
  ASSERT_EQ(seek.points.size(), 2U);
  EXPECT_EQ(seek.points[1].cylinders, 50U);
  EXPECT_EQ(seek.points[1].time, sim::from_ms(8));
}

TEST(DriveMechanicsProfile, AnHplCurveIsRead) {
  const auto seek = mechanics_of(with_seek(R"("curve": "hpl", "single_cylinder_ms": 0.5, "boundary_cylinders": 383,
                                              "short_base_ms": 3.25, "short_per_root_ms": 0.5, "long_base_ms": 8,
                                              "long_per_cylinder_ms": 0.0078125)"))
                        .seek;
  EXPECT_EQ(seek.single_cylinder, sim::from_ms(0.5));
  EXPECT_EQ(seek.hpl.boundary_cylinders, 383U);
  EXPECT_EQ(seek.hpl.short_base, sim::from_ms(3.25));
  EXPECT_EQ(seek.hpl.short_per_root, sim::from_ms(0.5));
  EXPECT_EQ(seek.hpl.long_base, sim::from_ms(8));
  EXPECT_EQ(seek.hpl.long_per_cylinder, sim::from_ms(0.0078125));
}

TEST(DriveMechanicsProfile, ThreePointAndLeeHaveTheirThreeFigures) {
  for (const std::string name : {"three-point", "lee"}) {
    const auto seek =
        mechanics_of(with_seek("\"curve\": \"" + name +
                               "\", \"single_cylinder_ms\": 1, \"average_ms\": 8, \"full_stroke_ms\": 15"))
            .seek;
    EXPECT_EQ(seek.curve, name);
    EXPECT_EQ(seek.average, sim::from_ms(8));
  }
}

TEST(DriveMechanicsProfile, ACurveHasItsOwnMembersAndNoOthers) {
  EXPECT_THAT(errors_of(with_seek(R"("curve": "lee", "single_cylinder_ms": 1, "knee_ms": 8, "full_stroke_ms": 15)")),
              ElementsAre("d.json: /mechanics/seek/average_ms: missing, expected it, for curve lee",
                          "d.json: /mechanics/seek/knee_ms: found, expected no such member for curve lee"));
}

TEST(DriveMechanicsProfile, TheFirstTenReplaceTheSingleCylinder) {
  const std::string rest =
      R"(, "curve": "hpl", "first_ten_ms": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], "boundary_cylinders": 383,
         "short_base_ms": 3, "short_per_root_ms": 1, "long_base_ms": 8, "long_per_cylinder_ms": 0.5)";
  EXPECT_EQ(mechanics_of(with_seek(rest.substr(1))).seek.hpl.first_ten.back(), sim::from_ms(10));
  EXPECT_THAT(errors_of(with_seek("\"single_cylinder_ms\": 1" + rest)),
              ElementsAre("d.json: /mechanics/seek/single_cylinder_ms: found, expected it or first_ten_ms, not both"));
}

TEST(DriveMechanicsProfile, PointsGoOutwards) {
  EXPECT_THAT(
      errors_of(with_seek(R"("curve": "table", "points": [{"cylinders": 9, "time_ms": 1},
                                                                  {"cylinders": 9, "time_ms": 2}])")),
      ElementsAre("d.json: /mechanics/seek/points/1/cylinders: found 9, expected more than the point before has "
                  "(9)"));
}

TEST(DriveMechanicsProfile, TheThreeFiguresRise) {
  EXPECT_THAT(
      errors_of(with_seek(R"("curve": "lee", "single_cylinder_ms": 1, "average_ms": 8, "full_stroke_ms": 7)")),
      ElementsAre("d.json: /mechanics/seek/full_stroke_ms: found 7, expected at least /mechanics/seek/average_ms "
                  "(8)"));
}

TEST(DriveMechanicsProfile, ACurveForWritesContainsTheirSettling) {
  const std::string curve = R"("write_seek": {"curve": "three-point", "single_cylinder_ms": 1, "average_ms": 9,
                                              "full_stroke_ms": 16})";
  EXPECT_THAT(
      errors_of(adding(curve)),
      ElementsAre("d.json: /mechanics/write_settle_ms: found 0.125, expected 0 beside write_seek, which contains "
                  "it"));
  const auto mechanics = mechanics_of(with({{"\"write_settle_ms\": 0.125", "\"write_settle_ms\": 0, " + curve}}));
  ASSERT_TRUE(mechanics.write_seek);
  EXPECT_EQ(mechanics.write_seek->average, sim::from_ms(9));
}

// ---- physical sectors

std::string with_physical(const std::string& section) {
  return with({{"\"queue\": {", "\"physical_sectors\": " + section + ", \"queue\": {"},
               {"{\"of\": \"/mechanics\"",
                R"({"of": "/physical_sectors", "source": "made up", "standing": "estimate"}, {"of": "/mechanics")"}});
}

TEST(DriveMechanicsProfile, PhysicalSectorsAreRead) {
  const auto profile =
      read_drive_profile(Document::parse(with_physical("{\"bytes\": 4096, \"lba_0_offset\": 7}"), "d.json"), "d");
  EXPECT_EQ(profile.physical_sectors.bytes, 4096U);
  EXPECT_EQ(profile.physical_sectors.lba_0_offset, 7U);
}

TEST(DriveMechanicsProfile, LbaZeroLiesInItsPhysicalSector) {
  EXPECT_THAT(
      errors_of(with_physical("{\"bytes\": 4096, \"lba_0_offset\": 8}")),
      ElementsAre("d.json: /physical_sectors/lba_0_offset: found 8, expected less than the 8 LBAs of a physical "
                  "sector"));
}

TEST(DriveMechanicsProfile, TheHeadsWayBackIsRead) {
  const std::string section = R"("head_unload": {"load_ms": 250, "unload_after_idle_ms": 8000}, "queue": {)";
  const std::string source = R"({"of": "/head_unload", "source": "made up", "standing": "estimate"}, )";
  const std::string text =
      with({{"\"queue\": {", section}, {"{\"of\": \"/mechanics\"", source + "{\"of\": \"/mechanics\""}});
  const auto unload = read_drive_profile(Document::parse(text, "d.json"), "d").head_unload;
  EXPECT_EQ(unload.load, sim::from_ms(250));
  EXPECT_EQ(unload.unload_after_idle, sim::from_ms(8000));
}

// ---- flash

std::string flash_text() {
  std::string text = with({{"\"mechanics\": {", "@"}, {"\"/mechanics\"", "\"/flash\""}});
  const auto begin = text.find('@');
  return text.replace(begin, text.find("\"queue\"", begin) - begin,
                      R"("flash": {"read_access_ms": 0.0625, "write_access_ms": 0.03125, "bytes_per_second": 500000000},
)");
}

TEST(DriveMechanicsProfile, FlashStandsInThePlaceOfMechanics) {
  const auto mechanics = mechanics_of(flash_text());
  ASSERT_TRUE(mechanics.flash);
  EXPECT_EQ(mechanics.flash->read_access, sim::from_ms(0.0625));
  EXPECT_EQ(mechanics.flash->write_access, sim::from_ms(0.03125));
  EXPECT_EQ(mechanics.flash->bytes_per_second, 500'000'000U);
}

TEST(DriveMechanicsProfile, ADriveHasMechanicsOrFlash) {
  EXPECT_THAT(errors_of(with({{"\"queue\": {", R"("flash": {"read_access_ms": 1, "write_access_ms": 1,
                                                  "bytes_per_second": 500000000}, "queue": {)"}})),
              ElementsAre("d.json: /mechanics: found beside flash, expected it or flash"));
}

}  // namespace
}  // namespace ncqlab::config
