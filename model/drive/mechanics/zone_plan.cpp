#include "model/drive/mechanics/zone_plan.h"

#include <algorithm>
#include <cmath>

namespace ncqlab::drive {

namespace {

// The parabola through (0, outer), (1/2, middle), (1, inner) at x in [0, 1].
double parabola(const Zones& zones, double x) {
  const double outer = zones.outer_sectors_per_track;
  const double middle = zones.middle_sectors_per_track;
  const double inner = zones.inner_sectors_per_track;
  return outer * (1 - x) * (1 - 2 * x) + middle * 4 * x * (1 - x) + inner * x * (2 * x - 1);
}

std::vector<PlannedZone> of_parabola(const Zones& zones, std::uint64_t capacity) {
  std::vector<PlannedZone> plan;
  const std::uint64_t share = (capacity + zones.count - 1) / zones.count;
  for (unsigned i = 0; i < zones.count; ++i) {
    const double x = zones.count == 1 ? 0.0 : static_cast<double>(i) / (zones.count - 1);
    plan.push_back({static_cast<std::uint32_t>(std::lround(parabola(zones, x))),
                    std::min<std::uint64_t>(capacity, (i + 1) * share), 0});
  }
  return plan;
}

// Shares are summed up before they are rounded, and the last zone takes what is left.
std::vector<PlannedZone> of_list(const std::vector<ListedZone>& list, std::uint64_t capacity) {
  std::vector<PlannedZone> plan;
  double sum = 0;
  for (const ListedZone& zone : list) {
    sum += zone.share;
    const auto end = static_cast<std::uint64_t>(std::llround(sum * static_cast<double>(capacity)));
    plan.push_back({zone.sectors_per_track, std::min(capacity, end), zone.cylinders});
  }
  plan.back().end_lba = capacity;
  return plan;
}

}  // namespace

std::vector<PlannedZone> plan_zones(const Zones& zones, std::uint64_t capacity_sectors) {
  return zones.list.empty() ? of_parabola(zones, capacity_sectors) : of_list(zones.list, capacity_sectors);
}

}  // namespace ncqlab::drive
