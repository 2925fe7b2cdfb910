// The controller as a SystemC module with TLM-2.0 sockets: it drops into any virtual platform.
//
// registers: loosely timed; the transaction's address is the offset into the register space (ABAR), 1 to 8 bytes. A
// call with a delay from an SC_THREAD waits it out first; the access is then applied at once, and the way's latency is
// added to the delay. It never waits otherwise, so it can be called from anywhere.
//
// dma: loosely timed, called from one SC_THREAD of the shell, so that an interconnect may wait(). The bus's own time
// has passed by then. An access without delay keeps its place in the queue's order: with memory that answers at once,
// the record sequence is the same as without SystemC. A generic error response is bad data (PxIS.HBDS), any other error
// an abort (HBFS).
//
// interrupt: INTx as a level; may be left unbound. MSI and INTx also go to the InterruptSink, when there is one.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <deque>
#include <systemc>
#include <tlm>

#include "model/hba/controller.h"
#include "model/host/bus.h"
#include "model/sim/host.h"

namespace ncqlab::hba {

class ControllerShell final : public sc_core::sc_module,
                              private host::DmaTarget,
                              private InterruptSink,
                              private sim::Actor {
 public:
  struct Parts {
    sim::Host& host;  // the SystemC host of this kernel
    sim::Trace& trace;
    sata::FramePool& frames;
    const ControllerProfile& profile;
    InterruptSink* interrupts;  // or null
  };

  ControllerShell(const sc_core::sc_module_name& name, const Parts& parts);

  Controller& controller() { return controller_; }
  host::Bus& bus() { return bus_; }

  tlm_utils::simple_target_socket<ControllerShell> registers;
  tlm_utils::simple_initiator_socket<ControllerShell> dma;
  sc_core::sc_port<sc_core::sc_signal_inout_if<bool>, 1, sc_core::SC_ZERO_OR_MORE_BOUND> interrupt;

 private:
  struct Request {
    host::DmaAccess access;
    host::DmaCompletion* completion;
    sim::EventQueue::Key key;
  };

  // registers
  void access_registers(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  // DmaTarget, from queue events
  Answer access(const host::DmaAccess& access, host::DmaCompletion* completion) override;
  // InterruptSink, from queue events
  void level(bool asserted) override;
  void message(std::uint32_t vector) override;

  void transport_dma();  // SC_THREAD
  host::DmaResult transport(const host::DmaAccess& access);
  void complete(std::uint64_t outcome);  // the DmaCompletion's address, the result in its low bits

  sim::Host* host_;
  InterruptSink* sink_;
  host::Bus bus_;
  Controller controller_;
  sc_core::sc_event requested_;
  std::deque<Request> requests_;
  tlm::tlm_generic_payload payload_;
};

}  // namespace ncqlab::hba
