// Platters, heads and arm.
#include <algorithm>
#include <string>

#include "model/config/drive/sections.h"
#include "model/config/members.h"
#include "model/config/node.h"

namespace ncqlab::config {
namespace {

// The longest seek table that is worth its memory; the largest drives of 2024 have under a million cylinders.
constexpr std::uint64_t kMostCylinders = 16U << 20U;

constexpr Member<drive::Zones> kZones[] = {
    {"count", &drive::Zones::count},
    {"outer_sectors_per_track", &drive::Zones::outer_sectors_per_track},
    {"middle_sectors_per_track", &drive::Zones::middle_sectors_per_track},
    {"inner_sectors_per_track", &drive::Zones::inner_sectors_per_track},
};

constexpr Member<drive::SeekCurve> kSeek[] = {
    {"single_cylinder_ms", &drive::SeekCurve::single_cylinder}, {"exponent", &drive::SeekCurve::exponent},
    {"knee_fraction", &drive::SeekCurve::knee_fraction},        {"knee_ms", &drive::SeekCurve::knee},
    {"full_stroke_ms", &drive::SeekCurve::full_stroke},
};

constexpr Member<drive::Mechanics> kMechanics[] = {
    {"rpm", &drive::Mechanics::rpm},
    {"heads", &drive::Mechanics::heads},
    {"head_skew_ms", &drive::Mechanics::head_skew},
    {"cylinder_skew_ms", &drive::Mechanics::cylinder_skew},
    {"head_switch_ms", &drive::Mechanics::head_switch},
    {"write_settle_ms", &drive::Mechanics::write_settle},
};

std::string ms(sim::Time time) { return "found " + shown(sim::to_ms(time)); }

void check_zones(const drive::Profile& profile, Findings& errors) {
  const auto& zones = profile.mechanics.zones;
  const std::string at = "/mechanics/zones/";
  const bool falls = zones.outer_sectors_per_track >= zones.middle_sectors_per_track &&
                     zones.middle_sectors_per_track >= zones.inner_sectors_per_track;
  if (zones.middle_sectors_per_track > zones.outer_sectors_per_track) {
    errors.add(at + "middle_sectors_per_track", "found " + std::to_string(zones.middle_sectors_per_track),
               "no more than /mechanics/zones/outer_sectors_per_track (" +
                   std::to_string(zones.outer_sectors_per_track) + ")");
  }
  if (zones.inner_sectors_per_track > zones.middle_sectors_per_track) {
    errors.add(at + "inner_sectors_per_track", "found " + std::to_string(zones.inner_sectors_per_track),
               "no more than /mechanics/zones/middle_sectors_per_track (" +
                   std::to_string(zones.middle_sectors_per_track) + ")");
  }
  if (!falls) return;
  // The parabola through three falling points may still rise at an end: its slope there must not be positive.
  const auto outer = static_cast<std::int64_t>(zones.outer_sectors_per_track);
  const auto middle = static_cast<std::int64_t>(zones.middle_sectors_per_track);
  const auto inner = static_cast<std::int64_t>(zones.inner_sectors_per_track);
  if (4 * middle > 3 * outer + inner || 4 * middle < outer + 3 * inner) {
    errors.add(at + "middle_sectors_per_track", "found " + std::to_string(middle),
               "from " + std::to_string((outer + 3 * inner + 3) / 4) + " to " +
                   std::to_string((3 * outer + inner) / 4) + ", so that tracks get shorter all the way inwards");
  }

  const std::uint64_t heads = profile.mechanics.heads;
  const std::uint64_t zone_sectors = profile.capacity_sectors / zones.count;
  if (zone_sectors < heads * zones.outer_sectors_per_track) {
    errors.add(at + "count", "found " + std::to_string(zones.count),
               "so few that each zone has a cylinder, at most " +
                   std::to_string(
                       std::max<std::uint64_t>(1, profile.capacity_sectors / (heads * zones.outer_sectors_per_track))));
  }
  if (profile.capacity_sectors / (heads * zones.outer_sectors_per_track) < 2) {
    errors.add("/capacity_sectors", "found " + std::to_string(profile.capacity_sectors),
               "at least two cylinders of /mechanics/heads tracks");
  }
  if (profile.capacity_sectors / (heads * zones.inner_sectors_per_track) > kMostCylinders) {
    errors.add("/capacity_sectors", "found " + std::to_string(profile.capacity_sectors),
               "no more than " + std::to_string(kMostCylinders) + " cylinders; more heads or sectors per track?");
  }
}

void check_times(const drive::Mechanics& mechanics, Findings& errors, Findings& odd) {
  const auto& seek = mechanics.seek;
  if (seek.knee < seek.single_cylinder) {
    errors.add("/mechanics/seek/knee_ms", ms(seek.knee),
               "at least /mechanics/seek/single_cylinder_ms (" + shown(sim::to_ms(seek.single_cylinder)) + ")");
  }
  if (seek.full_stroke < seek.knee) {
    errors.add("/mechanics/seek/full_stroke_ms", ms(seek.full_stroke),
               "at least /mechanics/seek/knee_ms (" + shown(sim::to_ms(seek.knee)) + ")");
  }
  const sim::Time revolution = sim::from_ms(60'000.0 / mechanics.rpm);
  const std::string turn = "less than one revolution (" + shown(sim::to_ms(revolution)) + ")";
  if (mechanics.head_skew >= revolution) errors.add("/mechanics/head_skew_ms", ms(mechanics.head_skew), turn);
  if (mechanics.cylinder_skew >= revolution) {
    errors.add("/mechanics/cylinder_skew_ms", ms(mechanics.cylinder_skew), turn);
  }
  if (mechanics.heads > 1 && mechanics.head_switch > mechanics.head_skew) {
    errors.add("/mechanics/head_switch_ms", ms(mechanics.head_switch),
               "at most /mechanics/head_skew_ms (" + shown(sim::to_ms(mechanics.head_skew)) +
                   "), or each track costs a revolution");
  }
  if (mechanics.cylinder_skew < seek.single_cylinder) {
    odd.add("/mechanics/cylinder_skew_ms", ms(mechanics.cylinder_skew),
            "at least /mechanics/seek/single_cylinder_ms (" + shown(sim::to_ms(seek.single_cylinder)) +
                "), or each cylinder costs a revolution");
  }
}

}  // namespace

void read_mechanics(const Value& section, drive::Mechanics& mechanics) {
  read_members(section, kMechanics, mechanics);
  read_members(section.at("zones"), kZones, mechanics.zones);
  read_members(section.at("seek"), kSeek, mechanics.seek);
}

void check_mechanics(const drive::Profile& profile, Findings& errors, Findings& odd) {
  check_zones(profile, errors);
  check_times(profile.mechanics, errors, odd);
}

}  // namespace ncqlab::config
