#include "model/hba/tlm/controller_shell.h"

namespace ncqlab::hba {

namespace {

sc_core::sc_time to_sc_time(sim::Time duration) {
  return sc_core::sc_time::from_value(static_cast<sc_dt::uint64>(duration));
}

bool in_thread() {
  const sc_core::sc_curr_proc_kind kind = sc_core::sc_get_current_process_handle().proc_kind();
  return kind == sc_core::SC_THREAD_PROC_ || kind == sc_core::SC_CTHREAD_PROC_;
}

bool same(const sim::EventQueue::Key& a, const sim::EventQueue::Key& b) {
  return a.when == b.when && a.sequence == b.sequence;
}

// A completion's address has them free.
constexpr std::uint64_t kResultBits = 3;
static_assert(alignof(host::DmaCompletion) > kResultBits);

}  // namespace

ControllerShell::ControllerShell(const sc_core::sc_module_name& name, const Parts& parts)
    : sc_module(name),
      Actor(parts.host.queue()),
      registers("registers"),
      dma("dma"),
      interrupt("interrupt"),
      host_(&parts.host),
      sink_(parts.interrupts),
      bus_(parts.host.queue(), parts.trace, parts.profile.bus, *this),
      controller_(parts.host.queue(), parts.trace, bus_, parts.frames, parts.profile, *this) {
  SC_HAS_PROCESS(ControllerShell);
  SC_THREAD(transport_dma);
  registers.register_b_transport(this, &ControllerShell::access_registers);
}

void ControllerShell::access_registers(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const unsigned bytes = payload.get_data_length();
  const std::uint64_t offset = payload.get_address();
  if (payload.get_byte_enable_ptr() != nullptr) return payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  if (bytes < 1 || bytes > 8 || payload.get_streaming_width() < bytes) {
    return payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
  }
  const std::uint32_t space = controller_.register_space_bytes();
  if (offset >= space || bytes > space - offset) {
    return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  }
  if (delay > sc_core::SC_ZERO_TIME && in_thread()) {
    sc_core::wait(delay);
    delay = sc_core::SC_ZERO_TIME;
  }

  host_->synchronise();
  const host::BusProfile& bus = controller_.profile().bus;
  std::uint8_t* data = payload.get_data_ptr();
  if (payload.is_read()) {
    const std::uint64_t value = controller_.read(offset, bytes);
    for (unsigned i = 0; i < bytes; ++i) data[i] = static_cast<std::uint8_t>(value >> (8 * i));
    delay += to_sc_time(bus.register_read_request + bus.register_read_reply);
  } else if (payload.is_write()) {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < bytes; ++i) value |= std::uint64_t{data[i]} << (8 * i);
    controller_.write(offset, value, bytes);
    delay += to_sc_time(bus.register_write);
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  host_->wake();
}

host::DmaTarget::Answer ControllerShell::access(const host::DmaAccess& access, host::DmaCompletion* completion) {
  requests_.push_back({access, completion, queue().current_key()});
  requested_.notify();
  queue().request_yield();
  return Answer::pending;
}

void ControllerShell::transport_dma() {
  for (;;) {
    while (requests_.empty()) sc_core::wait(requested_);
    const Request request = requests_.front();
    requests_.pop_front();
    const auto result = static_cast<std::uint64_t>(transport(request.access));
    const std::uint64_t outcome = reinterpret_cast<std::uintptr_t>(request.completion) | result;
    host_->synchronise();
    // When nothing has run since, the completion takes the place of the event that asked for it.
    if (now() == request.key.when && same(queue().current_key(), request.key)) {
      post_keyed<&ControllerShell::complete>(request.key, outcome);
    } else {
      post_after<&ControllerShell::complete>(0, outcome);
    }
    host_->wake();
  }
}

host::DmaResult ControllerShell::transport(const host::DmaAccess& access) {
  payload_.set_command(access.to_memory ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
  payload_.set_address(access.address);
  payload_.set_data_ptr(access.buffer);
  payload_.set_data_length(access.bytes);
  payload_.set_streaming_width(access.bytes);
  payload_.set_byte_enable_ptr(nullptr);
  payload_.set_dmi_allowed(false);
  payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  dma->b_transport(payload_, delay);
  if (delay > sc_core::SC_ZERO_TIME) sc_core::wait(delay);
  if (payload_.is_response_ok()) return host::DmaResult::ok;
  const bool bad_data = payload_.get_response_status() == tlm::TLM_GENERIC_ERROR_RESPONSE;
  return bad_data ? host::DmaResult::bad_data : host::DmaResult::aborted;
}

void ControllerShell::complete(std::uint64_t outcome) {
  auto* completion = reinterpret_cast<host::DmaCompletion*>(static_cast<std::uintptr_t>(outcome & ~kResultBits));
  completion->dma_completed(static_cast<host::DmaResult>(outcome & kResultBits));
}

void ControllerShell::level(bool asserted) {
  if (interrupt.size() != 0) interrupt->write(asserted);
  if (sink_ != nullptr) sink_->level(asserted);
}

void ControllerShell::message(std::uint32_t vector) {
  if (sink_ != nullptr) sink_->message(vector);
}

}  // namespace ncqlab::hba
