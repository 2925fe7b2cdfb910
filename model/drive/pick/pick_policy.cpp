#include "model/drive/pick/pick_policy.h"

#include "model/drive/pick/aged_shortest_positioning_time.h"
#include "model/drive/pick/elevator.h"
#include "model/drive/pick/fifo.h"
#include "model/drive/pick/nearest.h"
#include "model/drive/pick/shortest_positioning_time.h"

namespace ncqlab::drive {

std::unique_ptr<PickPolicy> make_pick_policy(const Queue& queue, const QueueAging& aging) {
  const std::string& name = queue.pick_policy;
  if (name == "fifo") return std::make_unique<Fifo>(queue);
  if (name == "elevator") return std::make_unique<Elevator>(queue);
  if (name == "nearest") return std::make_unique<Nearest>(queue);
  if (name == "shortest-positioning-time") return std::make_unique<ShortestPositioningTime>(queue);
  if (name == "aged-shortest-positioning-time") return std::make_unique<AgedShortestPositioningTime>(queue, aging);
  return nullptr;
}

}  // namespace ncqlab::drive
