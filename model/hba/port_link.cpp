// The port's PHY: ready, lost, COMRESET, HBA reset (AHCI 1.3.1, 5.3.2 and 10.4).
#include "model/hba/port.h"

namespace ncqlab::hba {

// P:Cominit and what follows it, in one: the device answered, and the PHY is ready.
void Port::phy_ready(sata::Generation generation) {
  registers_[kPxSSTS] = kIPM_active | std::uint32_t{generation} << kSPD_shift | kDET_established;
  registers_[kPxTFD] |= kSTS_BSY;
  registers_[kPxSERR] |= kSERR_DIAG_X | kSERR_DIAG_N;
  update_signature_ = true;
  update_interrupt();
}

void Port::phy_lost() {
  abandon_transfers();
  if (running_) frozen_ = true;
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

// P:StartBitCleared.
void Port::stop() {
  running_ = false;
  frozen_ = false;
  registers_[kPxCI] = 0;
  registers_[kPxSACT] = 0;
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

void Port::begin_reset() {
  registers_[kPxCMD] &= ~(kPxCMD_ST | kPxCMD_FRE);
  stop();
  link_.host_side().begin_comreset();
  abandon_transfers();
}

void Port::end_reset() {
  registers_.reset();
  update_signature_ = true;
  slot_location_ = 0;
  if (profile_->capabilities.staggered_spin_up) {
    registers_[kPxCMD] &= ~kPxCMD_SUD;
  } else {
    start_communication();
  }
}

}  // namespace ncqlab::hba
