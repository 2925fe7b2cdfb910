// What the tests of the link's PHY have in common: steps that fail, and what the trace says of them.
#pragma once

#include <utility>
#include <vector>

#include "testbench/tests/unit/link_rig.h"

namespace ncqlab::sata {

class LinkPhyTest : public LinkTest, public LinkFaults {
 protected:
  bool on_phy_step(PhyStep step, Generation) override { return step != silent; }
  void fail_step(PhyStep step) {
    silent = step;
    link.inject(this);
  }
  // Records as step and state, for example {3, 0x001}.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> steps() const {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> all;
    for (const sim::Record& record : records) all.emplace_back(record.b, record.a);
    return all;
  }
  void comreset(Generation limit = 0) {
    link.host_side().begin_comreset();
    link.host_side().end_comreset(limit);
  }
  const Time detected = 2 * parameters.reset_signal;
  const Time awake = detected + 2 * parameters.wake_signal;
  PhyStep silent = PhyStep::ready;  // none that may fail
};

}  // namespace ncqlab::sata
