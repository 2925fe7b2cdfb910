// Data and status on their way out: which frame goes next, and the protocols that surround Data FIS.
#include <algorithm>
#include <cstring>

#include "model/drive/ata/drive.h"

namespace ncqlab::drive {

namespace {
constexpr std::uint8_t kGood = kStatusDrdy | kStatusDsc;
constexpr std::uint32_t kFrame_sectors = sata::kMaxDataPayload_bytes / kSector_bytes;

bool is_pio(Protocol protocol) { return protocol == Protocol::pio_in || protocol == Protocol::pio_out; }
bool to_host(Protocol protocol) {
  return protocol == Protocol::pio_in || protocol == Protocol::dma_in || protocol == Protocol::queued_in;
}
}  // namespace

void Drive::transfer_due(std::uint64_t tag) {
  ready_transfers_.push_back(static_cast<unsigned>(tag));
  pump();
}

void Drive::send(sata::Frame frame) {
  frame_under_way_ = true;
  link_->send(std::move(frame));
}

void Drive::send_register(std::uint8_t status, std::uint8_t error, bool interrupt) {
  busy_ = false;
  sata::RegisterD2H fis;
  fis.status = status;
  fis.error = error;
  fis.interrupt = interrupt;
  control_.push_back(sata::encode(frames_, fis));
  pump();
}

void Drive::frame_sent() {
  frame_under_way_ = false;
  pump();
}

// One frame at a time: Register FIS first, then completions of queued commands (all that there are in one Set Device
// Bits), then data in the order in which they became ready.
void Drive::pump() {
  if (frame_under_way_ || link_ == nullptr || !link_->phy_ready()) return;
  if (!control_.empty()) {
    sata::Frame frame = std::move(control_.front());
    control_.pop_front();
    return send(std::move(frame));
  }
  if (completed_mask_ != 0) {
    sata::SetDeviceBits fis;
    fis.interrupt = true;
    fis.status = kStatusDrdy;
    fis.active = completed_mask_;
    queued_mask_ &= ~completed_mask_;
    completed_mask_ = 0;
    return send(sata::encode(frames_, fis));
  }
  if (ready_transfers_.empty() || awaiting_host_data_) return;
  step_transfer(ready_transfers_.front(), transfers_[ready_transfers_.front()]);
}

// Sends the next frame of a transfer, or waits for the media.
void Drive::step_transfer(unsigned tag, Transfer& transfer) {
  const Protocol protocol = transfer.entry->protocol;
  const bool queued = tag != kNonQueuedTag;
  if (queued && !transfer.announced) {  // 13.6.4.2, without auto-activate
    sata::DmaSetup fis;
    fis.to_host = to_host(protocol);
    fis.buffer_identifier = tag;
    fis.transfer_count = transfer.sectors * kSector_bytes;
    transfer.announced = true;
    return send(sata::encode(frames_, fis));
  }
  return to_host(protocol) ? step_to_host(tag, transfer) : step_to_device(transfer);
}

void Drive::step_to_host(unsigned tag, Transfer& transfer) {
  const bool pio = is_pio(transfer.entry->protocol);
  const std::uint32_t sectors = pio ? 1 : std::min(kFrame_sectors, transfer.sectors - transfer.moved);
  if (transfer.from_media) {
    const sim::Time available = disk_.available(tag, transfer.moved + sectors);
    if (available > now()) return post_at<&Drive::wake>(available);
  }
  if (pio && !transfer.announced) {  // 11.5: PIO Setup, then one DRQ block of one sector
    const bool last = transfer.moved + 1 == transfer.sectors;
    sata::PioSetup fis;
    fis.to_host = true;
    fis.interrupt = true;
    fis.status = kGood | kStatusDrq;
    fis.end_status = last ? kGood : kStatusBsy | kStatusDrdy | kStatusDsc;
    fis.transfer_count = kSector_bytes;
    transfer.announced = true;
    return send(sata::encode(frames_, fis));
  }
  if (pio) transfer.announced = false;
  sata::Frame frame = sata::make_data(frames_, 0, sectors * kSector_bytes);
  if (transfer.from_media) {
    contents_.read(transfer.lba + transfer.moved, sectors, sata::payload(frame));
  } else {
    std::memcpy(sata::payload(frame), identify_data_.data(), identify_data_.size());
  }
  transfer.moved += sectors;
  send(std::move(frame));
  if (transfer.moved == transfer.sectors) finish_transfer(tag, transfer);
}

// The host sends one Data FIS for each DMA Activate (11.8) or PIO Setup (11.6).
void Drive::step_to_device(Transfer& transfer) {
  awaiting_host_data_ = true;
  if (!is_pio(transfer.entry->protocol)) return send(sata::encode_dma_activate(frames_, 0));
  sata::PioSetup fis;
  fis.interrupt = transfer.moved != 0;  // the first block is asked for without an interrupt
  fis.status = kGood | kStatusDrq;
  fis.end_status = kStatusBsy | kStatusDrdy | kStatusDsc;
  fis.transfer_count = kSector_bytes;
  send(sata::encode(frames_, fis));
}

void Drive::data_received(const sata::Frame& frame) {
  if (!awaiting_host_data_ || ready_transfers_.empty()) return;
  const unsigned tag = ready_transfers_.front();
  Transfer& transfer = transfers_[tag];
  const std::uint32_t sectors = std::min(sata::payload_bytes(frame) / kSector_bytes, transfer.sectors - transfer.moved);
  if (sectors > 0) contents_.write(transfer.lba + transfer.moved, sectors, sata::payload(frame));
  transfer.moved += sectors;
  awaiting_host_data_ = false;
  if (transfer.moved == transfer.sectors) finish_transfer(tag, transfer);
  pump();
}

void Drive::finish_transfer(unsigned tag, Transfer& transfer) {
  ready_transfers_.pop_front();
  const Protocol protocol = transfer.entry->protocol;
  if (!to_host(protocol)) {
    disk_.host_data_complete(now(), tag);
    return run_disk();
  }
  if (transfer.from_media) disk_.transferred(now(), tag);
  if (protocol == Protocol::queued_in) {
    completed_mask_ |= 1U << tag;
  } else if (protocol == Protocol::dma_in) {
    sata::RegisterD2H fis;
    fis.status = kGood;
    fis.interrupt = true;
    control_.push_back(sata::encode(frames_, fis));
    busy_ = false;
  } else {
    busy_ = false;  // 11.5: the last PIO Setup carried the ending status
  }
  run_disk();
}

}  // namespace ncqlab::drive
