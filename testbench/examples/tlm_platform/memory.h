// The platform's memory: a target that takes its time by calling wait(), as cycle-accurate ones do.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstring>
#include <systemc>
#include <tlm>
#include <vector>

namespace example {

class Memory final : public sc_core::sc_module {
 public:
  Memory(const sc_core::sc_module_name& name, std::size_t bytes) : sc_module(name), socket("socket"), bytes_(bytes) {
    socket.register_b_transport(this, &Memory::transport);
  }

  tlm_utils::simple_target_socket<Memory> socket;

  std::uint8_t* at(std::uint64_t address) { return bytes_.data() + address; }

 private:
  void transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const std::uint64_t address = payload.get_address();
    const unsigned count = payload.get_data_length();
    if (address > bytes_.size() || count > bytes_.size() - address) {
      return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    }
    // What the caller is ahead by has to pass first; then the access itself: 40 ns and 5 ns for each 64 bytes.
    wait(delay + sc_core::sc_time(40 + 5 * (count / 64), sc_core::SC_NS));
    delay = sc_core::SC_ZERO_TIME;
    if (payload.is_read()) {
      std::memcpy(payload.get_data_ptr(), bytes_.data() + address, count);
    } else {
      std::memcpy(bytes_.data() + address, payload.get_data_ptr(), count);
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }

  std::vector<std::uint8_t> bytes_;
};

}  // namespace example
