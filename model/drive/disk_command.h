// A command as the disk library sees it.
#pragma once

#include <cstdint>

#include "model/sim/time.h"

namespace ncqlab::drive {

inline constexpr unsigned kNonQueuedTag = 32;
inline constexpr unsigned kTags = 33;

enum class Operation : std::uint8_t { read, write, flush };

struct Command {
  unsigned tag = kNonQueuedTag;  // 0..31, or kNonQueuedTag
  Operation operation = Operation::read;
  bool queued = false;
  bool force_unit_access = false;
  bool high_priority = false;  // PRIO 10b; counts in a drive that offers priorities (serial_ata.ncq_priority)
  std::uint64_t lba = 0;       // lba + sectors <= capacity
  std::uint32_t sectors = 0;   // 1..65536; 0 for flush
  sim::Time time_limit = 0;    // for retries on the media (SCT error recovery control); 0: none
};

}  // namespace ncqlab::drive
