// Of a drive profile: what is read ahead, what is kept back, and how it gets to the platter.
#pragma once

#include <cstdint>
#include <string>

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

// The sections below may be left out of a profile; then these values count.

// One memory for read segments, the write cache and the data of writes on their way to the platter.
struct TrackBuffer {
  std::uint64_t bytes = 0;  // 0: not shared, each has what its own section says
};

// When dirty data that have to go compete with commands, and what a pass of the head takes.
struct Destaging {
  std::string policy = "alternate";  // "alternate": in turns. "reads-first": only when no command waits for the arm.
                                     // "watermark": before all commands, from high_fraction down to low_fraction
  double high_fraction = 1;          // of the cache's limit
  double low_fraction = 0;
  std::uint64_t pass_bytes = 1U << 20;  // a pass frees the cache when it ends; longer runs go on in the next one
                                        // without a loss
  unsigned candidates = 16;             // extents looked at for the nearest, from the arm upwards in LBA order
  bool coalesce = true;                 // adjacent writes become one entry
};

// Writes that go to the platter before they are done.
struct WriteThrough {
  unsigned early_commands = 32;   // whose data are taken before the arm has turned to them
  bool joins_neighbours = false;  // a pass goes on into the write that follows directly
};

// How the head takes up its work.
struct MediaAccess {
  double zero_latency_fraction = 0;    // reading begins wherever the head lands when the demand covers this much of the
                                       // track; 0: never
  double transfer_start_fraction = 0;  // data go to the host when this much is in the buffer; 0: so that the link need
                                       // not wait for the media
  sim::Time turnaround = 0;            // from reading to writing and back
};

}  // namespace ncqlab::drive
