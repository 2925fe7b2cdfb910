#include "testbench/fuzz/hostile_device.h"

#include <utility>

namespace ncqlab::fuzz {

void HostileDevice::send(sata::Frame frame) {
  if (!link_->phy_ready() || to_send_.size() >= kLongestQueue) return;
  to_send_.push_back(std::move(frame));
  send_next();
}

void HostileDevice::send_next() {
  if (sending_ || to_send_.empty()) return;
  sending_ = true;
  sata::Frame frame = std::move(to_send_.front());
  to_send_.pop_front();
  link_->send(std::move(frame));
}

void HostileDevice::send_data(std::uint32_t bytes, std::uint8_t first) {
  sata::Frame frame = sata::make_data(*pool_, 0, bytes);
  for (std::uint32_t i = 0; i < bytes; ++i) {
    sata::payload(frame)[i] = static_cast<std::uint8_t>(first + i * 7 + (i >> 8));
  }
  send(std::move(frame));
}

void HostileDevice::behave() {
  manner = Manner::silent;
  generation = 3;
  delay = 0;
  signature = true;
  accepts_sleep = false;
  refusals = 0;
}

void HostileDevice::hardware_reset(sata::Generation /*generation*/) {
  if (!signature) return;
  sata::RegisterD2H fis;  // an ATA device's, ACS-3 table 9
  fis.status = 0x50;
  fis.error = 0x01;
  fis.lba = 0x000001;
  fis.count = 1;
  send(fis);
}

void HostileDevice::phy_lost() {
  to_send_.clear();
  sending_ = false;
}

void HostileDevice::frame_received(const sata::Frame& frame) {
  if (refusals > 0) {
    --refusals;
    return link_->refuse();
  }
  if (frame.type() == static_cast<std::uint8_t>(sata::FisType::data)) return answer_data();
  const bool command = frame.type() == static_cast<std::uint8_t>(sata::FisType::register_h2d) && frame.size() >= 16;
  if (!command) return;
  ++commands;
  if ((frame.data()[1] & 0x80) != 0) answer_command(frame);
}

void HostileDevice::answer_command(const sata::Frame& frame) {
  tag_ = frame.data()[12] >> 3;
  sata::DmaSetup setup;
  setup.buffer_identifier = tag_;
  setup.transfer_count = kData_bytes;
  sata::PioSetup pio;
  pio.status = 0x58;
  pio.end_status = 0x50;
  pio.interrupt = true;
  pio.transfer_count = kData_bytes;
  switch (manner) {
    case Manner::silent:
      return;
    case Manner::done:
      return send_status(0x50, 0);
    case Manner::failed:
      return send_status(0x51, 0x04);
    case Manner::pio_in:
      pio.to_host = true;
      send(pio);
      return send_data(kData_bytes, frame.data()[4]);
    case Manner::pio_out:
      pio.end_status = 0xD0;
      return send(pio);
    case Manner::dma_in:
      send_data(kData_bytes, frame.data()[4]);
      return send_status(0x50, 0);
    case Manner::dma_out:
      return send(sata::encode_dma_activate(*pool_, 0));
    case Manner::queued_in:
      send_status(0x40, 0);
      setup.to_host = true;
      send(setup);
      send_data(kData_bytes, frame.data()[4]);
      return answer_data();
    case Manner::queued_out:
      send_status(0x40, 0);
      setup.auto_activate = true;
      return send(setup);
    case Manner::queued_done:
      send_status(0x40, 0);
      return answer_data();
  }
}

// The data have passed.
void HostileDevice::answer_data() {
  if (manner == Manner::pio_out || manner == Manner::dma_out) return send_status(0x50, 0);
  if (manner < Manner::queued_in) return;
  sata::SetDeviceBits fis;
  fis.active = 1U << tag_;
  fis.status = 0x40;
  fis.interrupt = true;
  send(fis);
}

void HostileDevice::send_status(std::uint8_t status, std::uint8_t error) {
  sata::RegisterD2H fis;
  fis.status = status;
  fis.error = error;
  fis.interrupt = true;
  send(fis);
}

void HostileDevice::frame_sent() {
  sending_ = false;
  send_next();
}

bool HostileDevice::frame_refused(const sata::Frame& frame, sata::Refusal /*refusal*/, unsigned /*attempts*/) {
  if (sata::is_retransmitted(frame)) return true;
  sending_ = false;
  send_next();
  return false;
}

}  // namespace ncqlab::fuzz
