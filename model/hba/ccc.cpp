#include "model/hba/ccc.h"

#include "model/hba/ahci.h"

namespace ncqlab::hba {

void CommandCompletion::enable(std::uint32_t ports, unsigned completions, sim::Time timeout,
                               std::uint32_t outstanding) {
  disable();
  completions_ = completions;
  timeout_ = timeout;
  remaining_ = timeout;
  select(ports, outstanding);
}

void CommandCompletion::select(std::uint32_t ports, std::uint32_t outstanding) {
  selected_ = ports;
  outstanding_ = outstanding & ports;
  update_timer();
}

void CommandCompletion::disable() {
  selected_ = 0;
  outstanding_ = 0;
  complete_ = 0;
  running_ = false;
  drop_pending_events();
  event_due_ = false;
}

void CommandCompletion::count(unsigned commands) {
  complete_ += commands;
  if (completions_ != 0 && complete_ >= completions_) {
    const unsigned left = complete_ % completions_;
    complete_ -= left;
    signal();
    complete_ = left;
  }
  update_timer();
}

void CommandCompletion::toggle_outstanding(unsigned port) {
  outstanding_ ^= 1U << port;
  update_timer();
}

void CommandCompletion::signal() {
  trace_->record({now(), sim::Kind::controller, 0, static_cast<std::uint64_t>(Happening::coalesced), complete_, 0});
  complete_ = 0;
  running_ = false;
  remaining_ = timeout_;
  interrupts_->raise(interrupt_);
}

void CommandCompletion::update_timer() {
  const bool wanted = timeout_ != 0 && (outstanding_ != 0 || complete_ != 0);
  if (wanted == running_) return;
  running_ = wanted;
  if (wanted) return run_timer();
  remaining_ = deadline_ - now();
}

void CommandCompletion::run_timer() {
  deadline_ = now() + remaining_;
  if (event_due_) return;
  event_due_ = true;
  post_at<&CommandCompletion::due>(deadline_);
}

void CommandCompletion::due(std::uint64_t /*unused*/) {
  event_due_ = false;
  if (!running_) return;
  if (now() < deadline_) {
    event_due_ = true;
    return post_at<&CommandCompletion::due>(deadline_);
  }
  signal();
  update_timer();
}

}  // namespace ncqlab::hba
