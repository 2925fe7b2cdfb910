// What goes wrong: error states (AHCI 1.3.1, 5.3.16) and self test (5.3.15).
#include "model/hba/port.h"

namespace ncqlab::hba {

namespace {
std::uint32_t diagnosis(sata::Damage damage) {
  switch (damage) {
    case sata::Damage::crc:
      return kSERR_DIAG_C;
    case sata::Damage::decode:
      return kSERR_DIAG_B;
    case sata::Damage::disparity:
      return kSERR_DIAG_D;
    default:
      return 0;
  }
}
}  // namespace

// ERR:Fatal, ERR:FatalTaskfile: nothing more is fetched or taken until software has cleared PxCMD.ST.
void Port::fatal(std::uint32_t interrupt_status) {
  halt_ = Halt::error;
  command_to_issue_ = false;
  forget_data_phase();
  raise(interrupt_status);
}

// ERR:FatalTaskfile. `fis_interrupt` is what the FIS would have raised without the error.
void Port::task_file_error(std::uint32_t fis_interrupt) {
  fatal(kPxIS_TFES | (profile_->departures.tfes_with_fis_bit ? fis_interrupt : 0));
}

// The device has sent more than the PRD table holds (3.3.5, OFS); the rest is dropped.
void Port::overflow() {
  if (!profile_->departures.short_table_fails_queued_only) return raise(kPxIS_OFS);
  slots_[data_slot_].count_lost = true;
  if (queued(data_slot_)) fatal(kPxIS_OFS | kPxIS_TFES);
}

// A frame of the device's came to nothing. The device sends one without data again, which makes it non-fatal
// (6.1.2); a Data FIS it does not.
void Port::frame_damaged(const sata::Frame& frame, sata::Damage damage) {
  if (damage == sata::Damage::aborted) return;
  const bool data = frame.type() == static_cast<std::uint8_t>(sata::FisType::data);
  registers_[kPxSERR] |= diagnosis(damage) | (data ? kSERR_ERR_T : kSERR_ERR_I);
  const bool register_fis = frame.type() == static_cast<std::uint8_t>(sata::FisType::register_d2h);
  if (not_running() && !register_fis) return update_interrupt();  // P:NotRunning takes no other
  if (data) return fatal(kPxIS_IFS);
  raise(kPxIS_INFS);
}

// A frame of ours was not taken: a command goes out again (ERR:Non-Fatal), Data do not (ERR:Fatal). A device that
// ended the frame with SYNC wants nothing more (ERR:SyncEscapeRecv).
bool Port::frame_refused(const sata::Frame& frame, sata::Refusal refusal, unsigned /*attempts*/) {
  const bool data = sending_ == Sending::data;
  if (refusal == sata::Refusal::r_err) registers_[kPxSERR] |= kSERR_DIAG_H | (data ? kSERR_ERR_T : kSERR_ERR_I);
  if (refusal == sata::Refusal::r_err && sending_ == Sending::command && sata::is_retransmitted(frame)) {
    raise(kPxIS_INFS);
    return true;
  }
  const bool stale = sending_ == Sending::stale;
  sending_ = Sending::nothing;
  if (refusal == sata::Refusal::sync) registers_[kPxTFD] &= ~(kSTS_BSY | kSTS_DRQ);
  if (!stale && running_) fatal(kPxIS_IFS);
  if (receiving_ == Receiving::sending) {
    finish_frame();
  } else {
    update_interrupt();
  }
  return false;
}

// BIST:FarEndLoopback and BIST:TestOngoing: the link is a test circuit until COMRESET.
void Port::begin_self_test(bool far_end_loopback) {
  if (far_end_loopback) registers_[kPxSSTS] = (registers_[kPxSSTS] & ~kDET_mask) | kDET_offline;
  halt_ = Halt::error;
}

}  // namespace ncqlab::hba
