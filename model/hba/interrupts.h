// From the ports to the host: IS, GHC.IE and the interrupt itself (AHCI 1.3.1, 10.7.2).
//
// IS.IPS(x) is a latch: it becomes 1 while PxIS & PxIE is not 0, and stays until software writes 1; written too early,
// it is set again at once. INTx is the level GHC.IE and IS != 0. With one MSI message a message is sent when a bit of
// IS becomes 1, and when software clears some bits of IS and others are left (the table of 10.7.2.1).
#pragma once

#include <cstdint>

#include "model/hba/profile.h"
#include "model/sim/event_queue.h"
#include "model/sim/trace.h"

namespace ncqlab::hba {

// The host's interrupt controller. Called inside events of the queue: it notes what happened and runs nothing. The way
// to the processor takes time, which is the receiver's to add.
class InterruptSink {
 public:
  virtual void level(bool asserted) = 0;           // INTx
  virtual void message(std::uint32_t vector) = 0;  // MSI

 protected:
  ~InterruptSink() = default;
};

class HostInterrupts {
 public:
  HostInterrupts(sim::EventQueue& queue, sim::Trace& trace, InterruptKind kind, InterruptSink& sink)
      : queue_(&queue), trace_(&trace), kind_(kind), sink_(&sink) {}

  std::uint32_t status() const { return status_; }

  // A port's PxIS & PxIE is not 0 any more, or not yet.
  void set_port(unsigned port, bool pending);
  // Software writes `ones` to IS.
  void clear(std::uint32_t ones);
  // GHC.IE.
  void set_enabled(bool enabled);
  // HBA reset: IS and IE become 0. Ports report anew.
  void reset();

 private:
  void message();
  void update_level();
  void record(bool raised);

  sim::EventQueue* queue_;
  sim::Trace* trace_;
  InterruptKind kind_;
  InterruptSink* sink_;
  std::uint32_t pending_ports_ = 0;
  std::uint32_t status_ = 0;
  bool enabled_ = false;
  bool asserted_ = false;
};

}  // namespace ncqlab::hba
