#include "model/hba/controller.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace ncqlab::hba {

// name, offset, reset, RW, RW1C, RW1S, survives HBA reset, read, written
const Register<Controller> Controller::kTable[] = {
    {"CAP", kCAP, 0, 0, 0, 0, true, nullptr, nullptr},
    {"GHC", kGHC, 0, kGHC_IE | kGHC_AE, 0, kGHC_HR, false, &Controller::read_control, &Controller::control_written},
    {"IS", kIS, 0, 0, 0, 0, false, &Controller::read_interrupt_status, &Controller::interrupt_status_written},
    {"PI", kPI, 0, 0, 0, 0, true, nullptr, nullptr},
    {"VS", kVS, 0, 0, 0, 0, true, nullptr, nullptr},
    {"CCC_CTL", kCCC_CTL, 0, 0, 0, 0, false, nullptr, nullptr},
    {"CCC_PORTS", kCCC_PORTS, 0, 0, 0, 0, false, nullptr, nullptr},
    {"EM_LOC", kEM_LOC, 0, 0, 0, 0, true, nullptr, nullptr},
    {"EM_CTL", kEM_CTL, 0, 0, 0, 0, false, nullptr, nullptr},
    {"CAP2", kCAP2, 0, 0, 0, 0, true, nullptr, nullptr},
    {"BOHC", kBOHC, 0, 0, 0, 0, true, nullptr, nullptr},
};

namespace {
void check(const ControllerProfile& profile) {
  const auto refuse = [&](const char* what) {
    throw std::invalid_argument("controller profile " + profile.name + ": " + what);
  };
  if (profile.ports < 1 || profile.ports > kMaxPorts) refuse("ports are 1 to 32");
  if (profile.command_slots < 1 || profile.command_slots > 32) refuse("command slots are 1 to 32");
  if (profile.generation < 1 || profile.generation > 3) refuse("the generation is 1 to 3");
  if (std::uint64_t{profile.ports_implemented} >> profile.ports != 0) refuse("a port beyond the ports is implemented");
}
}  // namespace

Controller::Controller(sim::EventQueue& queue, sim::Trace& trace, host::Bus& bus, sata::FramePool& pool,
                       const ControllerProfile& profile, InterruptSink& interrupts)
    : Actor(queue),
      trace_(&trace),
      profile_(profile),
      interrupts_(queue, trace, profile.interrupt, interrupts),
      registers_(kTable) {
  check(profile_);
  registers_[kCAP] = capabilities();
  registers_[kPI] = profile_.ports_implemented;
  registers_[kVS] = profile_.version;
  if (profile_.capabilities.ahci_only) {
    registers_.withhold(kGHC, kGHC_AE);
    registers_[kGHC] = kGHC_AE;
  }
  const PortSurroundings surroundings{&queue, &trace, &bus, &pool, &profile_, &interrupts_};
  for (unsigned i = 0; i < profile_.ports; ++i) {
    const bool implemented = (profile_.ports_implemented >> i & 1) != 0;
    ports_.push_back(implemented ? std::make_unique<Port>(surroundings, i) : nullptr);
  }
}

Controller::~Controller() = default;

std::uint32_t Controller::capabilities() const {
  const Capabilities& has = profile_.capabilities;
  std::uint32_t cap = profile_.ports - 1;
  cap |= (profile_.command_slots - 1) << kCAP_NCS_shift;
  cap |= profile_.generation << kCAP_ISS_shift;
  if (has.addresses_64bit) cap |= kCAP_S64A;
  if (has.ncq) cap |= kCAP_SNCQ;
  if (has.command_list_override) cap |= kCAP_SCLO;
  if (has.staggered_spin_up) cap |= kCAP_SSS;
  if (has.ahci_only) cap |= kCAP_SAM;
  return cap;
}

Port& Controller::implemented(unsigned port) {
  if (port >= ports_.size() || ports_[port] == nullptr) {
    throw std::out_of_range("controller " + profile_.name + " has no port " + std::to_string(port));
  }
  return *ports_[port];
}

sata::Link& Controller::link(unsigned port) { return implemented(port).link(); }

void Controller::set_mechanical_switch(unsigned port, bool open) { implemented(port).set_mechanical_switch(open); }

std::uint64_t Controller::read(std::uint64_t offset, unsigned bytes) {
  std::uint64_t value = 0;
  if (bytes == 4 && offset % 4 == 0) {
    value = offset < kRegisterSpaceBytes ? read_dword(static_cast<std::uint32_t>(offset)) : 0;
  } else {
    value = read_lanes(offset, bytes);
  }
  trace_->record({now(), sim::Kind::register_read, 0, offset, value, bytes});
  return value;
}

