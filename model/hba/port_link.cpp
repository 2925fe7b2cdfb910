// The port's PHY: ready, lost, COMRESET, HBA reset (AHCI 1.3.1, 5.3.2 and 10.4).
#include "model/hba/port.h"

namespace ncqlab::hba {

// P:Cominit: a device is there and busy until its signature; the PHY does not run yet.
void Port::device_detected() {
  if (running_) halt_ = Halt::disconnected;
  update_signature_ = true;
  if (!profile_->departures.task_file_waits_for_fis_receive) registers_[kPxTFD] |= kSTS_BSY;
  if (profile_->departures.silent_comreset) return;
  registers_[kPxSSTS] = kDET_present;
  registers_[kPxSERR] |= kSERR_DIAG_X;
  update_interrupt();
}

void Port::phy_ready(sata::Generation generation) {
  registers_[kPxSSTS] = kIPM_active | std::uint32_t{generation} << kSPD_shift | kDET_established;
  if (!profile_->departures.silent_comreset) registers_[kPxSERR] |= kSERR_DIAG_N;
  update_interrupt();
}

// The signal was lost and is back: no device was reset. A command list that ran has stopped for good.
void Port::phy_recovered(sata::Generation generation) {
  registers_[kPxSSTS] = kIPM_active | std::uint32_t{generation} << kSPD_shift | kDET_established;
  registers_[kPxSERR] |= kSERR_DIAG_N;
  update_interrupt();
}

void Port::phy_lost() {
  abandon_transfers();
  if (running_) halt_ = Halt::disconnected;
  const bool by_software = (registers_[kPxSCTL] & kDET_mask) == kDET_comreset;
  if (by_software && profile_->departures.silent_comreset) return;
  registers_[kPxSSTS] = 0;
  set_task_file(0x7F, 0);
  registers_[kPxSERR] |= kSERR_DIAG_N;
  update_interrupt();
}

// Frames that wait are gone with the PHY; what a transfer works on stays until it is done.
void Port::abandon_transfers() {
  sending_ = Sending::nothing;
  waiting_count_ = 0;
  for (sata::Frame& frame : waiting_) frame = sata::Frame();
  if (held_off_) hold_off(false);
  held_register_ = sata::Frame();
  forget_data_phase();
  if (transfer_.busy()) {
    current_stale_ = true;
  } else if (receiving_ == Receiving::sending) {
    finish_frame();
  }
}

void Port::start_communication() {
  link_.host_side().begin_comreset();
  link_.host_side().end_comreset(static_cast<sata::Generation>(registers_[kPxSCTL] >> kSPD_shift & 0xF));
}

// Power (PxCMD.POD, with cold presence detection) and spin-up (SUD) are both on: the PHY may run (10.10.1).
bool Port::powered_up() const { return (registers_[kPxCMD] & (kPxCMD_SUD | kPxCMD_POD)) == (kPxCMD_SUD | kPxCMD_POD); }

void Port::power_or_spin_up_changed() {
  if (powered_up()) return start_communication();
  link_.host_side().begin_comreset();
  registers_[kPxSSTS] = 0;
  set_task_file(0x7F, 0);
}

// Cold presence detection (10.11), and a PHY that only listens for spin-up has not been asked for (P:PhyListening):
// it hears the COMINIT of a device that is plugged in.
void Port::presence_changed(bool present) {
  const bool listening = (registers_[kPxCMD] & (kPxCMD_SUD | kPxCMD_POD)) == kPxCMD_POD;
  if (present && listening) {
    registers_[kPxSERR] |= kSERR_DIAG_X;
    update_interrupt();
  }
  if (!mine(profile_->cold_presence_ports)) return;
  registers_[kPxCMD] = (registers_[kPxCMD] & ~kPxCMD_CPS) | (present ? kPxCMD_CPS : 0);
  raise(kPxIS_CPDS);
}

void Port::set_mechanical_switch(bool open) {
  if (!mine(profile_->switched_ports) || open == switch_open_) return;
  switch_open_ = open;
  registers_[kPxCMD] ^= kPxCMD_MPSS;
  raise(kPxIS_DMPS);
}

// P:StartBitCleared.
void Port::stop() {
  running_ = false;
  halt_ = Halt::no;
  passed_over_ = 0;
  registers_[kPxCI] = 0;
  registers_[kPxSACT] = 0;
  report_outstanding();
  issue_slot_ = kNoSlot;
  data_slot_ = kNoSlot;
  command_to_issue_ = false;
  forget_data_phase();
  if (sending_ != Sending::nothing) {
    sending_ = link_.host_side().withdraw() ? Sending::nothing : Sending::stale;
  }
  fetch_stale_ = fetch_.busy();
  if (transfer_.busy()) {
    // A Register FIS still updates the task file: software waits for BSY to clear, started or not.
    const bool register_fis = current_.type() == static_cast<std::uint8_t>(sata::FisType::register_d2h);
    if (receiving_ != Receiving::posting || !register_fis) current_stale_ = true;
  } else if (receiving_ == Receiving::sending) {
    finish_frame();
  }
  finish_stop();
}

void Port::set_ahci_enabled(bool enabled) {
  if (enabled == ahci_enabled_) return;
  ahci_enabled_ = enabled;
  if (!enabled) return stop();
  process_waiting();
  try_start();
}

void Port::begin_reset() {
  registers_[kPxCMD] &= ~(kPxCMD_ST | kPxCMD_FRE);
  stop();
  link_.host_side().begin_comreset();
  abandon_transfers();
}

void Port::end_reset() {
  registers_.reset();
  ahci_enabled_ = profile_->capabilities.ahci_only;
  load_port_properties();
  update_signature_ = true;
  slot_location_ = 0;
  if (powered_up()) start_communication();
}

}  // namespace ncqlab::hba
