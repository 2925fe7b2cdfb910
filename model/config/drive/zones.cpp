// Zones, how LBAs fill their tracks, and spare sectors: what a schema can't express of them.
#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "model/config/drive/sections.h"
#include "model/config/node.h"

namespace ncqlab::config {
namespace {

// The longest seek table that is worth its memory; the largest drives of 2024 have under a million cylinders.
constexpr std::uint64_t kMostCylinders = 16U << 20U;
// So many skews of less than a revolution are still far from the end of 63 bits of picoseconds.
constexpr std::uint64_t kMostTracks = 128U << 20U;

// The longest and the shortest track, and what comes of them.
struct Extremes {
  std::uint64_t longest = 0;
  std::uint64_t shortest = 0;
};

Extremes extremes_of(const drive::Zones& zones) {
  if (zones.list.empty()) return {zones.outer_sectors_per_track, zones.inner_sectors_per_track};
  Extremes extremes{0, ~std::uint64_t{0}};
  for (const drive::ListedZone& zone : zones.list) {
    extremes.longest = std::max<std::uint64_t>(extremes.longest, zone.sectors_per_track);
    extremes.shortest = std::min<std::uint64_t>(extremes.shortest, zone.sectors_per_track);
  }
  return extremes;
}

void check_parabola(const drive::Profile& profile, Findings& errors) {
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
}

// Sectors of a cylinder that have an LBA.
std::uint64_t usable(const drive::Mechanics& mechanics, std::uint64_t sectors_per_track) {
  const std::uint64_t spares = mechanics.spares.sectors;
  const std::uint64_t all = mechanics.heads * sectors_per_track;
  if (mechanics.spares.per == "track") return all - mechanics.heads * spares;
  return mechanics.spares.per == "cylinder" ? all - spares : all;
}

void check_shares(const std::vector<drive::ListedZone>& list, Findings& errors) {
  double sum = 0;
  for (const drive::ListedZone& zone : list) sum += zone.share;
  if (std::abs(sum - 1) > 1e-6) {
    errors.add("/mechanics/zone_list", "shares that add up to " + shown(sum), "a sum of 1");
  }
}

void check_cylinders(const drive::Profile& profile, Findings& errors, Findings& odd) {
  const drive::Mechanics& mechanics = profile.mechanics;
  std::uint64_t sectors = 0;
  for (std::size_t i = 0; i < mechanics.zones.list.size(); ++i) {
    const drive::ListedZone& zone = mechanics.zones.list[i];
    if (sectors >= profile.capacity_sectors) {
      odd.add("/mechanics/zone_list/" + std::to_string(i), "a zone behind the last sector",
              "zones that /capacity_sectors reaches");
    }
    const std::uint64_t spares = mechanics.spares.per == "zone" ? mechanics.spares.sectors : 0;
    sectors += zone.cylinders * usable(mechanics, zone.sectors_per_track) - spares;
  }
  if (sectors < profile.capacity_sectors) {
    errors.add("/mechanics/zone_list", "zones of " + std::to_string(sectors) + " sectors",
               "at least /capacity_sectors (" + std::to_string(profile.capacity_sectors) + ")");
  }
}

void check_size(const drive::Profile& profile, const Extremes& tracks, Findings& errors) {
  const std::uint64_t heads = profile.mechanics.heads;
  const std::uint64_t capacity = profile.capacity_sectors;
  const std::string found = "found " + std::to_string(capacity);
  if (capacity / (heads * tracks.longest) < 2) {
    errors.add("/capacity_sectors", found, "at least two cylinders of /mechanics/heads tracks");
  }
  const std::uint64_t most_tracks = capacity / tracks.shortest;
  if (most_tracks / heads > kMostCylinders) {
    errors.add("/capacity_sectors", found,
               "no more than " + std::to_string(kMostCylinders) + " cylinders; more heads or sectors per track?");
  } else if (most_tracks > kMostTracks) {
    errors.add("/capacity_sectors", found,
               "no more than " + std::to_string(kMostTracks) + " tracks; more sectors per track?");
  }
}

void check_layout(const drive::TrackLayout& layout, Findings& errors) {
  const bool hybrid = layout.order == "hybrid-serpentine";
  if (hybrid == (layout.band_tracks > 0)) return;
  errors.add("/mechanics/layout/band_tracks", "found " + std::to_string(layout.band_tracks),
             hybrid ? "at least 1, for order hybrid-serpentine" : "0, for order " + layout.order);
}

void check_remapped(const drive::Profile& profile, const Extremes& tracks, Findings& errors) {
  const drive::Mechanics& mechanics = profile.mechanics;
  const auto& remapped = mechanics.remapped;
  std::set<std::uint64_t> seen;
  for (std::size_t i = 0; i < remapped.size(); ++i) {
    const std::string at = "/mechanics/remapped/" + std::to_string(i);
    const std::string found = "found " + std::to_string(remapped[i]);
    if (remapped[i] >= profile.capacity_sectors) {
      errors.add(at, found, "less than /capacity_sectors (" + std::to_string(profile.capacity_sectors) + ")");
    } else if (!seen.insert(remapped[i]).second) {
      errors.add(at, found + " for the second time", "each LBA once");
    }
  }
  std::uint64_t pools = profile.capacity_sectors / tracks.longest;
  if (mechanics.spares.per == "cylinder") pools /= mechanics.heads;
  if (mechanics.spares.per == "zone") pools = std::max<std::size_t>(mechanics.zones.list.size(), mechanics.zones.count);
  if (remapped.size() > pools * mechanics.spares.sectors) {
    errors.add("/mechanics/remapped", std::to_string(remapped.size()) + " sectors",
               "no more than there are spare ones (" + std::to_string(pools * mechanics.spares.sectors) + ")");
  }
}

}  // namespace

void check_zones(const drive::Profile& profile, Findings& errors, Findings& odd) {
  const drive::Mechanics& mechanics = profile.mechanics;
  const Extremes tracks = extremes_of(mechanics.zones);
  const bool bands = mechanics.layout.order == "surface-serpentine" || mechanics.layout.order == "hybrid-serpentine";
  check_layout(mechanics.layout, errors);
  if (mechanics.spares.sectors >= tracks.shortest) {
    return errors.add("/mechanics/spares/sectors", "found " + std::to_string(mechanics.spares.sectors),
                      "less than the shortest track has (" + std::to_string(tracks.shortest) + ")");
  }
  if (bands && mechanics.spares.per == "cylinder") {
    errors.add("/mechanics/spares/per", "found \"cylinder\"",
               "\"track\" or \"zone\": with order " + mechanics.layout.order + " no LBAs follow each other in one");
  }
  if (mechanics.zones.list.empty()) {
    check_parabola(profile, errors);
  } else if (mechanics.zones.list[0].share > 0) {
    check_shares(mechanics.zones.list, errors);
  } else {
    check_cylinders(profile, errors, odd);
  }
  check_size(profile, tracks, errors);
  check_remapped(profile, tracks, errors);
}

}  // namespace ncqlab::config
