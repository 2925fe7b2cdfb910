// Generic host control: the register table (AHCI 1.3.1, 3.1), what writes to it do, and HBA reset.
#include <algorithm>

#include "model/hba/capabilities.h"
#include "model/hba/controller.h"

namespace ncqlab::hba {

// name, offset, reset, RW, RW1C, RW1S, survives HBA reset, read, written. What the profile decides is put in by
// generic_registers().
const Register<Controller> Controller::kTable[] = {
    {"CAP", kCAP, 0, 0, 0, 0, true, nullptr, nullptr},
    {"GHC", kGHC, 0, kGHC_IE | kGHC_AE, 0, kGHC_HR, false, &Controller::read_control, &Controller::control_written},
    {"IS", kIS, 0, 0, 0, 0, false, &Controller::read_interrupt_status, &Controller::interrupt_status_written},
    {"PI", kPI, 0, 0, 0, 0, true, nullptr, nullptr},
    {"VS", kVS, 0, 0, 0, 0, true, nullptr, nullptr},
    {"CCC_CTL", kCCC_CTL, 0, kCCC_CTL_TV | kCCC_CTL_CC | kCCC_CTL_EN, 0, 0, false, nullptr,
     &Controller::coalescing_written},
    {"CCC_PORTS", kCCC_PORTS, 0, 0xFFFFFFFF, 0, 0, false, nullptr, &Controller::coalesced_ports_written},
    {"EM_LOC", kEM_LOC, 0, 0, 0, 0, true, nullptr, nullptr},
    {"EM_CTL", kEM_CTL, 0, 0, kEM_CTL_STS_MR, kEM_CTL_CTL_TM | kEM_CTL_CTL_RST, false, nullptr,
     &Controller::enclosure_written},
    {"CAP2", kCAP2, 0, 0, 0, 0, true, nullptr, nullptr},
    {"BOHC", kBOHC, 0, kBOHC_BOS | kBOHC_OOS | kBOHC_SOOE | kBOHC_BB, kBOHC_OOC, 0, true, nullptr,
     &Controller::handoff_written},
};

Controller::GenericRegisters Controller::generic_registers(const ControllerProfile& profile) {
  const Capabilities& has = profile.capabilities;
  GenericRegisters registers(kTable);
  registers.set_initial(kCAP, cap_register(profile));
  registers.set_initial(kPI, profile.ports_implemented);
  registers.set_initial(kVS, profile.version);
  registers.set_initial(kEM_LOC, em_loc_register(profile));
  registers.set_initial(kEM_CTL, em_ctl_register(profile));
  registers.set_initial(kCAP2, cap2_register(profile));
  if (has.ahci_only) {
    registers.withhold(kGHC, kGHC_AE);
    registers.set_initial(kGHC, kGHC_AE);
  }
  if (has.command_completion_coalescing) {
    registers.withhold(kCCC_PORTS, ~profile.ports_implemented);
    registers.set_initial(kCCC_CTL, 1U << kCCC_CTL_TV_shift | 1U << kCCC_CTL_CC_shift |
                                        profile.coalescing_interrupt << kCCC_CTL_INT_shift);
  } else {
    registers.remove(kCCC_CTL);
    registers.remove(kCCC_PORTS);
  }
  if (!has.enclosure_management) registers.remove(kEM_CTL);
  if (!has.bios_handoff) registers.remove(kBOHC);
  return registers;
}

void Controller::control_written(std::uint32_t /*before*/, std::uint32_t ones) {
  if ((ones & kGHC_HR) != 0) return begin_reset();
  interrupts_.set_enabled((registers_[kGHC] & kGHC_IE) != 0);
  for (const auto& port : ports_) {
    if (port != nullptr) port->set_ahci_enabled((registers_[kGHC] & kGHC_AE) != 0);
  }
}

void Controller::interrupt_status_written(std::uint32_t /*before*/, std::uint32_t ones) { interrupts_.clear(ones); }

// 3.1.6: TV and CC are software's to change only while EN = 0, and take effect when EN becomes 1.
void Controller::coalescing_written(std::uint32_t before, std::uint32_t /*ones*/) {
  constexpr std::uint32_t kFields = kCCC_CTL_TV | kCCC_CTL_CC;
  std::uint32_t& control = registers_[kCCC_CTL];
  if ((before & kCCC_CTL_EN) != 0) {
    if (((before ^ control) & kFields) != 0) violation(Violation::coalescing_changed_while_enabled, before ^ control);
    control = (control & ~kFields) | (before & kFields);
    if ((control & kCCC_CTL_EN) == 0) coalescing_.disable();
  } else if ((control & kCCC_CTL_EN) != 0) {
    const std::uint32_t timeout = (control & kCCC_CTL_TV) >> kCCC_CTL_TV_shift;
    if (timeout == 0) violation(Violation::coalescing_without_timeout, 0);
    coalescing_.enable(registers_[kCCC_PORTS], (control & kCCC_CTL_CC) >> kCCC_CTL_CC_shift,
                       timeout * sim::kMillisecond, ports_with_commands());
  }
}

void Controller::coalesced_ports_written(std::uint32_t /*before*/, std::uint32_t /*ones*/) {
  if ((registers_[kCCC_CTL] & kCCC_CTL_EN) != 0) coalescing_.select(registers_[kCCC_PORTS], ports_with_commands());
}

std::uint32_t Controller::ports_with_commands() const {
  std::uint32_t ports = 0;
  for (std::size_t i = 0; i < ports_.size(); ++i) {
    if (ports_[i] != nullptr && (ports_[i]->read(kPxCI) | ports_[i]->read(kPxSACT)) != 0) ports |= 1U << i;
  }
  return ports;
}

void Controller::claim(const Firmware& firmware) {
  if (profile_.capabilities.bios_handoff) handoff_.claim(firmware);
}

// HBA reset, 10.4.3.
void Controller::begin_reset() {
  interrupts_.reset();
  coalescing_.disable();
  enclosure_.reset();
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
  interrupts_.reset();
  if (whole_function_) forget_survivors();
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

// What HBA reset leaves alone.
void Controller::forget_survivors() {
  handoff_.forget();
  registers_.power_on();
  for (const auto& port : ports_) {
    if (port == nullptr) continue;
    for (const std::uint32_t offset : {kPxCLB, kPxCLBU, kPxFB, kPxFBU}) port->write(offset, 0, 0xFFFFFFFF);
  }
}

}  // namespace ncqlab::hba
