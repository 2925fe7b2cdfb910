#include "model/sim/host.h"

namespace ncqlab::sim {

Host::Ended BareHost::run() {
  while (!queue_.take_stop_request()) {
    if (!queue_.run_one()) return Ended::nothing_left;
  }
  return Ended::stop_requested;
}

}  // namespace ncqlab::sim
