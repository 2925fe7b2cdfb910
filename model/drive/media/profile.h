// Of a drive profile: how the drive deals with bad sectors and with the loss of its power. Each section may be left
// out.
#pragma once

#include <cstdint>

namespace ncqlab::drive {

struct DefectHandling {
  unsigned read_retry_revolutions = 0;    // before a sector is given up
  unsigned reallocation_revolutions = 0;  // what it costs to find that a sector does not hold what was written
  std::uint64_t spare_sectors = 1U << 20;
};

struct PowerLoss {
  std::uint64_t saved_bytes = 0;  // of dirty data that the drive keeps by its own energy
};

}  // namespace ncqlab::drive
