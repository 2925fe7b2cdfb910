#include "model/hba/tlm/tlm_memory.h"

#include <cstring>

namespace ncqlab::hba {

TlmMemory::TlmMemory(const sc_core::sc_module_name& name, host::Memory& memory, const sc_core::sc_time& latency)
    : sc_module(name), socket("socket"), memory_(&memory), latency_(latency) {
  socket.register_b_transport(this, &TlmMemory::transport);
  socket.register_transport_dbg(this, &TlmMemory::debug_transport);
}

bool TlmMemory::copy(tlm::tlm_generic_payload& payload) {
  std::uint8_t* memory = memory_->translate(payload.get_address(), payload.get_data_length());
  if (memory == nullptr) return false;
  if (payload.is_read()) {
    std::memcpy(payload.get_data_ptr(), memory, payload.get_data_length());
  } else if (payload.is_write()) {
    std::memcpy(memory, payload.get_data_ptr(), payload.get_data_length());
  }
  return true;
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
