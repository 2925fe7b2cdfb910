#include "model/hba/tlm/tlm_memory.h"

namespace ncqlab::hba {

TlmMemory::TlmMemory(const sc_core::sc_module_name& name, host::Memory& memory, const sc_core::sc_time& latency)
    : sc_module(name), socket("socket"), memory_(&memory), latency_(latency) {
  socket.register_b_transport(this, &TlmMemory::transport);
  socket.register_transport_dbg(this, &TlmMemory::debug_transport);
}

bool TlmMemory::copy(tlm::tlm_generic_payload& payload) {
  if (!payload.is_read() && !payload.is_write()) return true;
  const host::DmaAccess access{payload.get_address(), payload.get_data_ptr(), payload.get_data_length(),
                               payload.is_write()};
  return memory_->access(access, nullptr) == host::DmaTarget::Answer::done;
}

void TlmMemory::transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (payload.get_byte_enable_ptr() != nullptr) return payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  if (payload.get_streaming_width() < payload.get_data_length()) {
    return payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
  }
  const bool ok = copy(payload);
  payload.set_response_status(ok ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
  if (ok) delay += latency_;
}

unsigned TlmMemory::debug_transport(tlm::tlm_generic_payload& payload) {
  return copy(payload) ? payload.get_data_length() : 0;
}

}  // namespace ncqlab::hba
