// Link power: PxCMD.ICC, aggressive transitions, what the device asks for, and DevSleep (AHCI 1.3.1, 5.3.4 PM states,
// 8.3 and 8.5; PxDEVSLP 3.3.17).
#include "model/hba/port.h"

namespace ncqlab::hba {

namespace {
using sata::LinkPower;

// PxCMD.ICC (3.3.7) and PxSSTS.IPM (3.3.10) name the states by the same numbers.
constexpr std::uint32_t kICC_active = 1;

std::uint32_t field(std::uint32_t value, unsigned shift, std::uint32_t mask) { return value >> shift & mask; }
}  // namespace

// Whether CAP and CAP2 have the state and PxSCTL.IPM allows it (3.3.11: bit 0 forbids partial, 1 slumber, 2 DevSleep).
bool Port::power_allowed(LinkPower power) const {
  const Capabilities& has = profile_->capabilities;
  const std::uint32_t forbidden = registers_[kPxSCTL] >> kIPM_shift;
  switch (power) {
    case LinkPower::active:
      return true;
    case LinkPower::partial:
      return has.partial && (forbidden & 1) == 0;
    case LinkPower::slumber:
      return has.slumber && (forbidden & 2) == 0;
    case LinkPower::dev_sleep:
      return has.device_sleep && (registers_[kPxDEVSLP] & kDEVSLP_DSP) != 0 && (forbidden & 4) == 0;
  }
  return false;
}

// PM:ICC. The field reads back as it was written until the link has answered.
void Port::communication_control_written() {
  const std::uint32_t wanted = registers_[kPxCMD] >> kPxCMD_ICC_shift;
  const auto power = static_cast<LinkPower>(wanted);
  const bool known = wanted == kICC_active || power == LinkPower::partial || power == LinkPower::slumber ||
                     power == LinkPower::dev_sleep;
  if (!known || !power_allowed(power)) {
    violation(Violation::link_power_not_supported, wanted);
    return communication_control_done();
  }
  if (power == LinkPower::active) return wake_for_software();
  const bool slumber_first = power == LinkPower::dev_sleep && profile_->capabilities.device_sleep_from_slumber_only;
  if (slumber_first && link_.host_side().power() != LinkPower::slumber) return communication_control_done();
  if (!link_.host_side().request_power(power)) communication_control_done();
}

void Port::wake_for_software() {
  if (asleep_until_may_wake()) return;  // the field stays until then
  if (!link_.host_side().request_power(LinkPower::active)) communication_control_done();
}

void Port::communication_control_done() { registers_[kPxCMD] &= ~kPxCMD_ICC; }

// PM:Aggr: the last command outstanding is done.
void Port::aggressive_power() {
  if ((registers_[kPxCI] | registers_[kPxSACT]) != 0) return;
  if ((registers_[kPxDEVSLP] & kDEVSLP_ADSE) != 0) start_sleep_timer();
  if ((registers_[kPxCMD] & kPxCMD_ALPE) == 0) return;
  const LinkPower power = (registers_[kPxCMD] & kPxCMD_ASP) != 0 ? LinkPower::slumber : LinkPower::partial;
  if (power_allowed(power)) link_.host_side().request_power(power);
}

// The device asks: granted when nothing is to be sent.
bool Port::accepts_power(LinkPower power) {
  const bool to_send = command_to_issue_ || sending_ != Sending::nothing || dma_count_ != 0;
  return !to_send && receiving_ == Receiving::nothing && power_allowed(power);
}

void Port::power_changed(LinkPower power) {
  registers_[kPxSSTS] = (registers_[kPxSSTS] & ~kIPM_mask) | static_cast<std::uint32_t>(power) << kIPM_shift;
  // PhyRdy goes with the active state (3.3.12, DIAG.N); the wake-up was COMWAKE, but DevSleep's exit is a new start.
  registers_[kPxSERR] |= kSERR_DIAG_N | (power == LinkPower::active ? kSERR_DIAG_W : 0);
  slept_at_ = power == LinkPower::dev_sleep ? now() : sim::kNever;
  communication_control_done();
  update_interrupt();
  if (power == LinkPower::active) idle();
}

void Port::power_refused(LinkPower /*power*/) { communication_control_done(); }

// DEVSLP stays asserted for PxDEVSLP.MDAT at least: true when that is not over, and the port comes back when it is.
bool Port::asleep_until_may_wake() {
  if (slept_at_ == sim::kNever) return false;
  const std::uint32_t least_ms = field(registers_[kPxDEVSLP], kDEVSLP_MDAT_shift, kDEVSLP_MDAT_mask);
  const sim::Time over = slept_at_ + least_ms * sim::kMillisecond;
  if (now() >= over) return false;
  post_at<&Port::may_wake>(over);
  return true;
}

void Port::may_wake(std::uint64_t) {
  if (slept_at_ == sim::kNever || asleep_until_may_wake()) return;
  if (registers_[kPxCMD] >> kPxCMD_ICC_shift == kICC_active) wake_for_software();
  idle();
}

// Aggressive DevSleep: DITO times DM plus one milliseconds without a command.
void Port::start_sleep_timer() {
  const std::uint32_t sleep = registers_[kPxDEVSLP];
  const std::uint64_t idle_ms = std::uint64_t{field(sleep, kDEVSLP_DITO_shift, kDEVSLP_DITO_mask)} *
                                (field(sleep, kDEVSLP_DM_shift, kDEVSLP_DM_mask) + 1);
  post_after<&Port::idle_for_long>(static_cast<sim::Time>(idle_ms) * sim::kMillisecond, ++sleep_timer_);
}

void Port::idle_for_long(std::uint64_t timer) {
  if (timer != sleep_timer_ || (registers_[kPxDEVSLP] & kDEVSLP_ADSE) == 0) return;
  if ((registers_[kPxCI] | registers_[kPxSACT]) != 0 || !power_allowed(LinkPower::dev_sleep)) return;
  const bool from_slumber = link_.host_side().power() == LinkPower::slumber;
  if (profile_->capabilities.device_sleep_from_slumber_only && !from_slumber) return;
  link_.host_side().request_power(LinkPower::dev_sleep);
}

void Port::device_sleep_written(std::uint32_t before, std::uint32_t /*ones*/) {
  const std::uint32_t now_set = registers_[kPxDEVSLP];
  const bool started = (registers_[kPxCMD] & kPxCMD_ST) != 0 || (before & kDEVSLP_ADSE) != 0;
  if (((before ^ now_set) & kDEVSLP_times) != 0 && started) violation(Violation::sleep_time_changed_while_started);
  if ((~before & now_set & kDEVSLP_ADSE) != 0 && (registers_[kPxCI] | registers_[kPxSACT]) == 0) start_sleep_timer();
}

}  // namespace ncqlab::hba
