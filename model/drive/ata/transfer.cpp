// Data and status on their way out: which frame goes next, and the protocols that surround Data FIS.
#include <algorithm>
#include <cstring>

#include "model/drive/ata/drive.h"

namespace ncqlab::drive {

namespace {
constexpr std::uint32_t kFrame_sectors = sata::kMaxDataPayload_bytes / kSector_bytes;
}

void Drive::transfer_due(std::uint64_t tag) {
  ready_transfers_.push_back(static_cast<unsigned>(tag));
  pump();
}

void Drive::send(sata::Frame frame) {
  frame_under_way_ = true;
  link_->send(std::move(frame));
}

void Drive::send_register(std::uint8_t status, std::uint8_t error, bool interrupt) {
  sata::RegisterD2H fis;
  fis.status = status;
  fis.error = error;
  fis.interrupt = interrupt;
  send_register(fis);
}

void Drive::send_register(const sata::RegisterD2H& fis) {
  busy_ = false;
  power_.used(now());
  if (link_free() && !data_phase_ && control_.empty()) {
    transfer_under_way_ = false;
    return send(sata::encode(frames_, fis));
  }
  control_.push_back(sata::encode(frames_, fis));
  pump();
}

void Drive::frame_sent() {
  frame_under_way_ = false;
  pump();
}

// One frame at a time: Register FIS first, then completions of queued commands (all that there are in one Set Device
// Bits), then data in the order in which they became ready. From a DMA Setup to the last Data FIS that it announced
// nothing else goes out: the device comes back to Idle only then (11.15, DFPDMAQ8 and DFPDMAQ9).
void Drive::pump() {
  if (!link_free()) return;
  transfer_under_way_ = false;
  if (!data_phase_) {
    if (!control_.empty()) {
      sata::Frame frame = std::move(control_.front());
      control_.pop_front();
      return send(std::move(frame));
    }
    if (completed_mask_ != 0) return send_completions();
  }
  if (awaiting_host_data_) return;
  if (ready_transfers_.empty()) {
    if (enabled(SataFeature::device_power) && idle()) went_idle();
    return;
  }
  transfer_under_way_ = true;
  step_transfer(ready_transfers_.front(), transfers_[ready_transfers_.front()]);
}

void Drive::send_completions() {
  sata::SetDeviceBits fis;
  fis.interrupt = true;
  fis.status = kStatusDrdy;
  fis.active = completed_mask_;
  power_.used(now());
  queued_mask_ &= ~completed_mask_;
  completed_mask_ = 0;
  send(sata::encode(frames_, fis));
}

// Sends the next frame of a transfer, or waits for the media.
void Drive::step_transfer(unsigned tag, Transfer& transfer) {
  const Protocol protocol = transfer.entry->protocol;
  if (!transfer.announced) {
    if (is_pio(protocol)) return set_up_pio(tag, transfer);
    if (tag != kNonQueuedTag) return set_up_dma(tag, transfer);
    transfer.phase_end = transfer.sectors;
    transfer.announced = true;
  }
  if (to_host(protocol)) return send_data(tag, transfer);
  if (protocol == Protocol::non_data) return finish_transfer(tag, transfer);
  awaiting_host_data_ = true;
  send(sata::encode_dma_activate(frames_, 0));  // for each Data FIS (11.11)
}

// True when the next `sectors` are not in the buffer yet, or when the first of them never will be.
bool Drive::wait_for_media(unsigned tag, const Transfer& transfer, std::uint32_t sectors) {
  if (!transfer.from_media) return false;
  const sim::Time available = disk_.available(tag, transfer.at + sectors);
  if (available > now()) {
    post_at<&Drive::wake>(available);
    return true;
  }
  if (transfer.at < transfer.readable) return false;
  media_error(tag);
  return true;
}

// 13.6.4.2. With buffer offsets enabled a long command moves in several phases, other commands in between; the phases
// go from the last to the first unless the host has asked for data in order.
void Drive::set_up_dma(unsigned tag, Transfer& transfer) {
  const bool reading = to_host(transfer.entry->protocol);
  if (transfer.readable < transfer.sectors && reading && wait_for_media(tag, transfer, 1)) return;
  const std::uint32_t most = profile_.serial_ata.data_phase_sectors;
  transfer.phase_end = transfer.sectors;
  if (most != 0 && enabled(SataFeature::buffer_offsets) && transfer.readable == transfer.sectors) {
    const std::uint32_t phase =
        enabled(SataFeature::in_order_delivery) ? transfer.at / most : (transfer.left - 1) / most;
    transfer.at = phase * most;
    transfer.phase_end = std::min(transfer.at + most, transfer.sectors);
  }
  sata::DmaSetup fis;
  fis.to_host = reading;
  fis.auto_activate = !reading && enabled(SataFeature::auto_activate);
  fis.buffer_identifier = tag;
  fis.buffer_offset = transfer.at * kSector_bytes;
  fis.transfer_count = (transfer.phase_end - transfer.at) * kSector_bytes;
  transfer.announced = true;
  data_phase_ = true;
  awaiting_host_data_ = fis.auto_activate;
  send(sata::encode(frames_, fis));
}

// 11.8 and 11.9: PIO Setup, then one DRQ block in either direction.
void Drive::set_up_pio(unsigned tag, Transfer& transfer) {
  const bool multiple = transfer.entry->action == Action::media_multiple;
  const std::uint32_t block = std::min<std::uint32_t>(multiple ? multiple_sectors_ : 1, transfer.left);
  const bool reading = to_host(transfer.entry->protocol);
  if (reading) {
    if (wait_for_media(tag, transfer, block)) return;
    if (transfer.readable < transfer.at + block) return media_error(tag);
  }
  const bool last = reading && block == transfer.left;
  sata::PioSetup fis;
  fis.to_host = reading;
  fis.interrupt = reading || transfer.at != 0;  // the first block is asked for without an interrupt
  fis.status = kStatusGood | kStatusDrq;
  fis.end_status = last && !profile_.departures.register_fis_after_pio_in ? kStatusGood : kStatusBsy | kStatusGood;
  fis.transfer_count = static_cast<std::uint16_t>(block * kSector_bytes);
  transfer.phase_end = transfer.at + block;
  transfer.announced = true;
  awaiting_host_data_ = !reading;
  send(sata::encode(frames_, fis));
}

// The sectors before one that cannot be read are sent; then the command ends.
void Drive::send_data(unsigned tag, Transfer& transfer) {
  std::uint32_t sectors = std::min(kFrame_sectors, transfer.phase_end - transfer.at);
  const std::uint32_t end = transfer.at + sectors;
  if (transfer.from_media && (transfer.readable < end || disk_.available(tag, end) > now())) {
    sectors = std::min(sectors, std::max(transfer.readable, transfer.at + 1) - transfer.at);
    if (wait_for_media(tag, transfer, sectors)) return;
  }
  sata::Frame frame = sata::make_data(frames_, 0, sectors * kSector_bytes);
  if (transfer.from_media) {
    contents().read(transfer.lba + transfer.at, sectors, sata::payload(frame));
  } else {
    std::memcpy(sata::payload(frame), buffers_[tag].data() + std::size_t{transfer.at} * kSector_bytes,
                std::size_t{sectors} * kSector_bytes);
  }
  data_tag_ = tag;
  send(std::move(frame));
  moved(tag, transfer, sectors);
}

void Drive::data_received(const sata::Frame& frame) {
  if (!awaiting_host_data_ || ready_transfers_.empty()) return;
  const unsigned tag = ready_transfers_.front();
  Transfer& transfer = transfers_[tag];
  const std::uint32_t sectors = std::min(sata::payload_bytes(frame) / kSector_bytes, transfer.phase_end - transfer.at);
  if (transfer.from_media) {
    if (sectors > 0) media_.contents().write(transfer.lba + transfer.at, sectors, sata::payload(frame));
  } else {
    std::memcpy(buffers_[tag].data() + std::size_t{transfer.at} * kSector_bytes, sata::payload(frame),
                std::size_t{sectors} * kSector_bytes);
  }
  awaiting_host_data_ = false;
  moved(tag, transfer, sectors);
  pump();
}

// The device's side of the transfer count: a phase ends, or the whole command's data have moved.
void Drive::moved(unsigned tag, Transfer& transfer, std::uint32_t sectors) {
  transfer.at += sectors;
  transfer.left -= sectors;
  const bool pio = is_pio(transfer.entry->protocol);
  if (transfer.at != transfer.phase_end && !pio) return;
  data_phase_ = false;
  if (transfer.left == 0) return finish_transfer(tag, transfer);
  transfer.announced = false;
  if (tag == kNonQueuedTag) return;
  ready_transfers_.pop_front();  // the others' turn
  ready_transfers_.push_back(tag);
}

void Drive::finish_transfer(unsigned tag, Transfer& transfer) {
  const Protocol protocol = transfer.entry->protocol;
  if (protocol == Protocol::non_data && transfer.readable < transfer.sectors) return media_error(tag);
  ready_transfers_.pop_front();
  if (transfer.from_media && !to_device(protocol)) disk_.transferred(now(), tag);
  switch (protocol) {
    case Protocol::pio_out:
    case Protocol::dma_out:
    case Protocol::queued_out:
      if (transfer.from_media) {
        disk_.host_data_complete(now(), tag);
      } else {
        buffer_received(tag);
      }
      break;
    case Protocol::queued_in:
      if (hooked_ == nullptr || !hook_done(tag)) completed_mask_ |= 1U << tag;
      break;
    case Protocol::pio_in:
      if (profile_.departures.register_fis_after_pio_in) {
        succeed();
      } else {
        busy_ = false;  // 11.8: the last PIO Setup carried the ending status
      }
      break;
    default:
      succeed();
      break;
  }
  run_disk();
}

}  // namespace ncqlab::drive
