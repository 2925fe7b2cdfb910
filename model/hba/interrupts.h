// From the ports and from command completion coalescing to the host: IS, GHC.IE and the interrupt itself (AHCI 1.3.1,
// 3.1.3 and 10.7.2).
//
// IS.IPS(x) is a latch: it becomes 1 while PxIS & PxIE is not 0, and stays until software writes 1; written too early,
// it is set again at once. The coalescing interrupt sets its own bit, which no port has.
//
// INTx       the level GHC.IE and IS != 0
// one MSI    a message when a bit of IS becomes 1, and when software clears some bits of IS and others are left
// many MSI   message x when IS.IPS(x) becomes 1; those that have no message of their own share the last one. Software
//            need not write IS: a port's bit goes with its PxIS & PxIE. Written too early, it sends a new message.
//
// A host that grants fewer messages than were asked for gets one: GHC.MRSM says so (3.1.2).
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
  virtual void message(std::uint32_t vector) = 0;  // MSI: the message's number, 0 up to those granted

 protected:
  ~InterruptSink() = default;
};

class HostInterrupts {
 public:
  HostInterrupts(sim::EventQueue& queue, sim::Trace& trace, InterruptKind kind, InterruptSink& sink)
      : queue_(&queue), trace_(&trace), kind_(kind), sink_(&sink) {}

  std::uint32_t status() const { return status_; }
  // GHC.MRSM.
  bool reverted() const { return reverted_; }

  // What the PCI side says: INTx, or MSI with `granted` of the `requested` messages. The constructor's kind, with one
  // message, holds until then. Bits of IS that are 1 already send no message by this.
  void configure(InterruptKind kind, unsigned requested, unsigned granted);

  // A port's PxIS & PxIE is not 0 any more, or not yet.
  void set_port(unsigned port, bool pending);
  // Something that happens, with bit `bit` of IS: command completion coalescing.
  void raise(unsigned bit);
  // Software writes `ones` to IS.
  void clear(std::uint32_t ones);
  // GHC.IE.
  void set_enabled(bool enabled);
  // HBA reset: IS and IE become 0. Ports report anew.
  void reset();

 private:
  bool many() const { return messages_ > 1; }
  void became_set(std::uint32_t bits);
  void message(std::uint32_t number);
  void update_level();
  void record(std::uint32_t number, bool raised);

  sim::EventQueue* queue_;
  sim::Trace* trace_;
  InterruptKind kind_;
  InterruptSink* sink_;
  unsigned messages_ = 1;  // in use
  bool reverted_ = false;
  std::uint32_t pending_ports_ = 0;
  std::uint32_t status_ = 0;
  bool enabled_ = false;
  bool asserted_ = false;
};

}  // namespace ncqlab::hba
