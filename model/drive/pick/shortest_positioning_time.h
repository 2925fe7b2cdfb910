// Shortest positioning time first: seek, head switch, settling and rotation together.
// (Worthington, Ganger, Patt, SIGMETRICS 1994: knowing the rotation is what makes queuing pay.)
#pragma once

#include "model/drive/pick/lowest_cost.h"
#include "model/drive/pick/pick_policy.h"

namespace ncqlab::drive {

class ShortestPositioningTime final : public PickPolicy {
 public:
  explicit ShortestPositioningTime(const Queue& queue) : PickPolicy(queue), guard_(queue.rotational_guard) {}

 private:
  std::size_t choose(const Outlook& outlook, const Candidate* candidates, std::size_t count) const override {
    const Mechanism& mechanism = outlook.mechanism;
    const sim::Time angle = mechanism.geometry().angle_at(outlook.start);
    return lowest_cost(count, [&](std::size_t i) {
      return mechanism.positioning(angle, candidates[i].location, candidates[i].write, guard_);
    });
  }

  sim::Time guard_;
};

}  // namespace ncqlab::drive
