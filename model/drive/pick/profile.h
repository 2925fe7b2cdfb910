// Of a drive profile: which command is served next.
#pragma once

#include <string>

#include "model/sim/time.h"

namespace ncqlab::drive {

struct Queue {
  std::string pick_policy = "shortest-positioning-time";  // the names: pick_policy.h
  unsigned window = 32;                                   // the policy looks at so many of the oldest commands
  sim::Time rotational_guard = 0;                         // a target nearer than this in angle is taken for missed
  sim::Time planning_latency = 0;                         // from the choice to the start of the movement
};

// Of drives that weigh the time a command has waited: policy "aged-shortest-positioning-time".
struct QueueAging {
  double weight = 0;  // so much of the waiting time is taken off the positioning time; 0: no aging
};

}  // namespace ncqlab::drive
