// Command completion coalescing (AHCI 1.3.1, clause 11): one interrupt for several commands, by their number or by
// time.
//
// hCccComplete counts command completions on the ports of CCC_PORTS and reaches CC; hCccTimer counts down from TV
// milliseconds and reaches 0. Either one sets IS.IPS[CCC_CTL.INT], clears the counter and loads the timer anew. CC = 0
// leaves the timer alone. The ports' own interrupts go on: a driver that coalesces leaves the bits of completions in
// PxIE at 0.
//
// hCccTimer runs while commands are outstanding on selected ports, and while completions wait to be reported, so that
// the last ones of a burst are not forgotten. Else it stands still with what is left.
//
// Without CCC_CTL.EN each call costs its caller one branch.
#pragma once

#include <cstdint>

#include "model/hba/interrupts.h"
#include "model/sim/actor.h"
#include "model/sim/trace.h"

namespace ncqlab::hba {

class CommandCompletion final : private sim::Actor {
 public:
  CommandCompletion(sim::EventQueue& queue, sim::Trace& trace, HostInterrupts& interrupts, unsigned interrupt)
      : Actor(queue), trace_(&trace), interrupts_(&interrupts), interrupt_(interrupt) {}

  // From the ports. `commands` have left PxCI (or, queued ones, PxSACT) without an error.
  void completed(unsigned port, unsigned commands = 1) {
    if ((selected_ >> port & 1) != 0) count(commands);
  }
  // Whether PxCI or PxSACT of the port is not 0.
  void outstanding(unsigned port, bool any) {
    if ((selected_ >> port & 1) != 0 && (outstanding_ >> port & 1) != (any ? 1U : 0U)) toggle_outstanding(port);
  }

  // CCC_CTL.EN becomes 1. `completions` is CC, `timeout` TV; `outstanding` has a bit for each port with commands.
  void enable(std::uint32_t ports, unsigned completions, sim::Time timeout, std::uint32_t outstanding);
  // CCC_PORTS changes meanwhile.
  void select(std::uint32_t ports, std::uint32_t outstanding);
  // CCC_CTL.EN becomes 0, HBA reset.
  void disable();

 private:
  void count(unsigned commands);
  void toggle_outstanding(unsigned port);
  void signal();
  void update_timer();
  void run_timer();
  void due(std::uint64_t);

  sim::Trace* trace_;
  HostInterrupts* interrupts_;
  unsigned interrupt_;
  std::uint32_t selected_ = 0;  // CCC_PORTS while EN = 1
  std::uint32_t outstanding_ = 0;
  unsigned completions_ = 0;  // CC
  sim::Time timeout_ = 0;     // TV
  unsigned complete_ = 0;     // hCccComplete
  bool running_ = false;
  sim::Time remaining_ = 0;  // hCccTimer while it stands still
  sim::Time deadline_ = 0;   // when it reaches 0 while it runs
  bool event_due_ = false;   // never later than the deadline: what comes too early is posted again
};

}  // namespace ncqlab::hba
