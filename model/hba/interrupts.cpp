#include "model/hba/interrupts.h"

#include <algorithm>

namespace ncqlab::hba {

void HostInterrupts::configure(InterruptKind kind, unsigned requested, unsigned granted) {
  kind_ = kind;
  const bool several = kind == InterruptKind::msi && granted > 1;
  reverted_ = several && granted < requested;
  messages_ = several && !reverted_ ? granted : 1;
  update_level();
}

void HostInterrupts::set_port(unsigned port, bool pending) {
  const std::uint32_t bit = 1U << port;
  if (!pending) {
    pending_ports_ &= ~bit;
    if (many()) status_ &= ~bit;
    return;
  }
  pending_ports_ |= bit;
  if ((status_ & bit) != 0) return;
  status_ |= bit;
  became_set(bit);
}

void HostInterrupts::raise(unsigned bit) {
  const std::uint32_t mask = 1U << bit;
  if (!many() && (status_ & mask) != 0) return;
  status_ |= mask;
  became_set(mask);
}

void HostInterrupts::clear(std::uint32_t ones) {
  const std::uint32_t cleared = status_ & ones;
  if (cleared == 0) return;
  status_ = (status_ & ~ones) | pending_ports_;
  became_set(many() ? cleared & pending_ports_ : status_);
}

void HostInterrupts::set_enabled(bool enabled) {
  if (enabled == enabled_) return;
  enabled_ = enabled;
  became_set(status_);
}

void HostInterrupts::reset() {
  pending_ports_ = 0;
  status_ = 0;
  enabled_ = false;
  update_level();
}

// One message for all `bits`, or each one's own.
void HostInterrupts::became_set(std::uint32_t bits) {
  update_level();
  if (kind_ != InterruptKind::msi || !enabled_ || bits == 0) return;
  if (!many()) return message(0);
  std::uint32_t sent = 0;
  for (unsigned bit = 0; bit < 32; ++bit) {
    if ((bits >> bit & 1) == 0) continue;
    const std::uint32_t number = std::min(bit, messages_ - 1);
    if ((sent >> number & 1) == 0) message(number);
    sent |= 1U << number;
  }
}

void HostInterrupts::message(std::uint32_t number) {
  record(number, true);
  sink_->message(number);
}

void HostInterrupts::update_level() {
  const bool asserted = kind_ == InterruptKind::intx && enabled_ && status_ != 0;
  if (asserted == asserted_) return;
  asserted_ = asserted;
  record(0, asserted);
  sink_->level(asserted);
}

void HostInterrupts::record(std::uint32_t number, bool raised) {
  trace_->record({queue_->now(), sim::Kind::interrupt, 0, number, raised ? 1U : 0U, 0});
}

}  // namespace ncqlab::hba
