// The zones of a profile as a list, whichever way it tells of them.
#pragma once

#include <cstdint>
#include <vector>

#include "model/drive/mechanics/profile.h"

namespace ncqlab::drive {

struct PlannedZone {
  std::uint32_t sectors_per_track = 0;
  std::uint64_t end_lba = 0;    // it has as many cylinders as it takes to get there
  std::uint64_t cylinders = 0;  // or these; else 0
};

std::vector<PlannedZone> plan_zones(const Zones& zones, std::uint64_t capacity_sectors);

}  // namespace ncqlab::drive
