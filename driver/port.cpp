#include "driver/port.h"

#include "driver/text.h"

namespace ncqlab::driver {

bool Port::prepare(Host& host, unsigned number) {
  host_ = &host;
  number_ = number;
  base_ = kPortBase + number * kPortStride;
  table_stride_ = table_stride(host.options.max_prds);
  depth_ = 0;
  const unsigned slots = (host.capabilities >> kCapNcsShift & kCapNcsMask) + 1U;
  const std::size_t tables = slots < host.options.depth ? slots : host.options.depth;
  struct Want {
    std::size_t bytes;
    std::size_t alignment;
    DmaMemory* memory;
  };
  const Want wants[] = {{kCommandList_bytes, kCommandList_bytes, &list_},
                        {kReceivedFis_bytes, kReceivedFis_bytes, &received_},
                        {tables * table_stride_, kTableAlignment, &tables_},
                        {kIdentify_bytes, kIdentify_bytes, &identify_}};
  for (const Want& want : wants) {
    DmaMemory& memory = *want.memory;
    if (!host.platform->allocate_dma(want.bytes, want.alignment, memory)) return false;
    if (memory.bytes < want.bytes || memory.bus_address > host.highest_address() - (want.bytes - 1)) return false;
  }
  for (unsigned slot = 0; slot < tables; ++slot) {
    const std::uint64_t table = tables_.bus_address + table_offset(slot);
    header_of(slot).table_low.set(static_cast<std::uint32_t>(table));
    header_of(slot).table_high.set(static_cast<std::uint32_t>(table >> 32));
  }
  state_ = PortState::attaching;
  return true;
}

const DeviceInfo* Port::device() const {
  return state_ == PortState::active || state_ == PortState::recovering ? &device_ : nullptr;
}

void Port::wait_until(std::uint64_t when_ns) {
  wake_ns_ = when_ns;
  host_->want_timer(when_ns);
}

void Port::enter(Step step, std::uint64_t limit_ms) {
  step_ = step;
  entered_ns_ = host_->now_ns;
  limit_ns_ = host_->now_ns + limit_ms * kMillisecond_ns;
  wait_until(host_->now_ns + kMillisecond_ns);
}

// Each millisecond at first, each 10 ms in a long wait (a disk that spins up).
void Port::poll_again() {
  const bool long_wait = host_->now_ns - entered_ns_ >= 100 * kMillisecond_ns;
  wait_until(host_->now_ns + (long_wait ? 10 : 1) * kMillisecond_ns);
}

void Port::log(LogLevel level, const char* text) const {
  Text line;
  line << "port " << number_ << ": " << text;
  host_->platform->log(level, line.c_str());
}

void Port::tick() {
  wake_ns_ = kNever;
  switch (step_) {
    case Step::none:
      break;
    case Step::stop_engine:
    case Step::stop_receive:
      poll_stopping();
      break;
    case Step::comreset:
      end_comreset();
      break;
    case Step::link:
      poll_link();
      break;
    case Step::ready:
      poll_ready();
      break;
    case Step::identify:
    case Step::running:
      tick_running();
      break;
  }
  publish();
}

void Port::interrupted(std::uint32_t status, std::uint32_t serr) {
  // While the port is being reset its interrupts are off; what had been latched before doesn't count any more.
  if (step_ != Step::identify && step_ != Step::running) return;
  ++counters_.interrupts;
  if ((status & (kIntErrors | kIntInfs | kIntUfs)) != 0) {
    count_errors(status);
    if ((status & kIntErrors) != 0) {
      handle_error(status, serr);
      publish();
      return;
    }
  }
  collect_finished();
  issue_waiting();
  publish();
}

void Port::controller_gone() {
  if (state_ == PortState::not_implemented || state_ == PortState::dead) return;
  retire(PortState::dead, Status::device_gone, "the controller is gone");
}

// PxSERR first: while it stands, PxIS.PCS, PRCS and UFS can't be cleared (AHCI 1.3.1, 3.3.5).
void Port::latch() {
  const std::uint32_t status = read(kPxIs);
  if ((status & kIntThroughSerr) != 0) {
    const std::uint32_t serr = read(kPxSerr);
    write(kPxSerr, serr);
    latched_serr_ = latched_serr_ | serr;
  }
  write(kPxIs, status);
  latched_status_ = latched_status_ | status;
}

void Port::take_latched(std::uint32_t& status, std::uint32_t& serr) {
  status = latched_status_;
  serr = latched_serr_;
  latched_status_ = 0;
  latched_serr_ = 0;
}

}  // namespace ncqlab::driver
