// First come, first served: what a drive without queuing does, and firmware that queues in name only.
#pragma once

#include "model/drive/pick/pick_policy.h"

namespace ncqlab::drive {

class Fifo final : public PickPolicy {
 public:
  explicit Fifo(const Queue& queue) : PickPolicy(queue) {}

 private:
  std::size_t choose(const Outlook&, const Candidate*, std::size_t) const override { return 0; }
};

}  // namespace ncqlab::drive
