// Shortest seek first: the fewest cylinders away, whatever the rotation. What firmware does that does not know where
// the spindle stands.
#pragma once

#include "model/drive/pick/lowest_cost.h"
#include "model/drive/pick/pick_policy.h"

namespace ncqlab::drive {

class Nearest final : public PickPolicy {
 public:
  explicit Nearest(const Queue& queue) : PickPolicy(queue) {}

 private:
  std::size_t choose(const Outlook& outlook, const Candidate* candidates, std::size_t count) const override {
    const std::uint32_t from = outlook.mechanism.track().cylinder;
    return lowest_cost(count, [&](std::size_t i) {
      const std::uint32_t to = candidates[i].location.cylinder;
      return to > from ? to - from : from - to;
    });
  }
};

}  // namespace ncqlab::drive
