// Shortest positioning time, less a share of the time that a command has waited: who waits long is served in the end.
// (Jacobson and Wilkes, "Disk scheduling algorithms based on rotational position", HP Laboratories 1991.)
#pragma once

#include "model/drive/pick/lowest_cost.h"
#include "model/drive/pick/pick_policy.h"

namespace ncqlab::drive {

class AgedShortestPositioningTime final : public PickPolicy {
 public:
  AgedShortestPositioningTime(const Queue& queue, const QueueAging& aging)
      : PickPolicy(queue), guard_(queue.rotational_guard), weight_(aging.weight) {}

 private:
  std::size_t choose(const Outlook& outlook, const Candidate* candidates, std::size_t count) const override {
    const Mechanism& mechanism = outlook.mechanism;
    const sim::Time angle = mechanism.geometry().angle_at(outlook.start);
    return lowest_cost(count, [&](std::size_t i) {
      const Candidate& candidate = candidates[i];
      const sim::Time way = mechanism.positioning(angle, candidate.location, candidate.write, guard_);
      return way - static_cast<sim::Time>(weight_ * static_cast<double>(outlook.start - candidate.since));
    });
  }

  sim::Time guard_;
  double weight_;
};

}  // namespace ncqlab::drive
