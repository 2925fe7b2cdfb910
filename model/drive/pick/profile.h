// Of a drive profile: which command is served next.
#pragma once

#include <string>

#include "model/sim/time.h"

namespace ncqlab::drive {

struct Queue {
  std::string pick_policy = "shortest-positioning-time";  // or "fifo"
  unsigned window = 32;                                   // the policy looks at so many of the oldest commands
  sim::Time rotational_guard = 0;                         // a target nearer than this in angle is taken for missed
  sim::Time planning_latency = 0;                         // from the choice to the start of the movement
};

}  // namespace ncqlab::drive
