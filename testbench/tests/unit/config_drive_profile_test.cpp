// Drive profiles: what a good one becomes, and the exact line for each way in which one can be bad.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "model/config/drive_profile.h"
#include "model/config/sources.h"

namespace ncqlab::config {
namespace {

using testing::ElementsAre;

std::string drive_text() {
  std::ifstream stream("testbench/tests/unit/data/drive.json");
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

// The test drive with one piece of its text replaced.
std::string with(const std::string& piece, const std::string& replacement) {
  std::string text = drive_text();
  const auto at = text.find(piece);
  if (at == std::string::npos) throw std::logic_error("the test drive has no " + piece);
  return text.replace(at, piece.size(), replacement);
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

TEST(DriveProfile, EveryMemberIsRead) {
  const auto p = load_drive_profile("testbench/tests/unit/data/drive.json");
  EXPECT_EQ(p.name, "drive");
  EXPECT_EQ(p.title, "Test drive, 16 cylinders a zone");
  EXPECT_EQ(p.identity.model, "TEST DRIVE");
  EXPECT_EQ(p.identity.serial, "T0001");
  EXPECT_EQ(p.identity.firmware, "1.0");
  EXPECT_EQ(p.capacity_sectors, 102400U);
  EXPECT_EQ(p.interface.generation, 2U);
  EXPECT_EQ(p.interface.queue_depth, 32U);
  EXPECT_TRUE(p.interface.ncq);
  EXPECT_EQ(p.interface.ready_after_reset, sim::from_us(2500));
  EXPECT_TRUE(p.departures.register_fis_after_pio_in);
  EXPECT_TRUE(p.departures.long_28_bit_counts);
  EXPECT_TRUE(p.departures.sector_bytes_in_word_5);
  EXPECT_TRUE(p.serial_ata.auto_activate);
  EXPECT_TRUE(p.serial_ata.buffer_offsets);
  EXPECT_TRUE(p.serial_ata.in_order_delivery);
  EXPECT_EQ(p.serial_ata.data_phase_sectors, 64U);
  EXPECT_TRUE(p.serial_ata.ncq_priority);
  EXPECT_TRUE(p.serial_ata.ncq_management);
  EXPECT_TRUE(p.serial_ata.ncq_send_receive);
  EXPECT_TRUE(p.serial_ata.ncq_autosense);
  EXPECT_TRUE(p.serial_ata.read_log_dma);
  EXPECT_EQ(p.serial_ata.trim_blocks, 8U);
  EXPECT_TRUE(p.serial_ata.host_power);
  EXPECT_TRUE(p.serial_ata.device_power);
  EXPECT_TRUE(p.serial_ata.device_sleep);
  EXPECT_EQ(p.serial_ata.partial_after_idle, sim::from_us(20000));
  EXPECT_EQ(p.serial_ata.slumber_after_idle, sim::from_us(200000));
  EXPECT_EQ(p.mechanics.rpm, 7200);
  EXPECT_EQ(p.mechanics.heads, 2U);
  EXPECT_EQ(p.mechanics.zones.count, 4U);
  EXPECT_EQ(p.mechanics.zones.outer_sectors_per_track, 1000U);
  EXPECT_EQ(p.mechanics.zones.middle_sectors_per_track, 800U);
  EXPECT_EQ(p.mechanics.zones.inner_sectors_per_track, 500U);
  EXPECT_EQ(p.mechanics.head_skew, sim::from_us(750));
  EXPECT_EQ(p.mechanics.cylinder_skew, sim::from_us(1250));
  EXPECT_EQ(p.mechanics.head_switch, sim::from_us(500));
  EXPECT_EQ(p.mechanics.seek.single_cylinder, sim::from_us(1000));
  EXPECT_EQ(p.mechanics.seek.exponent, 0.5);
  EXPECT_EQ(p.mechanics.seek.knee_fraction, 0.25);
  EXPECT_EQ(p.mechanics.seek.knee, sim::from_us(5000));
  EXPECT_EQ(p.mechanics.seek.full_stroke, sim::from_us(15000));
  EXPECT_EQ(p.mechanics.write_settle, sim::from_us(125));
  EXPECT_EQ(p.queue.pick_policy, "aged-shortest-positioning-time");
  EXPECT_EQ(p.queue.window, 9U);
  EXPECT_EQ(p.queue.rotational_guard, sim::from_ns(62500));
  EXPECT_EQ(p.queue.planning_latency, sim::from_ns(31250));
  EXPECT_EQ(p.queue_aging.weight, 0.25);
  EXPECT_EQ(p.overheads.read_command, sim::from_us(100));
  EXPECT_EQ(p.overheads.write_command, sim::from_us(200));
  EXPECT_EQ(p.overheads.queued_command, sim::from_us(300));
  EXPECT_EQ(p.overheads.media_access, sim::from_us(400));
  EXPECT_EQ(p.overheads.queued_media_access, sim::from_us(500));
  EXPECT_EQ(p.overheads.write_completion, sim::from_us(600));
  EXPECT_EQ(p.read_ahead.hold_bytes, 65536U);
  EXPECT_EQ(p.read_ahead.limit_bytes, 1000000U);
  EXPECT_EQ(p.read_ahead.segments, 16U);
  EXPECT_EQ(p.read_ahead.segment_bytes, 1048576U);
  EXPECT_EQ(p.read_ahead.last_sectors_limit, 28U);
  EXPECT_FALSE(p.write_cache.enabled);
  EXPECT_EQ(p.write_cache.limit_bytes, 8000000U);
  EXPECT_EQ(p.write_cache.limit_entries, 64U);
  EXPECT_EQ(p.write_cache.destage_after_idle, sim::from_us(10000));
  EXPECT_EQ(p.track_buffer.bytes, 16000000U);
  EXPECT_EQ(p.destaging.policy, "watermark");
  EXPECT_EQ(p.destaging.high_fraction, 0.75);
  EXPECT_EQ(p.destaging.low_fraction, 0.25);
  EXPECT_EQ(p.destaging.pass_bytes, 65536U);
  EXPECT_EQ(p.destaging.candidates, 8U);
  EXPECT_FALSE(p.destaging.coalesce);
  EXPECT_EQ(p.write_through.early_commands, 4U);
  EXPECT_TRUE(p.write_through.joins_neighbours);
  EXPECT_EQ(p.media_access.zero_latency_fraction, 0.5);
  EXPECT_EQ(p.media_access.transfer_start_fraction, 0.125);
  EXPECT_EQ(p.media_access.turnaround, sim::from_us(700));
  EXPECT_EQ(p.defect_handling.read_retry_revolutions, 20U);
  EXPECT_EQ(p.defect_handling.reallocation_revolutions, 3U);
  EXPECT_EQ(p.defect_handling.spare_sectors, 1000U);
  EXPECT_EQ(p.power_loss.saved_bytes, 262144U);
  EXPECT_EQ(p.tail_events.retry_fraction, 0.001);
  EXPECT_EQ(p.tail_events.retry_revolutions, 8U);
  EXPECT_EQ(p.tail_events.recalibration_period, 600 * sim::kSecond);
  EXPECT_EQ(p.tail_events.recalibration, sim::from_us(40000));
  EXPECT_EQ(p.tail_events.scan_after_idle, sim::from_us(500000));
  EXPECT_EQ(p.tail_events.scan_step, sim::from_us(25000));
}

TEST(DriveProfile, EveryShippedProfileLoadsByNameWithoutWarning) {
  for (const auto& name : file_names(kDriveFiles)) {
    std::vector<std::string> warnings;
    EXPECT_EQ(load_drive_profile(name, &warnings).name, name);
    EXPECT_THAT(warnings, ElementsAre()) << name;
  }
}

TEST(DriveProfile, AnUnknownKeyIsNamedWithTheNearestKnownOne) {
  EXPECT_THAT(
      errors_of(with("\"heads\": 2", "\"heads\": 2, \"head_skw_ms\": 1")),
      ElementsAre("d.json: /mechanics/head_skw_ms: unknown key, expected one of rpm, heads, zones, head_skew_ms, "
                  "cylinder_skew_ms, head_switch_ms, seek, write_settle_ms, zone_list, layout, spares, remapped, "
                  "write_seek, speed_tolerance (nearest known name: \"head_skew_ms\")"));
}

TEST(DriveProfile, AMistypedKeyIsUnknownAndTheRightOneMissing) {
  EXPECT_THAT(errors_of(with("\"rpm\"", "\"rmp\"")),
              ElementsAre("d.json: /mechanics/rpm: missing, expected a number from 1000 to 20000",
                          "d.json: /mechanics/rmp: unknown key, expected one of rpm, heads, zones, head_skew_ms, "
                          "cylinder_skew_ms, head_switch_ms, seek, write_settle_ms, zone_list, layout, spares, "
                          "remapped, write_seek, speed_tolerance (nearest known name: \"rpm\")"));
}

TEST(DriveProfile, AStringInPlaceOfANumberIsShown) {
  EXPECT_THAT(errors_of(with("\"rpm\": 7200", "\"rpm\": \"7200\"")),
              ElementsAre("d.json: /mechanics/rpm: found \"7200\", expected a number from 1000 to 20000"));
}

TEST(DriveProfile, AFractionInPlaceOfAnIntegerIsShown) {
  EXPECT_THAT(errors_of(with("\"heads\": 2", "\"heads\": 2.0")),
              ElementsAre("d.json: /mechanics/heads: found 2.0, expected an integer from 1 to 64"));
}

TEST(DriveProfile, AnObjectInPlaceOfANumberIsShown) {
  EXPECT_THAT(errors_of(with("\"heads\": 2", "\"heads\": {\"a\": 1}")),
              ElementsAre("d.json: /mechanics/heads: found {...}, expected an integer from 1 to 64"));
}

TEST(DriveProfile, AWholeFileOfAnotherKindIsShown) {
  EXPECT_THAT(errors_of("[1]"), ElementsAre("d.json: /: found [...], expected an object"));
}

TEST(DriveProfile, QueueDepth0And33AreRefusedAnd1And32AreNot) {
  const std::string depth = "\"queue_depth\": ";
  EXPECT_THAT(errors_of(with(depth + "32", depth + "0")),
              ElementsAre("d.json: /interface/queue_depth: found 0, expected an integer from 1 to 32"));
  EXPECT_THAT(errors_of(with(depth + "32", depth + "33")),
              ElementsAre("d.json: /interface/queue_depth: found 33, expected an integer from 1 to 32"));
  EXPECT_THAT(errors_of(with(depth + "32", depth + "1")), ElementsAre());
}

TEST(DriveProfile, AWindowOf0IsRefused) {
  EXPECT_THAT(errors_of(with("\"window\": 9", "\"window\": 0")),
              ElementsAre("d.json: /queue/window: found 0, expected an integer from 1 to 32"));
}

TEST(DriveProfile, AnIntegerBeyond63BitsIsOutOfRange) {
  EXPECT_THAT(errors_of(with("\"hold_bytes\": 65536", "\"hold_bytes\": 18446744073709551615")),
              ElementsAre("d.json: /read_ahead/hold_bytes: found 18446744073709551615, expected an integer from 0 to "
                          "1099511627776"));
}

TEST(DriveProfile, AWordThatIsNotAllowedIsNamedWithTheNearest) {
  EXPECT_THAT(errors_of(with("\"aged-shortest-positioning-time\"", "\"shortest-position\"")),
              ElementsAre("d.json: /queue/pick_policy: found \"shortest-position\", expected one of "
                          "\"fifo\", \"elevator\", \"nearest\", \"shortest-positioning-time\", "
                          "\"aged-shortest-positioning-time\" (nearest known name: "
                          "\"shortest-positioning-time\")"));
}

TEST(DriveProfile, AModelOf40CharactersFitsAndOneOf41DoesNot) {
  EXPECT_THAT(errors_of(with("TEST DRIVE", std::string(40, 'M'))), ElementsAre());
  EXPECT_THAT(errors_of(with("TEST DRIVE", std::string(41, 'M'))),
              ElementsAre("d.json: /identity/model: found \"" + std::string(41, 'M') +
                          "\", expected a string from 1 to 40 characters"));
}

TEST(DriveProfile, AnIdentityOutsideAsciiIsRefused) {
  EXPECT_THAT(errors_of(with("T0001", "T\xC3\xA4")),
              ElementsAre("d.json: /identity/serial: a character outside ASCII 20h to 7Eh, expected none: ATA strings "
                          "have no others"));
}

TEST(DriveProfile, AMissingSectionIsNamed) {
  EXPECT_THAT(errors_of(with("\"queue\"", "\"$schema\": \"x\", \"title2\"")),
              testing::Contains("d.json: /queue: missing, expected an object"));
}

TEST(DriveProfile, AllErrorsOfAFileComeAtOnceInItsOrder) {
  std::string text = with("\"generation\": 2", "\"generation\": 4");
  const auto replace = [&text](const std::string& piece, const std::string& replacement) {
    text.replace(text.find(piece), piece.size(), replacement);
  };
  replace("\"exponent\": 0.5", "\"exponent\": 2");
  replace("\"enabled\": false", "\"enabled\": 0");
  replace("\"standing\": \"fitted\"", "\"standing\": \"fit\"");
  EXPECT_THAT(errors_of(text),
              ElementsAre("d.json: /interface/generation: found 4, expected an integer from 1 to 3",
                          "d.json: /mechanics/seek/exponent: found 2, expected a number from 0.05 to 1",
                          "d.json: /write_cache/enabled: found 0, expected true or false",
                          "d.json: /sources/3/standing: found \"fit\", expected one of \"datasheet\", \"measured\", "
                          "\"published\", \"fitted\", \"estimate\" (nearest known name: \"fitted\")"));
}

TEST(DriveProfile, AKeyGivenTwiceIsRefused) {
  EXPECT_THAT(errors_of(with("\"heads\": 2", "\"heads\": 2, \"heads\": 3")),
              ElementsAre("d.json: /mechanics/heads: key given twice, expected it once"));
}

TEST(DriveProfile, TracksMustGetShorterInwards) {
  EXPECT_THAT(errors_of(with("\"inner_sectors_per_track\": 500", "\"inner_sectors_per_track\": 801")),
              ElementsAre("d.json: /mechanics/zones/inner_sectors_per_track: found 801, expected no more than "
                          "/mechanics/zones/middle_sectors_per_track (800)"));
  EXPECT_THAT(errors_of(with("\"outer_sectors_per_track\": 1000", "\"outer_sectors_per_track\": 799")),
              ElementsAre("d.json: /mechanics/zones/middle_sectors_per_track: found 800, expected no more than "
                          "/mechanics/zones/outer_sectors_per_track (799)"));
}

TEST(DriveProfile, TheParabolaOfTheZonesMustNotRiseAtAnEnd) {
  // Slope at the outside: 4 * middle - 3 * outer - inner, which is 0 for 875, 4 for 876.
  const std::string middle = "\"middle_sectors_per_track\": ";
  EXPECT_THAT(errors_of(with(middle + "800", middle + "875")), ElementsAre());
  EXPECT_THAT(errors_of(with(middle + "800", middle + "876")),
              ElementsAre("d.json: /mechanics/zones/middle_sectors_per_track: found 876, expected from 625 to 875, so "
                          "that tracks get shorter all the way inwards"));
}

TEST(DriveProfile, EachZoneNeedsACylinder) {
  // 102400 sectors in cylinders of 2 x 1000: 51 zones at most.
  EXPECT_THAT(errors_of(with("\"count\": 4", "\"count\": 51")), ElementsAre());
  EXPECT_THAT(errors_of(with("\"count\": 4", "\"count\": 52")),
              ElementsAre("d.json: /mechanics/zones/count: found 52, expected so few that each zone has a cylinder, at "
                          "most 51"));
}

TEST(DriveProfile, ACapacityOfTooManyCylindersIsRefused) {
  EXPECT_THAT(errors_of(with("\"capacity_sectors\": 102400", "\"capacity_sectors\": 281474976710655")),
              ElementsAre("d.json: /capacity_sectors: found 281474976710655, expected no more than 16777216 cylinders; "
                          "more heads or sectors per track?"));
}

TEST(DriveProfile, TheSeekCurveMustRise) {
  EXPECT_THAT(errors_of(with("\"knee_ms\": 5", "\"knee_ms\": 0.999")),
              ElementsAre("d.json: /mechanics/seek/knee_ms: found 0.999, expected at least "
                          "/mechanics/seek/single_cylinder_ms (1)"));
  EXPECT_THAT(errors_of(with("\"full_stroke_ms\": 15", "\"full_stroke_ms\": 4.999")),
              ElementsAre("d.json: /mechanics/seek/full_stroke_ms: found 4.999, expected at least "
                          "/mechanics/seek/knee_ms (5)"));
}

TEST(DriveProfile, TheHeadSwitchMustFitIntoTheHeadSkew) {
  EXPECT_THAT(errors_of(with("\"head_switch_ms\": 0.5", "\"head_switch_ms\": 0.75")), ElementsAre());
  EXPECT_THAT(errors_of(with("\"head_switch_ms\": 0.5", "\"head_switch_ms\": 0.76")),
              ElementsAre("d.json: /mechanics/head_switch_ms: found 0.76, expected at most /mechanics/head_skew_ms "
                          "(0.75), or each track costs a revolution"));
}

TEST(DriveProfile, ASkewOfARevolutionIsRefused) {
  EXPECT_THAT(errors_of(with("\"head_skew_ms\": 0.75", "\"head_skew_ms\": 9")),
              ElementsAre("d.json: /mechanics/head_skew_ms: found 9, expected less than one revolution (8.333333333)"));
}

TEST(DriveProfile, ACylinderSkewBelowTheShortestSeekIsOnlyOdd) {
  EXPECT_THAT(warnings_of(with("\"cylinder_skew_ms\": 1.25", "\"cylinder_skew_ms\": 1")), ElementsAre());
  EXPECT_THAT(warnings_of(with("\"cylinder_skew_ms\": 1.25", "\"cylinder_skew_ms\": 0.9")),
              ElementsAre("d.json: /mechanics/cylinder_skew_ms: found 0.9, expected at least "
                          "/mechanics/seek/single_cylinder_ms (1), or each cylinder costs a revolution"));
}

TEST(DriveProfile, AWindowBeyondTheQueueIsOnlyOdd) {
  EXPECT_THAT(warnings_of(with("\"queue_depth\": 32", "\"queue_depth\": 8")),
              ElementsAre("d.json: /queue/window: found 9, expected at most /interface/queue_depth (8): no more can be "
                          "queued"));
}

TEST(DriveProfile, AWriteCacheBeyondTheSharedBufferIsOnlyOdd) {
  EXPECT_THAT(warnings_of(with("\"bytes\": 16000000", "\"bytes\": 7000000")),
              ElementsAre("d.json: /write_cache/limit_bytes: found 8000000, expected at most /track_buffer/bytes "
                          "(7000000), which holds it"));
}

TEST(DriveProfile, WatermarksTheWrongWayRoundAreOnlyOdd) {
  EXPECT_THAT(warnings_of(with("\"high_fraction\": 0.75", "\"high_fraction\": 0.2")),
              ElementsAre("d.json: /destaging/low_fraction: more than /destaging/high_fraction, expected at most that, "
                          "or one pass ends it"));
}

TEST(DriveProfile, AgingAndItsPolicyGoTogether) {
  EXPECT_THAT(warnings_of(with("aged-shortest", "shortest")),
              ElementsAre("d.json: /queue/pick_policy: found \"shortest-positioning-time\", expected "
                          "\"aged-shortest-positioning-time\" beside /queue_aging: no other looks at it"));
  EXPECT_THAT(warnings_of(with("\"weight\": 0.25", "\"weight\": 0")),
              ElementsAre("d.json: /queue/pick_policy: found \"aged-shortest-positioning-time\", expected "
                          "/queue_aging with a weight beside it, or nothing ages"));
}

TEST(DriveProfile, ANumberWithoutASourceIsRefused) {
  EXPECT_THAT(
      errors_of(with("{\"of\": \"/write_cache\"", "{\"of\": \"/write_cache/limit_bytes\"")),
      ElementsAre("d.json: /write_cache/limit_entries: a number without a source, expected an entry in /sources "
                  "that covers it",
                  "d.json: /write_cache/destage_after_idle_ms: a number without a source, expected an entry in "
                  "/sources that covers it"));
}

TEST(DriveProfile, ASourceOfNothingIsNamedWithTheNearestPlace) {
  EXPECT_THAT(errors_of(with("\"sources\": [",
                             "\"sources\": [{\"of\": \"/mechanics/seak\", \"source\": \"made up\", "
                             "\"standing\": \"estimate\"},")),
              ElementsAre("d.json: /sources/0/of: found \"/mechanics/seak\", expected the pointer of a value of this "
                          "file (nearest known name: \"/mechanics/seek\")"));
}

TEST(DriveProfile, AFittedSourceSaysToWhat) {
  EXPECT_THAT(errors_of(with(", \"fitted_to\": [\"000/raidtest/ada0\"]", "")),
              ElementsAre("d.json: /sources/3/fitted_to: missing, expected the ids of the tables that it was fitted "
                          "to"));
  EXPECT_THAT(errors_of(with("\"standing\": \"fitted\"", "\"standing\": \"measured\"")),
              ElementsAre("d.json: /sources/3/standing: found \"measured\" beside fitted_to, expected \"fitted\""));
}

TEST(DriveProfile, SourcesCanBeListed) {
  const auto sources = load_sources(kDriveFiles, "testbench/tests/unit/data/drive.json");
  ASSERT_EQ(sources.size(), 16U);
  EXPECT_EQ(sources[3].of, "/queue");
  EXPECT_EQ(sources[3].standing, "fitted");
  EXPECT_THAT(sources[3].fitted_to, ElementsAre("000/raidtest/ada0"));
}

}  // namespace
}  // namespace ncqlab::config
