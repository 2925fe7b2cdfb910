// Shortest positioning time first: seek, head switch, settling and rotation together, among the `window` oldest.
// (Worthington, Ganger, Patt, SIGMETRICS 1994: knowing the rotation is what makes queuing pay.)
#pragma once

#include <algorithm>

#include "model/drive/pick/pick_policy.h"

namespace ncqlab::drive {

class ShortestPositioningTime final : public PickPolicy {
 public:
  ShortestPositioningTime(unsigned window, sim::Time guard) : window_(window), guard_(guard) {}

  std::size_t pick(const Mechanism& mechanism, sim::Time start, const Candidate* candidates,
                   std::size_t count) const override {
    const sim::Time angle = mechanism.geometry().angle_at(start);
    std::size_t best = 0;
    sim::Time best_time = sim::kNever;
    const std::size_t seen = std::min<std::size_t>(count, window_);
    for (std::size_t i = 0; i < seen; ++i) {
      const sim::Time time = mechanism.positioning(angle, candidates[i].location, candidates[i].write, guard_);
      if (time < best_time) {
        best_time = time;
        best = i;
      }
    }
    return best;
  }

 private:
  std::size_t window_;
  sim::Time guard_;
};

}  // namespace ncqlab::drive
