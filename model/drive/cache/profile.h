// Of a drive profile: what is read ahead and what is kept back.
#pragma once

#include <cstdint>

#include "model/sim/time.h"

namespace ncqlab::drive {

struct ReadAhead {
  std::uint64_t hold_bytes = 0;   // read beyond each miss before the arm is given to the next command
  std::uint64_t limit_bytes = 0;  // reading goes on so far beyond the last demand while nothing else is wanted
  unsigned segments = 1;
  std::uint64_t segment_bytes = 0;       // what one cache segment keeps
  std::uint64_t last_sectors_limit = 0;  // 0: none. A firmware quirk: near the end of the disk (the last 2048 sectors)
                                         // reading ahead ends so many sectors beyond the demand
};

struct WriteCache {
  bool enabled = true;               // at power-on; SET FEATURES 02h/82h switch it
  std::uint64_t limit_bytes = 0;     // dirty data at most
  unsigned limit_entries = 0;        // extents at most; 0: no limit
  sim::Time destage_after_idle = 0;  // dirty data are written when no command has been outstanding for so long
};

}  // namespace ncqlab::drive
