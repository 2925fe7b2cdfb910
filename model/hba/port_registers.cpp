// The port's register table (AHCI 1.3.1, 3.3) and what writes to it do.
#include "model/hba/port.h"

namespace ncqlab::hba {

namespace {
constexpr std::uint32_t kInterruptsFollowing = kPxIS_UFS | kPxIS_PCS | kPxIS_PRCS;  // bits of PxSERR, read only here
constexpr std::uint32_t kCommandWritable = kPxCMD_ST | kPxCMD_SUD | kPxCMD_POD | kPxCMD_FRE | kPxCMD_PMA |
                                           kPxCMD_APSTE | kPxCMD_ATAPI | kPxCMD_DLAE | kPxCMD_ALPE | kPxCMD_ASP |
                                           kPxCMD_ICC;
constexpr std::uint32_t kErrorsClearable = 0x07FF0F03;
}  // namespace

// name, offset, reset, RW, RW1C, RW1S, survives HBA reset, read, written
const Register<Port> Port::kTable[] = {
    {"PxCLB", kPxCLB, 0, 0xFFFFFC00, 0, 0, true, nullptr, nullptr},
    {"PxCLBU", kPxCLBU, 0, 0xFFFFFFFF, 0, 0, true, nullptr, nullptr},
    {"PxFB", kPxFB, 0, 0xFFFFFF00, 0, 0, true, nullptr, nullptr},
    {"PxFBU", kPxFBU, 0, 0xFFFFFFFF, 0, 0, true, nullptr, nullptr},
    {"PxIS", kPxIS, 0, 0, kPxIS_all & ~kInterruptsFollowing, 0, false, &Port::read_interrupt_status,
     &Port::interrupts_changed},
    {"PxIE", kPxIE, 0, kPxIS_all, 0, 0, false, nullptr, &Port::interrupts_changed},
    {"PxCMD", kPxCMD, kPxCMD_SUD | kPxCMD_POD, kCommandWritable, 0, kPxCMD_CLO, false, nullptr, &Port::command_written},
    {"PxTFD", kPxTFD, 0x7F, 0, 0, 0, false, nullptr, nullptr},
    {"PxSIG", kPxSIG, 0xFFFFFFFF, 0, 0, 0, false, nullptr, nullptr},
    {"PxSSTS", kPxSSTS, 0, 0, 0, 0, false, nullptr, nullptr},
    {"PxSCTL", kPxSCTL, 0, 0xFFF, 0, 0, false, nullptr, &Port::serial_control_written},
    {"PxSERR", kPxSERR, 0, 0, kErrorsClearable, 0, false, nullptr, &Port::errors_written},
    {"PxSACT", kPxSACT, 0, 0, 0, 0xFFFFFFFF, false, nullptr, &Port::active_written},
    {"PxCI", kPxCI, 0, 0, 0, 0xFFFFFFFF, false, nullptr, &Port::issue_written},
    {"PxSNTF", kPxSNTF, 0, 0, 0xFFFF, 0, false, nullptr, nullptr},
    {"PxFBS", kPxFBS, 0, 0, 0, 0, false, nullptr, nullptr},
    {"PxDEVSLP", kPxDEVSLP, 0, kDEVSLP_ADSE | kDEVSLP_times, 0, 0, false, nullptr, &Port::device_sleep_written},
};

Port::Port(const PortSurroundings& surroundings, unsigned number)
    : Actor(*surroundings.queue),
      trace_(surroundings.trace),
      bus_(surroundings.bus),
      pool_(surroundings.pool),
      profile_(surroundings.profile),
      interrupts_(surroundings.interrupts),
      coalescing_(surroundings.coalescing),
      number_(number),
      link_(*surroundings.queue, *surroundings.trace, number,
            [&] {
              sata::LinkParameters parameters = surroundings.profile->link;
              parameters.highest_generation = static_cast<sata::Generation>(surroundings.profile->generation);
              return parameters;
            }()),
      registers_(kTable),
      fetch_(*surroundings.queue, *this),
      transfer_(*surroundings.queue, *this) {
  withhold_what_is_not_there();
  link_.attach(this);
  end_reset();
}

// Bits of optional features are read only, and 0, where the profile does not have the feature.
void Port::withhold_what_is_not_there() {
  const Capabilities& has = profile_->capabilities;
  const auto needs = [&](bool there, std::uint32_t offset, std::uint32_t bits) {
    if (!there) registers_.withhold(offset, bits);
  };
  needs(has.addresses_64bit, kPxCLBU, 0xFFFFFFFF);
  needs(has.addresses_64bit, kPxFBU, 0xFFFFFFFF);
  needs(has.staggered_spin_up, kPxCMD, kPxCMD_SUD);
  needs(mine(profile_->cold_presence_ports), kPxCMD, kPxCMD_POD);
  const bool any_enable = profile_->departures.all_interrupts_enableable;
  needs(mine(profile_->cold_presence_ports) || any_enable, kPxIE, kPxIS_CPDS);
  needs(mine(profile_->switched_ports) || any_enable, kPxIE, kPxIS_DMPS);
  needs(has.port_multiplier, kPxCMD, kPxCMD_PMA);
  needs(has.auto_partial_to_slumber, kPxCMD, kPxCMD_APSTE);
  needs(has.activity_led, kPxCMD, kPxCMD_DLAE);
  needs(has.aggressive_link_power, kPxCMD, kPxCMD_ALPE | kPxCMD_ASP);
  needs(has.notification, kPxSNTF, 0xFFFF);
  needs(has.device_sleep, kPxDEVSLP, 0xFFFFFFFF);
  needs(has.aggressive_device_sleep, kPxDEVSLP, kDEVSLP_ADSE);
}

// PxCMD and PxDEVSLP after power-on and after HBA reset: what the board and the profile decide.
void Port::load_port_properties() {
  std::uint32_t& command = registers_[kPxCMD];
  if (profile_->capabilities.staggered_spin_up) command &= ~kPxCMD_SUD;
  if (mine(profile_->cold_presence_ports)) {
    command = (command & ~kPxCMD_POD) | kPxCMD_CPD | (link_.host_side().device_present() ? kPxCMD_CPS : 0);
  }
  if (mine(profile_->hot_plug_ports)) command |= kPxCMD_HPCP;
  if (mine(profile_->external_ports)) command |= kPxCMD_ESP;
  if (mine(profile_->switched_ports)) command |= kPxCMD_MPSP | (switch_open_ ? kPxCMD_MPSS : 0);
  if (profile_->capabilities.device_sleep) registers_[kPxDEVSLP] = kDEVSLP_reset;
}

std::uint32_t Port::read_interrupt_status() const {
  const std::uint32_t errors = registers_[kPxSERR];
  std::uint32_t status = registers_[kPxIS];
  if ((errors & kSERR_DIAG_F) != 0) status |= kPxIS_UFS;
  if ((errors & kSERR_DIAG_X) != 0) status |= kPxIS_PCS;
  if ((errors & kSERR_DIAG_N) != 0) status |= kPxIS_PRCS;
  return status;
}

void Port::update_interrupt() { interrupts_->set_port(number_, (read_interrupt_status() & registers_[kPxIE]) != 0); }

void Port::raise(std::uint32_t interrupt_status) {
  registers_[kPxIS] |= interrupt_status;
  update_interrupt();
}

void Port::violation(Violation code, std::uint64_t detail) {
  trace_->record({now(), sim::Kind::violation, number_, static_cast<std::uint64_t>(code), detail, 0});
}

void Port::command_written(std::uint32_t before, std::uint32_t ones) {
  std::uint32_t& command = registers_[kPxCMD];
  const std::uint32_t changed = before ^ command;

  if ((ones & kPxCMD_CLO) != 0) {
    if (!profile_->departures.override_reads_back) command &= ~kPxCMD_CLO;  // done at once
    if ((before & kPxCMD_ST) != 0) {
      violation(Violation::override_while_started);
    } else if (profile_->capabilities.command_list_override) {
      registers_[kPxTFD] &= ~(kSTS_BSY | kSTS_DRQ);
    }
  }
  if ((changed & (kPxCMD_SUD | kPxCMD_POD)) != 0) power_or_spin_up_changed();
  if ((changed & kPxCMD_FRE) != 0) {
    if ((command & kPxCMD_FRE) == 0) {
      if ((before & kPxCMD_ST) != 0) violation(Violation::fis_receive_cleared_while_started);
      if (receiving_ == Receiving::nothing) command &= ~kPxCMD_FR;
    } else {
      command |= kPxCMD_FR;
      process_waiting();  // P:RegFisPostToMem for a FIS that came before
    }
  }
  if ((ones & kPxCMD_ICC) != 0) communication_control_written();
  if ((changed & kPxCMD_ST) == 0) return;
  if ((command & kPxCMD_ST) == 0) return stop();
  if (profile_->departures.engines_at_once) command |= kPxCMD_CR;
  if ((command & kPxCMD_FRE) == 0) violation(Violation::start_without_fis_receive);
  if ((before & kPxCMD_CR) != 0) violation(Violation::start_while_engine_runs);
  if (busy() || (registers_[kPxSSTS] & kDET_mask) != kDET_established) violation(Violation::start_while_device_busy);
  try_start();
}

void Port::errors_written(std::uint32_t before, std::uint32_t /*ones*/) {
  update_interrupt();
  if ((before & ~registers_[kPxSERR] & kSERR_DIAG_X) != 0) process_waiting();  // P:RegFisPostToMem
}

void Port::serial_control_written(std::uint32_t before, std::uint32_t /*ones*/) {
  const std::uint32_t control = registers_[kPxSCTL];
  const std::uint32_t detection = control & kDET_mask;
  if (detection == (before & kDET_mask)) return;
  if ((registers_[kPxCMD] & kPxCMD_ST) != 0) violation(Violation::detection_changed_while_started);
  if (detection == kDET_comreset || detection == kDET_offline) {  // P:StartComm, P:Offline
    link_.host_side().begin_comreset();
    set_task_file(0x7F, 0);
    update_signature_ = true;
    const bool silent = profile_->departures.silent_comreset && detection == kDET_comreset;
    if (!silent) registers_[kPxSSTS] = detection == kDET_offline ? kDET_offline : 0;
  } else if (detection == 0) {
    if (!profile_->departures.silent_comreset) registers_[kPxSSTS] = 0;
    link_.host_side().end_comreset(static_cast<sata::Generation>(control >> kSPD_shift & 0xF));
  }
}

bool Port::refuse_slots(std::uint32_t reg, std::uint32_t before, std::uint32_t ones) {
  if (ones == 0) return true;
  if ((registers_[kPxCMD] & kPxCMD_ST) == 0) {
    registers_[reg] = before;
    violation(Violation::command_issued_while_stopped, ones);
    return true;
  }
  const unsigned slots = profile_->command_slots;
  const std::uint32_t implemented = slots == 32 ? 0xFFFFFFFF : (1U << slots) - 1;
  if ((ones & ~implemented) != 0) {
    registers_[reg] = before | (ones & implemented);
    violation(Violation::slot_not_implemented, ones & ~implemented);
  }
  return false;
}

void Port::active_written(std::uint32_t before, std::uint32_t ones) {
  if (!refuse_slots(kPxSACT, before, ones)) report_outstanding();
}

void Port::issue_written(std::uint32_t before, std::uint32_t ones) {
  if (refuse_slots(kPxCI, before, ones)) return;
  if ((ones & before) != 0) violation(Violation::slot_already_issued, ones & before);
  report_outstanding();
  idle();
}

}  // namespace ncqlab::hba
