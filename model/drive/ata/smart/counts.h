// What a drive counts over its life: the source of SMART attributes, device statistics and PHY event counters.
#pragma once

#include <cstdint>

#include "model/sim/time.h"

namespace ncqlab::drive {

struct LiveCounts {
  sim::Time powered = 0;  // since the drive was made
  std::uint64_t power_cycles = 1;
  std::uint64_t spin_ups = 1;
  std::uint64_t head_loads = 1;
  std::uint64_t reallocated = 0;
  std::uint64_t pending = 0;        // sectors that cannot be read
  std::uint64_t uncorrectable = 0;  // such errors as were reported
  std::uint64_t hardware_resets = 0;
  std::uint64_t software_resets = 0;
  std::uint64_t sectors_read = 0, read_commands = 0;
  std::uint64_t sectors_written = 0, write_commands = 0;

  // Of the link (SATA 3.x, 13.7, the identifiers of the PHY event counters).
  std::uint64_t commands_failed_by_crc = 0;
  std::uint64_t host_data_damaged = 0;        // the device answered R_ERR to a Data FIS
  std::uint64_t device_data_refused = 0;      // the host did
  std::uint64_t host_non_data_damaged = 0;    // the same of other FIS
  std::uint64_t device_non_data_refused = 0;  // sent again
  std::uint64_t phy_losses = 0;
  std::uint64_t signatures_after_comreset = 0;

  std::uint64_t crc_errors() const { return host_data_damaged + host_non_data_damaged; }
  std::uint16_t hours() const { return static_cast<std::uint16_t>(powered / (3600 * sim::kSecond)); }
};

}  // namespace ncqlab::drive
