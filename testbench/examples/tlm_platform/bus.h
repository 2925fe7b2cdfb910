// The platform's interconnect: one transaction at a time, arbitrated with wait(). What goes to a controller's registers
// is cut into dwords, as a bridge to a register bus does; so a bus master may reach them too.
#pragma once

#include <tlm_utils/multi_passthrough_initiator_socket.h>
#include <tlm_utils/multi_passthrough_target_socket.h>

#include <systemc>
#include <tlm>
#include <vector>

namespace example {

class Bus final : public sc_core::sc_module {
 public:
  explicit Bus(const sc_core::sc_module_name& name) : sc_module(name), targets("targets"), initiators("initiators") {
    targets.register_b_transport(this, &Bus::transport);
  }

  tlm_utils::multi_passthrough_target_socket<Bus> targets;        // CPU and bus masters bind here
  tlm_utils::multi_passthrough_initiator_socket<Bus> initiators;  // memory and registers, in the order of map()

  void map(std::uint64_t base, std::uint64_t bytes, bool registers) { ranges_.push_back({base, bytes, registers}); }

 private:
  struct Range {
    std::uint64_t base;
    std::uint64_t bytes;
    bool registers;
  };

  void transport(int /*from*/, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    for (std::size_t i = 0; i < ranges_.size(); ++i) {
      const Range& range = ranges_[i];
      const std::uint64_t offset = payload.get_address() - range.base;
      if (offset >= range.bytes || payload.get_data_length() > range.bytes - offset) continue;
      return range.registers ? dwords(i, offset, payload, delay) : forward(i, offset, payload, delay);
    }
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  }

  void forward(std::size_t target, std::uint64_t offset, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    wait(delay);
    delay = sc_core::SC_ZERO_TIME;
    taken_.lock();
    wait(20, sc_core::SC_NS);
    const std::uint64_t address = payload.get_address();
    payload.set_address(offset);
    initiators[static_cast<int>(target)]->b_transport(payload, delay);
    payload.set_address(address);
    taken_.unlock();
  }

  void dwords(std::size_t target, std::uint64_t offset, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    tlm::tlm_generic_payload dword;
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    for (unsigned done = 0; done < payload.get_data_length(); done += 4) {
      dword.set_command(payload.get_command());
      dword.set_address(offset + done);
      dword.set_data_ptr(payload.get_data_ptr() + done);
      dword.set_data_length(std::min(4U, payload.get_data_length() - done));
      dword.set_streaming_width(dword.get_data_length());
      dword.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
      initiators[static_cast<int>(target)]->b_transport(dword, delay);
      if (!dword.is_response_ok()) return payload.set_response_status(dword.get_response_status());
    }
  }

  std::vector<Range> ranges_;
  sc_core::sc_mutex taken_;
};

}  // namespace example
