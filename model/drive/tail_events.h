// What makes the slowest of thousands of requests slow: retries, recalibration, and the background scan of an idle
// drive. Off unless a profile has figures for them.
#pragma once

#include <cstdint>

#include "model/sim/random.h"
#include "model/sim/time.h"

namespace ncqlab::drive {

// Of a drive profile; the section may be left out.
struct TailEvents {
  double retry_fraction = 0;           // of the arm's movements end on data that take retries,
  unsigned retry_revolutions = 0;      // 1 to so many, each number alike
  sim::Time recalibration_period = 0;  // 0: never
  sim::Time recalibration = 0;         // what it takes; the first movement after each period waits for it
  sim::Time scan_after_idle = 0;       // an arm that has rested for so long reads in the background; 0: never
  sim::Time scan_step = 0;             // what it has begun it ends first: up to so long

  bool any() const { return retry_fraction > 0 || recalibration_period > 0 || scan_after_idle > 0; }
};

class TailDelays {
 public:
  TailDelays(const TailEvents& events, std::uint64_t seed, std::uint32_t drive);

  // By how much a movement of the arm that would begin at `start` comes later; the arm has rested since
  // `resting_since`.
  sim::Time delay(sim::Time start, sim::Time resting_since, sim::Time revolution);

 private:
  TailEvents events_;
  sim::Stream retries_;
  sim::Stream scans_;
  sim::Time recalibrations_ = 0;  // periods that have been paid for
};

}  // namespace ncqlab::drive
