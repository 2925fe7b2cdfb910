// Which of the waiting commands the arm serves next: one interface, one file per policy.
#pragma once

#include <memory>
#include <string>

#include "model/drive/mechanics/mechanism.h"

namespace ncqlab::drive {

// A command that waits for the arm.
struct Candidate {
  std::uint64_t lba = 0;  // where the movement goes: of a read, behind what the cache holds of it
  Location location;      // of that
  bool write = false;
  unsigned tag = 0;
};

class PickPolicy {
 public:
  virtual ~PickPolicy() = default;
  // The index of the choice among `count` > 0 candidates in the order of their arrival, for a movement that starts at
  // time `start`.
  virtual std::size_t pick(const Mechanism& mechanism, sim::Time start, const Candidate* candidates,
                           std::size_t count) const = 0;
};

// "fifo" or "shortest-positioning-time" (rotation included, with the profile's window and guard); null for another
// name.
std::unique_ptr<PickPolicy> make_pick_policy(const Queue& queue);

}  // namespace ncqlab::drive
