// Partial, slumber and DevSleep: requests, answers, and the ways out (SATA 3.x, clauses 8 and 9).
#include "model/sata/link.h"

namespace ncqlab::sata {

sim::Time Link::power_request_time(Generation generation) const {
  return parameters_.turn_around / 2 + dword_time(generation).of(parameters_.power_request_dwords);
}

bool Link::request_power(Direction who, LinkPower power) {
  const bool by_host = who == Direction::to_device;
  if (power == LinkPower::active) {
    if (phy_ == Phy::low_power) {
      if (power_ == LinkPower::dev_sleep && !by_host) return false;
      wake();
      return true;
    }
    if (phy_ != Phy::up || wanted_ == LinkPower::active || requester_ != who) return false;
    wanted_ = LinkPower::active;
    return true;
  }
  if (power == LinkPower::dev_sleep && !by_host) return false;
  const bool deeper = phy_ == Phy::low_power && power_ == LinkPower::slumber && power == LinkPower::dev_sleep;
  if ((phy_ != Phy::up && !deeper) || wanted_ != LinkPower::active) return false;
  wanted_ = power;
  requester_ = who;
  if (deeper) {
    request_now();
  } else {
    start_next();
  }
  return true;
}

// The link is idle: PMREQ goes out and is answered; DEVSLP is a wire of its own and is seen at once.
void Link::request_now() {
  phy_ = Phy::changing_power;
  const sim::Time time = wanted_ == LinkPower::dev_sleep ? 0 : power_request_time(generation_);
  post_after<&Link::power_answered>(time, ++token_);
}

void Link::power_answered(std::uint64_t token) {
  if (token != token_) return;
  const LinkPower wanted = wanted_;
  const std::uint64_t losses = losses_;
  const bool accepted = sender(opposite(requester_)).end->accepts_power(wanted);
  if (losses != losses_) return;
  wanted_ = LinkPower::active;
  if (accepted) {
    phy_ = Phy::low_power;
    return enter_power(wanted);
  }
  phy_ = power_ == LinkPower::active ? Phy::up : Phy::low_power;
  sender(requester_).end->power_refused(wanted);
  if (losses == losses_) start_next();
}

void Link::enter_power(LinkPower power) {
  power_ = power;
  trace_phy(PhyStep::power);
  const std::uint64_t losses = losses_;
  device_->power_changed(power);
  if (losses == losses_) host_->power_changed(power);
  if (losses == losses_) start_next();
}

// A frame waits and the link is not active: whoever can wakes it.
void Link::wake_for_frames() {
  if (phy_ != Phy::low_power) return;
  const bool host_waits = sender(Direction::to_device).waiting.valid();
  const bool device_waits = sender(Direction::to_host).waiting.valid() && power_ != LinkPower::dev_sleep;
  if (host_waits || device_waits) wake();
}

void Link::wake() {
  phy_ = Phy::changing_power;
  const sim::Time time = power_ == LinkPower::partial   ? parameters_.partial_exit
                         : power_ == LinkPower::slumber ? parameters_.slumber_exit
                                                        : parameters_.dev_sleep_exit;
  post_after<&Link::awake>(time, ++token_);
}

void Link::awake(std::uint64_t token) {
  if (token != token_) return;
  phy_ = Phy::up;
  enter_power(LinkPower::active);
}

}  // namespace ncqlab::sata
