// FIS that the device sent: AHCI 1.3.1, 5.3.8 (Register), 5.3.9 (PIO Setup), 5.3.12 (DMA Setup), 5.3.13 (Set Device
// Bits), 5.3.14 (unknown), 5.3.16 (errors). One FIS is worked on at a time, in the order of arrival; each is in memory
// before its interrupt status shows.
#include <bitset>
#include <utility>

#include "model/hba/port.h"

namespace ncqlab::hba {

namespace {
constexpr std::uint32_t kRegister_bytes = 20;
constexpr std::uint32_t kDmaSetup_bytes = 28;
constexpr std::uint32_t kSetDeviceBits_bytes = 8;
constexpr std::uint32_t kBist_bytes = 12;
constexpr std::uint8_t kSetDeviceBitsStatus = 0x77;

sata::FisType type_of(const sata::Frame& frame) { return static_cast<sata::FisType>(frame.type()); }

// 0: any length.
std::uint32_t length_of(sata::FisType type) {
  switch (type) {
    case sata::FisType::register_d2h:
    case sata::FisType::pio_setup:
      return kRegister_bytes;
    case sata::FisType::dma_setup:
      return kDmaSetup_bytes;
    case sata::FisType::set_device_bits:
      return kSetDeviceBits_bytes;
    case sata::FisType::dma_activate:
      return 4;
    case sata::FisType::bist_activate:
      return kBist_bytes;
    default:
      return 0;
  }
}
}  // namespace

void Port::frame_received(const sata::Frame& /*frame*/) {
  // X_RDY collision: a frame of ours that waits goes back, and is sent anew when P:Idle finds that it may be.
  if (sending_ != Sending::nothing && sending_ != Sending::data && link_.host_side().withdraw()) {
    if (sending_ == Sending::command) registers_[kPxTFD] &= ~kSTS_BSY;
    sending_ = Sending::nothing;
  }
  if (receiving_ != Receiving::nothing) {
    waiting_[waiting_count_++] = link_.host_side().take_received();
    if (waiting_count_ == kWaitingFrames) hold_off(true);
    return;
  }
  current_ = link_.host_side().take_received();  // nothing waits when nothing is being worked on
  if (dispatch()) return;
  process_waiting();
  if (receiving_ == Receiving::nothing) idle();  // for the command that gave way to a FIS that was dropped
}

void Port::process_waiting() {
  if (receiving_ == Receiving::nothing) current_ = sata::Frame();
  while (receiving_ == Receiving::nothing) {
    if (held_register_.valid() && halt_ != Halt::error && ahci_enabled_ && (registers_[kPxCMD] & kPxCMD_FRE) != 0 &&
        (registers_[kPxSERR] & kSERR_DIAG_X) == 0) {
      current_ = std::move(held_register_);
      current_stale_ = !profile_->departures.task_file_waits_for_fis_receive;  // its effects are done
      post(kReceived_RFIS, false);
      break;
    }
    if (waiting_count_ == 0) break;
    current_ = std::move(waiting_[0]);
    for (std::size_t i = 1; i < waiting_count_; ++i) waiting_[i - 1] = std::move(waiting_[i]);
    --waiting_count_;
    if (!dispatch() && receiving_ == Receiving::nothing) current_ = sata::Frame();
  }
  if (held_off_ && waiting_count_ < kWaitingFrames) hold_off(false);
}

// The device's next frame waits until there is room for it.
void Port::hold_off(bool hold) {
  held_off_ = hold;
  link_.host_side().set_receive_ready(!hold);
}

// True when the FIS waits for something; false when it is done or dropped.
bool Port::dispatch() {
  if (halt_ == Halt::error) return false;
  if (not_running()) return dispatch_stopped();
  const sata::FisType type = type_of(current_);
  if (current_.size() < 4 || (length_of(type) != 0 && current_.size() != length_of(type))) {
    violation(Violation::malformed_fis, current_.type());
    fatal(kPxIS_IFS);
    return false;
  }
  switch (type) {
    case sata::FisType::data:
      return receive_data();
    case sata::FisType::register_d2h:
    case sata::FisType::pio_setup: {  // NDR:Accept drops both when neither BSY nor DRQ is set
      if (!busy()) return false;
      const bool is_register = type == sata::FisType::register_d2h;
      const bool ends = is_register && (current_.data()[2] & (kSTS_BSY | kSTS_DRQ)) == 0;
      return post(is_register ? kReceived_RFIS : kReceived_PSFIS, ends);
    }
    case sata::FisType::dma_setup:
      return post(kReceived_DSFIS, false);
    case sata::FisType::set_device_bits:
      return post(kReceived_SDBFIS, false);
    case sata::FisType::dma_activate:
      transmit_data();
      return receiving_ != Receiving::nothing;
    case sata::FisType::bist_activate:
      begin_self_test(current_.data()[2] != 0);
      return false;
    default:
      if (current_.size() > 64) {  // does not fit: 4.2.1
        fatal(kPxIS_IFS);
        return false;
      }
      return post(kReceived_UFIS, false);
  }
}

// P:NotRunning takes Register FIS only: signature and task file (P:RegFisUpdate).
bool Port::dispatch_stopped() {
  if (type_of(current_) != sata::FisType::register_d2h || current_.size() != kRegister_bytes) return false;
  if (ahci_enabled_ && (registers_[kPxCMD] & kPxCMD_FRE) != 0) return post(kReceived_RFIS, false);
  if (!profile_->departures.task_file_waits_for_fis_receive) accept_register_stopped();
  held_register_ = std::move(current_);
  return false;
}

bool Port::post(std::uint32_t offset, bool with_byte_count) {
  if ((registers_[kPxCMD] & kPxCMD_FRE) == 0) return false;
  pieces_.clear();
  pieces_.push_back({address(kPxFB) + offset, current_.data(), current_.size(), true});
  if (with_byte_count && issued() && !queued(issue_slot_) && slots_[issue_slot_].header.prds() != 0) {
    store32(byte_count_, slots_[issue_slot_].byte_count);
    pieces_.push_back({address(kPxCLB) + issue_slot_ * kCommandHeader_bytes + kByteCountOffset, byte_count_, 4, true});
  }
  receiving_ = Receiving::posting;
  start_transfer(transfer_, pieces_.data(), pieces_.size(), profile_->latencies.fis_processing);
  return true;
}

void Port::posted() {
  if (not_running()) {
    accept_register_stopped();
    return finish_frame();
  }
  switch (type_of(current_)) {
    case sata::FisType::register_d2h:
      accept_register();
      break;
    case sata::FisType::pio_setup:
      accept_pio_setup();
      break;
    case sata::FisType::dma_setup:
      accept_dma_setup();
      break;
    case sata::FisType::set_device_bits:
      accept_set_device_bits();
      break;
    default:
      accept_unknown();
      break;
  }
  // A data phase that began goes on with the FIS that began it.
  if (receiving_ == Receiving::posting) finish_frame();
}

void Port::accept_register_stopped() {
  sata::RegisterD2H fis;
  sata::decode(current_, fis);
  set_task_file(fis.status, fis.error);
  if (std::exchange(update_signature_, false)) {
    registers_[kPxSIG] = static_cast<std::uint32_t>(fis.lba << 8) | (fis.count & 0xFF);
  }
}

// RegFIS:Accept.
void Port::accept_register() {
  sata::RegisterD2H fis;
  sata::decode(current_, fis);
  set_task_file(fis.status, fis.error);
  if ((fis.status & kSTS_ERR) != 0) return task_file_error(fis.interrupt ? kPxIS_DHRS : 0);
  if ((fis.status & (kSTS_BSY | kSTS_DRQ)) == 0) {  // RegFIS:ClearCI
    clear_issue();
    if (fis.interrupt) raise(kPxIS_DHRS);
  }
  if (std::exchange(update_signature_, false)) {  // RegFIS:SetSig
    registers_[kPxSIG] = static_cast<std::uint32_t>(fis.lba << 8) | (fis.count & 0xFF);
  }
}

// PIO:Accept. The task file shows the FIS' status now, E_STATUS when the data have passed.
void Port::accept_pio_setup() {
  sata::PioSetup fis;
  sata::decode(current_, fis);
  set_task_file(fis.status, fis.error);
  if ((fis.status & kSTS_ERR) != 0) return task_file_error(fis.interrupt ? kPxIS_PSS : 0);
  if (data_slot() == nullptr) return violation(Violation::data_without_command);
  pio_ = true;
  pio_count_ = fis.transfer_count & ~1U;
  pio_end_status_ = fis.end_status;
  pio_error_ = fis.error;
  pio_interrupt_ = fis.interrupt;
  if (!fis.to_host) transmit_data();
}

// DmaSet:Accept and DmaSet:AutoActivate.
void Port::accept_dma_setup() {
  sata::DmaSetup fis;
  sata::decode(current_, fis);
  if (fis.interrupt) raise(kPxIS_DSS);
  const auto tag = static_cast<unsigned>(fis.buffer_identifier & 0x1F);
  const bool is_devices = (registers_[kPxCI] >> tag & 1) == 0 || (issue_slot_ == tag && issued());
  if (!queued(tag) || !is_devices) {
    violation(Violation::tag_without_command, fis.buffer_identifier);
    return fatal(kPxIS_IFS);
  }
  data_slot_ = tag;
  dma_count_ = fis.transfer_count & ~1U;
  dma_skip_ = 0;
  PrdWalker& walker = slots_[tag].walker;
  if (walker.position() != fis.buffer_offset) {
    walker.rewind();
    dma_skip_ = fis.buffer_offset;
  }
  if (fis.auto_activate && !fis.to_host) transmit_data();
}

// SDB:Accept.
void Port::accept_set_device_bits() {
  sata::SetDeviceBits fis;
  sata::decode(current_, fis);
  const std::uint32_t completed = registers_[kPxSACT] & fis.active;
  registers_[kPxSACT] &= ~completed;
  if (completed != 0) commands_completed(static_cast<unsigned>(std::bitset<32>(completed).count()));
  if (fis.notification && profile_->capabilities.notification) registers_[kPxSNTF] |= 1U << fis.pm_port;
  set_task_file((status() & ~std::uint32_t{kSetDeviceBitsStatus}) | fis.status, fis.error);
  if ((fis.status & kSTS_ERR) != 0) return task_file_error(fis.interrupt ? kPxIS_SDBS : 0);
  if (fis.interrupt) raise(kPxIS_SDBS);
}

// UFIS:Accept. PxIS.UFS follows PxSERR.DIAG.F.
void Port::accept_unknown() {
  registers_[kPxSERR] |= kSERR_DIAG_F;
  update_interrupt();
}

void Port::finish_frame() {
  receiving_ = Receiving::nothing;
  current_stale_ = false;
  current_ = sata::Frame();
  outgoing_ = sata::Frame();
  if ((registers_[kPxCMD] & kPxCMD_FRE) == 0) registers_[kPxCMD] &= ~kPxCMD_FR;
  process_waiting();
  if (receiving_ != Receiving::nothing) return;
  if (running_) return idle();
  finish_stop();
}

}  // namespace ncqlab::hba
