#include "model/drive/pick/pick_policy.h"

#include "model/drive/pick/fifo.h"
#include "model/drive/pick/shortest_positioning_time.h"

namespace ncqlab::drive {

std::unique_ptr<PickPolicy> make_pick_policy(const Queue& queue) {
  if (queue.pick_policy == "fifo") return std::make_unique<Fifo>();
  if (queue.pick_policy == "shortest-positioning-time") {
    return std::make_unique<ShortestPositioningTime>(queue.window, queue.rotational_guard);
  }
  return nullptr;
}

}  // namespace ncqlab::drive
