// Upwards in LBA order, then back to the lowest (C-LOOK): fair and cheap, blind to rotation.
#pragma once

#include "model/drive/pick/lowest_cost.h"
#include "model/drive/pick/pick_policy.h"

namespace ncqlab::drive {

class Elevator final : public PickPolicy {
 public:
  explicit Elevator(const Queue& queue) : PickPolicy(queue) {}

 private:
  std::size_t choose(const Outlook& outlook, const Candidate* candidates, std::size_t count) const override {
    // What lies behind the arm wraps around to the largest distances.
    return lowest_cost(count, [&](std::size_t i) { return candidates[i].lba - outlook.lba; });
  }
};

}  // namespace ncqlab::drive
