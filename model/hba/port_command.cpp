// The port's command engine: idle states (AHCI 1.3.1, 5.3.2) and command transfer states (5.3.6).
#include <algorithm>
#include <cstring>

#include "model/hba/port.h"

namespace ncqlab::hba {

namespace {
constexpr std::uint8_t kCommandBit = 0x80;  // C of a Register FIS to the device (SATA 3.x, 10.5.5)
}

// P:NotRunning to P:Idle.
void Port::try_start() {
  if (running_ || !ahci_enabled_ || (registers_[kPxCMD] & kPxCMD_ST) == 0 || !drained()) return;
  if (busy() || (registers_[kPxSSTS] & kDET_mask) != kDET_established) return;
  running_ = true;
  registers_[kPxCMD] |= kPxCMD_CR;
  idle();
}

// PxCMD.CR becomes 0 when nothing is under way any more.
void Port::finish_stop() {
  if (running_ || !drained()) return;
  registers_[kPxCMD] &= ~kPxCMD_CCS;
  const bool shown_at_once = profile_->departures.engines_at_once && (registers_[kPxCMD] & kPxCMD_ST) != 0;
  if (!shown_at_once) registers_[kPxCMD] &= ~kPxCMD_CR;
  try_start();
}

// P:Idle, as far as it concerns commands.
void Port::idle() {
  if (!takes_commands() || fetch_.busy()) return;
  if (!command_to_issue_) {
    if (issue_slot_ == kNoSlot && (registers_[kPxCI] & ~passed_over_) != 0) select_command();
    return;
  }
  // The link is for a data phase's frames only, until it is over.
  if (receiving_ != Receiving::nothing || waiting_count_ != 0 || sending_ != Sending::nothing) return;
  if (asleep_until_may_wake()) return;
  const bool reset = slots_[issue_slot_].header.reset();
  if (reset) {  // CFIS:SyncEscape
    link_.host_side().sync_escape();
    update_signature_ = true;
    forget_data_phase();
  } else if (dma_count_ != 0 || busy()) {
    return;
  }
  transmit_command();
}

// P:SelectCmd and P:FetchCmd: round robin, beginning behind the last one.
void Port::select_command() {
  do {
    slot_location_ = (slot_location_ + 1) % 32;
  } while (((registers_[kPxCI] & ~passed_over_) >> slot_location_ & 1) == 0);
  issue_slot_ = slot_location_;
  registers_[kPxCMD] = (registers_[kPxCMD] & ~kPxCMD_CCS) | issue_slot_ << kPxCMD_CCS_shift;
  command_sent_ = false;
  header_due_ = true;
  fetch_pieces_[0] = {address(kPxCLB) + issue_slot_ * kCommandHeader_bytes, header_, kCommandHeader_bytes, false};
  start_transfer(fetch_, fetch_pieces_, 1, profile_->latencies.command_fetch);
}

void Port::header_fetched() {
  Slot& slot = slots_[issue_slot_];
  const bool wide = profile_->capabilities.addresses_64bit;
  slot.header = decode_command_header(header_, wide);
  slot.byte_count = 0;
  slot.count_lost = false;
  slot.atapi_command_due = slot.header.atapi();
  const std::uint32_t dwords = slot.header.fis_dwords();
  if (dwords < 2 || dwords > 16) violation(Violation::command_fis_length, dwords);
  header_due_ = false;
  fetch_pieces_[0] = {slot.header.table, command_fis_, std::clamp(dwords, 2U, 16U) * 4, false};
  slot.walker.start(slot.header.table + kPrdTableOffset, slot.header.prds(), wide);
  if (slot.header.prds() != 0) fetch_pieces_[1] = slot.walker.fetch();
  start_transfer(fetch_, fetch_pieces_, slot.header.prds() != 0 ? 2 : 1, 0);
}

void Port::table_fetched() {
  if (profile_->departures.ignores_multiplier_ports && (command_fis_[1] & 0xF) != 0) {
    passed_over_ |= 1U << issue_slot_;
    issue_slot_ = kNoSlot;
    return idle();
  }
  command_to_issue_ = true;
  idle();
}

// CFIS:Xmit.
void Port::transmit_command() {
  const std::uint32_t bytes = fetch_pieces_[0].bytes;
  sata::Frame frame = pool_->make(bytes);
  std::memcpy(frame.data(), command_fis_, bytes);
  registers_[kPxTFD] |= kSTS_BSY;
  sending_ = Sending::command;
  link_.host_side().send(std::move(frame));
}

// CFIS:Success.
void Port::command_sent() {
  command_to_issue_ = false;
  command_sent_ = true;
  held_register_ = sata::Frame();  // FRE = 0 all along: what the device said before is no answer to the command
  if (!queued(issue_slot_)) {
    data_slot_ = issue_slot_;
    forget_data_phase();
  }
  if (slots_[issue_slot_].header.bist()) return begin_self_test(false);
  const bool of_no_effect = profile_->departures.ignores_clear_busy && (command_fis_[1] & kCommandBit) != 0;
  if (slots_[issue_slot_].header.clear_busy() && !of_no_effect) {  // CFIS:ClearCI
    clear_issue();
    registers_[kPxTFD] &= ~(kSTS_BSY | kSTS_DRQ);
  }
  idle();
}

void Port::clear_issue() {
  if (!issued()) return;
  const bool completed = !queued(issue_slot_);
  registers_[kPxCI] &= ~(1U << issue_slot_);
  issue_slot_ = kNoSlot;
  if (completed) commands_completed(1);
}

// Coalescing (11.), and PM:Aggr for what follows when a command is done.
void Port::commands_completed(unsigned count) {
  coalescing_->completed(number_, count);
  report_outstanding();
  const bool wanted = ((registers_[kPxCMD] & kPxCMD_ALPE) | (registers_[kPxDEVSLP] & kDEVSLP_ADSE)) != 0;
  if (wanted) aggressive_power();
}

void Port::frame_sent() {
  const Sending sent = sending_;
  sending_ = Sending::nothing;
  if (sent == Sending::command) {
    command_sent();
  } else if (sent == Sending::data) {
    data_sent();
  } else {
    idle();
  }
}

void Port::transfer_done(host::Transfer& transfer, host::DmaResult result) {
  const bool ok = result == host::DmaResult::ok;
  const std::uint32_t error = result == host::DmaResult::bad_data ? kPxIS_HBDS : kPxIS_HBFS;
  if (&transfer == &fetch_) {
    if (fetch_stale_) {
      fetch_stale_ = false;
      return finish_stop();
    }
    if (!ok) return fatal(error);
    return header_due_ ? header_fetched() : table_fetched();
  }
  if (current_stale_) {
    finish_frame();
    return finish_stop();
  }
  if (!ok) {
    fatal(error);
    return finish_frame();
  }
  switch (receiving_) {
    case Receiving::posting:
      return posted();
    case Receiving::prd_window:
      return continue_walk();
    case Receiving::data_in:
      return data_received();
    case Receiving::data_out:
      return data_fetched();
    case Receiving::sending:
    case Receiving::nothing:
      return;
  }
}

}  // namespace ncqlab::hba
