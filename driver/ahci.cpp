#include "driver/ahci.h"

#include "driver/text.h"

namespace ncqlab::driver {
namespace {

constexpr std::uint64_t kHbaReset_ns = 1000 * kMillisecond_ns;     // AHCI 1.3.1, 10.4.3
constexpr std::uint64_t kHandOff_ns = 25 * kMillisecond_ns;        // 10.6.3: for BOS to clear or BB to be set
constexpr std::uint64_t kHandOffBusy_ns = 2000 * kMillisecond_ns;  // 10.6.3: once BB is set
constexpr std::uint32_t kLongestTimeout_ms = 3'600'000;

bool legal(const Options& options) {
  const auto timeout = [](std::uint32_t ms) { return ms >= 1 && ms <= kLongestTimeout_ms; };
  return options.depth >= 1 && options.depth <= kMaxSlots && options.max_prds >= 1 && options.max_prds <= 65535 &&
         timeout(options.command_timeout_ms) && timeout(options.spin_up_timeout_ms) && options.max_attempts >= 1;
}

}  // namespace

bool Ahci::start(Platform& platform, const Options& options) {
  if (state_ != ControllerState::stopped || !legal(options)) return false;
  if (platform.read32(kVs) == kAllOnes) return false;
  host_.platform = &platform;
  host_.options = options;
  inside_ = true;
  // AE before anything else is touched (10.1.2); the interrupt stays off until the ports are under control.
  platform.write32(kGhc, kGhcAe);
  // CAP and PI are HwInit: HBA reset doesn't change them.
  host_.capabilities = platform.read32(kCap);
  const std::uint32_t implemented = platform.read32(kPi);
  if (host_.gone(implemented)) {
    fail("the controller is gone");
  } else if (implemented_ = implemented; !prepare_ports()) {
    fail("no usable memory for the ports");
  } else {
    host_.refresh_now();
    take_over();
    if (host_.controller_gone) fail("the controller is gone");
    arm_timer();
  }
  inside_ = false;
  return state_ != ControllerState::failed;
}

bool Ahci::prepare_ports() {
  for (std::uint32_t left = implemented_; left != 0; left &= left - 1) {
    const unsigned port = lowest_bit(left);
    if (!ports_[port].prepare(host_, port)) return false;
  }
  return true;
}

// 10.6.3: ask the firmware for the controller when it can hold it.
void Ahci::take_over() {
  Platform& platform = *host_.platform;
  if ((platform.read32(kCap2) & kCap2Boh) == 0) {
    begin_reset();
    return;
  }
  platform.write32(kBohc, platform.read32(kBohc) | kBohcOos);
  state_ = ControllerState::taking_over;
  limit_ns_ = host_.now_ns + kHandOff_ns;
  poll_taking_over();
}

void Ahci::poll_taking_over() {
  const std::uint32_t hand_off = host_.platform->read32(kBohc);
  if (host_.gone(hand_off)) return;
  if ((hand_off & (kBohcBos | kBohcBb)) == 0) {
    begin_reset();
    return;
  }
  if ((hand_off & kBohcBb) != 0 && !firmware_busy_) {
    firmware_busy_ = true;
    limit_ns_ = host_.now_ns + kHandOffBusy_ns;
  }
  if (host_.now_ns >= limit_ns_) {
    host_.platform->log(LogLevel::warning, "the firmware doesn't hand over; taken all the same");
    begin_reset();
    return;
  }
  poll_again();
}

void Ahci::begin_reset() {
  host_.platform->write32(kGhc, kGhcAe | kGhcHr);
  state_ = ControllerState::resetting;
  limit_ns_ = host_.now_ns + kHbaReset_ns;
  poll_again();
}

void Ahci::poll_reset() {
  const std::uint32_t control = host_.platform->read32(kGhc);
  if (host_.gone(control)) return;
  if ((control & kGhcHr) == 0) {
    reset_ended();
  } else if (host_.now_ns >= limit_ns_) {
    fail("HBA reset doesn't end");
  } else {
    poll_again();
  }
}

// HBA reset has cleared AE and IE (10.4.3). All ports go on at the same time.
void Ahci::reset_ended() {
  Platform& platform = *host_.platform;
  platform.write32(kGhc, kGhcAe);
  state_ = ControllerState::running;
  for (std::uint32_t left = implemented_; left != 0; left &= left - 1) ports_[lowest_bit(left)].attach();
  platform.write32(kIs, kAllOnes);
  interrupts_on_ = true;
  platform.write32(kGhc, kGhcAe | kGhcIe);
}

void Ahci::poll_again() {
  wake_ns_ = host_.now_ns + kMillisecond_ns;
  host_.want_timer(wake_ns_);
}

void Ahci::advance() {
  wake_ns_ = kNever;
  if (state_ == ControllerState::taking_over) {
    poll_taking_over();
  } else if (state_ == ControllerState::resetting) {
    poll_reset();
  }
}

void Ahci::fail(const char* why) {
  state_ = ControllerState::failed;
  interrupts_on_ = false;
  host_.platform->log(LogLevel::error, why);
  host_.controller_gone = true;  // its ports' registers are left alone
  for (std::uint32_t left = implemented_; left != 0; left &= left - 1) ports_[lowest_bit(left)].controller_gone();
}

bool Ahci::interrupt() {
  if (!interrupts_on_) return false;
  Platform& platform = *host_.platform;
  const std::uint32_t pending = platform.read32(kIs);
  if (pending == 0) return false;
  if (pending == kAllOnes && platform.read32(kVs) == kAllOnes) {
    interrupts_on_ = false;
    removed_ = true;
    return true;
  }
  const std::uint32_t ports = pending & implemented_;
  for (std::uint32_t left = ports; left != 0; left &= left - 1) ports_[lowest_bit(left)].latch();
  platform.write32(kIs, pending);
  latched_ports_ = latched_ports_ | ports;
  return true;
}

void Ahci::service() {
  if (inside_ || state_ == ControllerState::stopped || state_ == ControllerState::failed) return;
  inside_ = true;
  host_.refresh_now();
  if (removed_) host_.controller_gone = true;
  if (!host_.controller_gone) handle_latched();
  if (!host_.controller_gone) handle_timer();
  if (host_.controller_gone && state_ != ControllerState::failed) fail("the controller is gone");
  publish();
  arm_timer();
  inside_ = false;
}

void Ahci::handle_latched() {
  if (latched_ports_ == 0) return;
  std::uint32_t status[kMaxPorts];
  std::uint32_t serr[kMaxPorts];
  host_.platform->mask_interrupt();
  std::uint32_t left = latched_ports_;
  latched_ports_ = 0;
  for (std::uint32_t ports = left; ports != 0; ports &= ports - 1) {
    const unsigned port = lowest_bit(ports);
    ports_[port].take_latched(status[port], serr[port]);
  }
  host_.platform->unmask_interrupt();
  for (; left != 0; left &= left - 1) {
    const unsigned port = lowest_bit(left);
    ports_[port].interrupted(status[port], serr[port]);
  }
}

// The timer is armed for the earliest deadline that was ever wanted since it last fired: deadlines that have become
// void meanwhile (of commands long finished) cost one firing, not one arming per command.
void Ahci::handle_timer() {
  if (host_.now_ns < host_.armed_ns) return;
  host_.armed_ns = kNever;
  host_.wanted_ns = kNever;
  if (host_.now_ns >= wake_ns_) advance();
  for (std::uint32_t left = implemented_; left != 0; left &= left - 1) {
    Port& port = ports_[lowest_bit(left)];
    if (host_.now_ns >= port.wake_ns()) port.tick();
  }
  // What the others had wanted before.
  host_.want_timer(wake_ns_);
  for (std::uint32_t left = implemented_; left != 0; left &= left - 1) {
    host_.want_timer(ports_[lowest_bit(left)].wake_ns());
  }
}

// Completions of one port may have led to commands for another.
void Ahci::publish() {
  while (host_.unpublished_ports != 0) ports_[lowest_bit(host_.unpublished_ports)].publish();
}

void Ahci::arm_timer() {
  if (host_.wanted_ns >= host_.armed_ns) return;
  host_.armed_ns = host_.wanted_ns;
  host_.platform->set_timer(host_.armed_ns);
}

bool Ahci::submit(unsigned port, Request& request) {
  if (port >= kMaxPorts || (implemented_ & bit(port)) == 0) {
    if (request.status != Status::pending) request.status = Status::bad_port;
    return false;
  }
  if (inside_) return ports_[port].submit(request);  // from done(): published at the end of service()
  inside_ = true;
  host_.refresh_now();
  const bool accepted = ports_[port].submit(request);
  publish();
  arm_timer();
  inside_ = false;
  return accepted;
}

bool Ahci::settled() const {
  if (state_ == ControllerState::failed) return true;
  if (state_ != ControllerState::running) return false;
  for (std::uint32_t left = implemented_; left != 0; left &= left - 1) {
    const PortState state = ports_[lowest_bit(left)].state();
    if (state == PortState::attaching || state == PortState::recovering) return false;
  }
  return true;
}

PortState Ahci::port_state(unsigned port) const {
  return port < kMaxPorts ? ports_[port].state() : PortState::not_implemented;
}

const DeviceInfo* Ahci::device(unsigned port) const { return port < kMaxPorts ? ports_[port].device() : nullptr; }

unsigned Ahci::depth(unsigned port) const { return port < kMaxPorts ? ports_[port].depth() : 0; }

const PortCounters* Ahci::counters(unsigned port) const {
  return port < kMaxPorts && (implemented_ & bit(port)) != 0 ? &ports_[port].counters() : nullptr;
}

}  // namespace ncqlab::driver
