#include "model/hba/interrupts.h"

namespace ncqlab::hba {

void HostInterrupts::set_port(unsigned port, bool pending) {
  const std::uint32_t bit = 1U << port;
  if (!pending) {
    pending_ports_ &= ~bit;
    return;
  }
  pending_ports_ |= bit;
  if ((status_ & bit) != 0) return;
  status_ |= bit;
  update_level();
  message();
}

void HostInterrupts::clear(std::uint32_t ones) {
  if ((status_ & ones) == 0) return;
  status_ = (status_ & ~ones) | pending_ports_;
  update_level();
  message();
}

void HostInterrupts::set_enabled(bool enabled) {
  if (enabled == enabled_) return;
  enabled_ = enabled;
  update_level();
  message();
}

void HostInterrupts::reset() {
  pending_ports_ = 0;
  status_ = 0;
  enabled_ = false;
  update_level();
}

void HostInterrupts::message() {
  if (kind_ != InterruptKind::msi || !enabled_ || status_ == 0) return;
  record(true);
  sink_->message(0);
}

void HostInterrupts::update_level() {
  const bool asserted = kind_ == InterruptKind::intx && enabled_ && status_ != 0;
  if (asserted == asserted_) return;
  asserted_ = asserted;
  record(asserted);
  sink_->level(asserted);
}

void HostInterrupts::record(bool raised) {
  trace_->record({queue_->now(), sim::Kind::interrupt, 0, 0, raised ? 1U : 0U, 0});
}

}  // namespace ncqlab::hba
