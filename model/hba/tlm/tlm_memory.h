// Guest memory behind a TLM-2.0 socket: a loosely timed target around host::Memory, with DMI left out on purpose (every
// access is seen). Addresses are guest addresses.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <systemc>
#include <tlm>

#include "model/host/memory.h"

namespace ncqlab::hba {

class TlmMemory final : public sc_core::sc_module {
 public:
  // `latency` is added to the delay of every access. The memory outlives the module.
  TlmMemory(const sc_core::sc_module_name& name, host::Memory& memory,
            const sc_core::sc_time& latency = sc_core::SC_ZERO_TIME);

  tlm_utils::simple_target_socket<TlmMemory> socket;

 private:
  void transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned debug_transport(tlm::tlm_generic_payload& payload);
  bool copy(tlm::tlm_generic_payload& payload);

  host::Memory* memory_;
  sc_core::sc_time latency_;
};

}  // namespace ncqlab::hba
