// Data FIS in both directions: AHCI 1.3.1, 5.3.10 (transmit) and 5.3.11 (receive), and what follows a PIO block
// (5.3.9).
#include <algorithm>
#include <cstring>
#include <utility>

#include "model/hba/port.h"

namespace ncqlab::hba {

// The slot whose data the device transfers now; null when there is none.
Port::Slot* Port::data_slot() {
  if (data_slot_ == kNoSlot) return nullptr;
  const bool alive = queued(data_slot_) || (issue_slot_ == data_slot_ && issued());
  return alive ? &slots_[data_slot_] : nullptr;
}

// DR:Entry.
bool Port::receive_data() {
  const bool queued_data = data_slot_ != kNoSlot && queued(data_slot_);
  if (data_slot() == nullptr || (queued_data && dma_count_ == 0)) {
    violation(Violation::data_without_command);
    fatal(kPxIS_IFS);
    return false;
  }
  std::uint32_t wanted = sata::payload_bytes(current_);
  if (pio_) {
    wanted = std::min(wanted, pio_count_);  // the last dword of a block may be padding
  } else if (queued_data) {
    wanted = std::min(wanted, dma_count_);
  }
  to_memory_ = true;
  walk_total_ = wanted;
  walk_wanted_ = wanted;
  walk_buffer_ = sata::payload(current_);
  pieces_.clear();
  continue_walk();
  return true;
}

// DX:Entry, for DMA Activate, DMA Setup with auto-activate, and PIO Setup towards the device. Leaves receiving_ as it
// is when there is nothing to send.
void Port::transmit_data() {
  Slot* slot = data_slot();
  const bool queued_data = data_slot_ != kNoSlot && queued(data_slot_);
  if (slot == nullptr || (queued_data && dma_count_ == 0)) return violation(Violation::data_without_command);

  std::uint32_t wanted = sata::kMaxDataPayload_bytes;
  if (pio_) {
    wanted = std::min(wanted, pio_count_);
  } else if (queued_data) {
    wanted = std::min(wanted, dma_count_);
  }
  outgoing_ = sata::make_data(*pool_, slot->header.pm_port(), sata::kMaxDataPayload_bytes);
  to_memory_ = false;
  walk_total_ = wanted;
  walk_wanted_ = wanted;
  walk_buffer_ = sata::payload(outgoing_);
  pieces_.clear();
  packet_ = pio_ && slot->atapi_command_due;
  if (packet_) {  // ATAPI:Entry: the packet, not the PRD table
    slot->atapi_command_due = false;
    walk_total_ = std::min(wanted, kAtapi_bytes);
    walk_wanted_ = 0;
    pieces_.push_back({slot->header.table + kAtapiOffset, walk_buffer_, walk_total_, false});
    return walked();
  }
  continue_walk();
}

// Takes the next piece of the PRD table's way, and comes back when a window of it had to be fetched first.
void Port::continue_walk() {
  Slot& slot = slots_[data_slot_];
  PrdWalker::Result result = slot.walker.skip(dma_skip_);
  if (result == PrdWalker::Result::done) {
    result = slot.walker.gather(walk_wanted_, walk_buffer_, to_memory_, pieces_);
  }
  if (result == PrdWalker::Result::need_fetch) {
    receiving_ = Receiving::prd_window;
    prd_window_ = slot.walker.fetch();
    return start_transfer(transfer_, &prd_window_, 1, 0);
  }
  walked();
}

void Port::walked() {
  Slot& slot = slots_[data_slot_];
  if (slot.walker.take_malformed_count()) violation(Violation::prd_byte_count_odd, data_slot_);
  if (slot.walker.take_odd_address()) violation(Violation::prd_address_odd, data_slot_);
  walk_total_ -= walk_wanted_;
  // A DMA Activate of a command that is not queued names no count: 8 KiB is what fits into a frame, not what was asked.
  const bool count_known = to_memory_ || pio_ || queued(data_slot_) || walk_total_ == 0;
  if (walk_wanted_ != 0 && count_known) {
    // The device has more data than the PRD table. Towards memory the rest is dropped and PxIS.OFS says so; towards the
    // device it gets what there is.
    violation(Violation::data_beyond_prd_table, data_slot_);
    if (to_memory_) overflow();
  }
  if (to_memory_) {
    if (walk_total_ == 0) return data_received();
    if (pio_ && (pio_end_status_ & (kSTS_BSY | kSTS_DRQ)) == 0 && walk_total_ >= pio_count_) {  // PIO:ClearCI
      store32(byte_count_, slot.byte_count + walk_total_);
      pieces_.push_back({address(kPxCLB) + data_slot_ * kCommandHeader_bytes + kByteCountOffset, byte_count_, 4, true});
    }
    receiving_ = Receiving::data_in;
  } else {
    if (walk_total_ == 0) {
      outgoing_ = sata::Frame();
      if (pio_) pio_update();
      if (receiving_ == Receiving::prd_window) finish_frame();
      return;
    }
    receiving_ = Receiving::data_out;
  }
  start_transfer(transfer_, pieces_.data(), pieces_.size(), profile_->latencies.fis_processing);
}

// DR:UpdateByteCount.
void Port::data_received() {
  update_byte_count(walk_total_);
  if (pio_) {
    pio_count_ -= walk_total_;
    pio_update();
  }
  finish_frame();
}

// DX:Transmit.
void Port::data_fetched() {
  const std::uint32_t padded = (walk_total_ + 3) & ~3U;  // a frame is whole dwords
  std::memset(sata::payload(outgoing_) + walk_total_, 0, padded - walk_total_);
  outgoing_.truncate(4 + padded);
  receiving_ = Receiving::sending;
  sending_ = Sending::data;
  link_.host_side().send(std::move(outgoing_));
}

// DX:UpdateByteCount; a packet is no data and goes from ATAPI:Entry to PIO:Update.
void Port::data_sent() {
  if (!packet_) update_byte_count(walk_total_);
  if (pio_) pio_update();
  finish_frame();
}

void Port::update_byte_count(std::uint32_t bytes) {
  Slot& slot = slots_[data_slot_];
  if (queued(data_slot_)) {
    dma_count_ -= std::min(dma_count_, bytes);
  } else {
    slot.byte_count += slot.count_lost ? 0 : bytes;
  }
  if (slot.walker.take_interrupt() && !profile_->departures.ignores_prd_interrupt) raise(kPxIS_DPS);
}

// PIO:Update and PIO:ClearCI.
void Port::pio_update() {
  pio_ = false;
  set_task_file(pio_end_status_, pio_error_);
  if ((pio_end_status_ & kSTS_ERR) != 0) return task_file_error(pio_interrupt_ ? kPxIS_PSS : 0);
  if ((pio_end_status_ & (kSTS_BSY | kSTS_DRQ)) == 0) clear_issue();
  if (pio_interrupt_) raise(kPxIS_PSS);
}

}  // namespace ncqlab::hba
