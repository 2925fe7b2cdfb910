// The PHY: out-of-band signals, speed negotiation, hot plug, loss of signal (SATA 3.x, clause 8).
#include <algorithm>
#include <stdexcept>
#include <utility>

#include "model/sata/link.h"

namespace ncqlab::sata {

namespace {
// SStatus (14.1.1): DET, SPD, IPM.
constexpr std::uint64_t kDetected = 1;
constexpr std::uint64_t kEstablished = 3;
constexpr unsigned kSpeed_shift = 4;
constexpr unsigned kPower_shift = 8;
}  // namespace

sim::Time Link::negotiation_time(Generation device, Generation limit) const {
  const Generation host = limit == 0 ? parameters_.highest_generation : std::min(parameters_.highest_generation, limit);
  return 2 * parameters_.reset_signal + 2 * parameters_.wake_signal +
         parameters_.negotiation_per_rate * (device - std::min(device, host) + 1);
}

void Link::plug(Device* device) {
  if (device_ != nullptr) throw std::logic_error("a device is plugged into a link that has one");
  device_ = device;
  sender(Direction::to_host).end = device;
  sender(Direction::to_host).data_rate = 0;
  host_->presence_changed(true);
  if (phy_ == Phy::listening) start_negotiation(false);
}

void Link::unplug() {
  lose_phy(phy_ == Phy::disabled ? Phy::disabled : Phy::listening, PhyStep::lost);
  device_ = nullptr;
  sender(Direction::to_host).end = nullptr;
  host_->presence_changed(false);
}

void Link::begin_comreset() { lose_phy(Phy::disabled, PhyStep::comreset_begins); }

void Link::end_comreset(Generation limit) {
  lose_phy(Phy::listening, PhyStep::comreset_ends);
  limit_ = limit;
  if (device_ != nullptr) start_negotiation(true);
}

void Link::send_cominit() {
  if (phy_ == Phy::disabled || phy_ == Phy::negotiating || device_ == nullptr) return;
  lose_phy(Phy::listening, PhyStep::lost);
  if (phy_ == Phy::listening) start_negotiation(false);
}

// The device's COMINIT ends after COMRESET (10.4) has passed to it, or comes unasked.
void Link::start_negotiation(bool answers_comreset) {
  const sim::Time delay = device_->cominit_delay();
  if (delay == sim::kNever) return;
  phy_ = Phy::negotiating;
  step_ = PhyStep::cominit;
  generation_ = device_->highest_generation();
  post_after<&Link::phy_step>((answers_comreset ? 2 : 1) * parameters_.reset_signal + delay, ++token_);
}

// The step under way is over.
void Link::phy_step(std::uint64_t token) {
  if (token != token_) return;
  if (step_ == PhyStep::speed) return speed_tried();
  if (!step_succeeds(step_)) return negotiation_failed();
  detected_ = true;
  trace_phy(step_);
  if (step_ == PhyStep::comwake) return try_speed();
  step_ = PhyStep::comwake;
  const std::uint64_t losses = losses_;
  host_->device_detected();
  if (losses == losses_) post_after<&Link::phy_step>(2 * parameters_.wake_signal, ++token_);
}

void Link::try_speed() {
  step_ = PhyStep::speed;
  trace_phy(step_);
  post_after<&Link::phy_step>(parameters_.negotiation_per_rate, ++token_);
}

// The host locks onto the first rate that it may use; the device goes down from rate to rate until it does.
void Link::speed_tried() {
  const Generation host_limit = limit_ == 0 ? parameters_.highest_generation : limit_;
  const bool allowed = generation_ <= std::min(parameters_.highest_generation, host_limit);
  if (allowed && step_succeeds(PhyStep::speed)) return phy_up();
  if (generation_ == 1) return negotiation_failed();
  --generation_;
  try_speed();
}

void Link::phy_up() {
  phy_ = Phy::up;
  dword_time_ = dword_time(generation_);
  trace_phy(PhyStep::ready);
  const std::uint64_t losses = losses_;
  device_->hardware_reset(generation_);
  if (losses == losses_) host_->phy_ready(generation_);
}

void Link::negotiation_failed() {
  phy_ = Phy::listening;
  trace_phy(PhyStep::failed);
}

void Link::interrupt_signal(sim::Time duration) {
  if (phy_ != Phy::up) return;
  lose_phy(Phy::interrupted, PhyStep::lost);
  if (phy_ == Phy::interrupted) post_after<&Link::signal_back>(duration, ++token_);
}

void Link::signal_back(std::uint64_t token) {
  if (token != token_) return;
  phy_ = Phy::up;
  detected_ = true;
  trace_phy(PhyStep::recovered);
  const std::uint64_t losses = losses_;
  device_->phy_recovered(generation_);
  if (losses == losses_) host_->phy_recovered(generation_);
}

void Link::lose_phy(Phy next, PhyStep step) {
  const bool was_up = phy_ >= Phy::up;
  const bool was_detected = std::exchange(detected_, false);
  phy_ = next;
  power_ = wanted_ = LinkPower::active;
  ++token_;
  ++losses_;
  for (Sender& end : senders_) {
    end.waiting = Frame();
    end.attempts = 0;
  }
  if (line_ != Line::delivering) {
    line_ = Line::idle;
    under_way_ = Frame();
  }
  if (was_detected || step != PhyStep::lost) trace_phy(step);
  if (!was_up) {
    if (was_detected && step == PhyStep::lost) host_->device_gone();
    return;
  }
  host_->phy_lost();
  if (device_ != nullptr) device_->phy_lost();
}

// In the layout of SStatus, with the step.
void Link::trace_phy(PhyStep step) {
  std::uint64_t status = detected_ ? kDetected : 0;
  if (phy_ >= Phy::up) {
    status =
        static_cast<std::uint64_t>(power_) << kPower_shift | std::uint64_t{generation_} << kSpeed_shift | kEstablished;
  }
  const std::uint64_t tried = step == PhyStep::speed ? generation_ : 0;
  trace_->record({now(), sim::Kind::phy, port_, status, static_cast<std::uint64_t>(step), tried});
}

}  // namespace ncqlab::sata