std::uint64_t Controller::read_lanes(std::uint64_t offset, unsigned bytes) const {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < bytes && offset + i >= offset;) {
    const std::uint64_t at = offset + i;
    const unsigned lane = at % 4;
    const unsigned count = std::min(4 - lane, bytes - i);
    const std::uint64_t dword = at < kRegisterSpaceBytes ? read_dword(static_cast<std::uint32_t>(at - lane)) : 0;
    const std::uint64_t mask = (1ULL << (8 * count)) - 1;
    value |= (dword >> (8 * lane) & mask) << (8 * i);
    i += count;
  }
  return value;
}

void Controller::write(std::uint64_t offset, std::uint64_t value, unsigned bytes) {
  trace_->record({now(), sim::Kind::register_write, 0, offset, value, bytes});
  if (bytes == 4 && offset % 4 == 0) {
    if (offset >= kRegisterSpaceBytes) return;
    return write_dword(static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(value), 0xFFFFFFFF);
  }
  for (unsigned i = 0; i < bytes && offset + i >= offset;) {
    const std::uint64_t at = offset + i;
    const unsigned lane = at % 4;
    const unsigned count = std::min(4 - lane, bytes - i);
    const std::uint64_t lanes = ((1ULL << (8 * count)) - 1) << (8 * lane);
    if (at < kRegisterSpaceBytes) {
      write_dword(static_cast<std::uint32_t>(at - lane), static_cast<std::uint32_t>((value >> (8 * i)) << (8 * lane)),
                  static_cast<std::uint32_t>(lanes));
    }
    i += count;
  }
}

Port* Controller::port_at(std::uint32_t offset) const {
  const std::uint32_t number = (offset - kPortsBase) / kPortBytes;
  return number < ports_.size() ? ports_[number].get() : nullptr;
}

std::uint32_t Controller::read_dword(std::uint32_t offset) const {
  if (offset < kPortsBase) return registers_.read(*this, offset);
  const Port* port = port_at(offset);
  return port != nullptr ? port->read(offset % kPortBytes) : 0;
}

void Controller::write_dword(std::uint32_t offset, std::uint32_t value, std::uint32_t lanes) {
  if ((registers_[kGHC] & kGHC_HR) != 0) return violation(Violation::access_during_reset, offset);
  if ((registers_[kGHC] & kGHC_AE) == 0 && offset != kGHC) violation(Violation::access_before_ahci_enable, offset);
  if (offset < kPortsBase) return registers_.write(*this, offset, value, lanes);
  if (Port* port = port_at(offset)) port->write(offset % kPortBytes, value, lanes);
}

void Controller::violation(Violation code, std::uint64_t detail) {
  trace_->record({now(), sim::Kind::violation, 0, static_cast<std::uint64_t>(code), detail, 0});
}

void Controller::control_written(std::uint32_t /*before*/, std::uint32_t ones) {
  if ((ones & kGHC_HR) != 0) return begin_reset();
  interrupts_.set_enabled((registers_[kGHC] & kGHC_IE) != 0);
}

void Controller::interrupt_status_written(std::uint32_t /*before*/, std::uint32_t ones) { interrupts_.clear(ones); }

// HBA reset, 10.4.3.
void Controller::begin_reset() {
  interrupts_.reset();
  for (const auto& port : ports_) {
    if (port != nullptr) port->begin_reset();
  }
  if (profile_.departures.engines_at_once && drained()) return end_reset(0);
  post_after<&Controller::end_reset>(profile_.latencies.reset);
}

bool Controller::drained() const {
  return std::all_of(ports_.begin(), ports_.end(), [](const auto& port) { return port == nullptr || port->drained(); });
}

void Controller::end_reset(std::uint64_t /*unused*/) {
  // DMA through a slow interconnect may outlast the reset.
  if (!drained()) return post_after<&Controller::end_reset>(sim::kMicrosecond);
  registers_.reset();
  if (profile_.capabilities.ahci_only) registers_[kGHC] = kGHC_AE;
  interrupts_.reset();
  if (whole_function_) forget_addresses();
  whole_function_ = false;
  for (const auto& port : ports_) {
    if (port != nullptr) port->end_reset();
  }
}

void Controller::reset_function() {
  whole_function_ = true;
  if ((registers_[kGHC] & kGHC_HR) != 0) return;
  registers_[kGHC] |= kGHC_HR;
  begin_reset();
}

void Controller::forget_addresses() {
  for (const auto& port : ports_) {
    if (port == nullptr) continue;
    for (const std::uint32_t offset : {kPxCLB, kPxCLBU, kPxFB, kPxFBU}) port->write(offset, 0, 0xFFFFFFFF);
  }
}

}  // namespace ncqlab::hba
