#include "model/config/drive_checks.h"

#include <algorithm>
#include <string>

#include "model/config/node.h"

namespace ncqlab::config {
namespace {

// The longest seek table that is worth its memory; the largest drives of 2024 have under a million cylinders.
constexpr std::uint64_t kMostCylinders = 16U << 20U;

std::string ms(sim::Time time) { return "found " + shown(sim::to_ms(time)); }

// ATA strings are made of the characters 20h to 7Eh (ACS-3, 3.4.9).
void check_characters(const std::string& pointer, const std::string& text, Findings& errors) {
  if (std::any_of(text.begin(), text.end(), [](char c) { return c < 0x20 || c > 0x7E; })) {
    errors.add(pointer, "a character outside ASCII 20h to 7Eh", "none: ATA strings have no others");
  }
}

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

void check_identity(const drive::Identity& identity, Findings& errors) {
  check_characters("/identity/model", identity.model, errors);
  check_characters("/identity/serial", identity.serial, errors);
  check_characters("/identity/firmware", identity.firmware, errors);
}

void check_drive(const drive::Profile& profile, Findings& errors, Findings& odd) {
  check_identity(profile.identity, errors);
  check_zones(profile, errors);
  check_times(profile.mechanics, errors, odd);
  if (profile.queue.window > profile.interface.queue_depth) {
    odd.add("/queue/window", "found " + std::to_string(profile.queue.window),
            "at most /interface/queue_depth (" + std::to_string(profile.interface.queue_depth) +
                "): no more can be queued");
  }
}

}  // namespace ncqlab::config
