// The SystemC host: one SC_METHOD runs the event queue; SystemC carries modules, sockets and foreign processes beside
// it.
//
// Whoever owns the program drives it: Host::run(), as the lab does, or a platform's own sc_start(), to which the queue
// is one process among others; what an event throws then comes out of sc_start() as SystemC reports it.
//
// The model never asks SystemC for the time; this module keeps both clocks equal. run() returns as Host says, also
// when foreign modules have events of their own pending. Make one KernelGuard per simulation before any module.
#pragma once

#include <memory>

#include "model/sim/host.h"

namespace ncqlab::sim {

// A fresh SystemC kernel for one simulation, in this process: resets the global simulation context when made and when
// destroyed (after all modules are gone). IEEE 1666 has no such call; SystemC 2.3.4's reset() is used here and nowhere
// else. Also restores what survives a reset: report actions and the report handler.
class KernelGuard {
 public:
  KernelGuard();
  ~KernelGuard();
  KernelGuard(const KernelGuard&) = delete;
  KernelGuard& operator=(const KernelGuard&) = delete;
};

std::unique_ptr<Host> make_systemc_host(const char* module_name = "queue_host");

}  // namespace ncqlab::sim
