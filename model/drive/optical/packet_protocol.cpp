// The frames of a PACKET command (SATA 3.x, 11.12): the packet comes by PIO; its data by PIO in DRQ blocks no longer
// than the host's byte count limit, or by DMA; a Register FIS ends it.
#include <algorithm>
#include <cstring>

#include "model/drive/optical/optical_drive.h"

namespace ncqlab::drive {

namespace {

// PACKET: features(7:0), and the limit in LBA(23:8).
constexpr std::uint16_t kDma = 0x01;
constexpr std::uint16_t kDmaToHost = 0x04;

// The interrupt reason in the count field (ACS-3, clause 7, PACKET): I/O and C/D.
constexpr std::uint16_t kReasonPacket = 0x01;  // C/D: the device wants the packet
constexpr std::uint16_t kReasonData = 0x02;    // I/O: data to the host
constexpr std::uint16_t kReasonStatus = 0x03;

constexpr std::uint16_t kPacket_bytes = 12;

std::uint64_t with_byte_count(std::uint32_t bytes) { return std::uint64_t{bytes} << 8; }

}  // namespace

void OpticalDrive::packet(const sata::RegisterH2D& fis) {
  dma_ = (fis.features & kDma) != 0;
  if (dma_ && profile_.dma_direction_required && (fis.features & kDmaToHost) == 0) return abort();
  identifying_ = false;
  byte_limit_ = static_cast<std::uint32_t>(fis.lba >> 8 & 0xFFFF);
  phase_ = Phase::packet_wanted;
  sata::PioSetup setup;
  setup.status = kStatusGood | kStatusDrq;
  setup.count = kReasonPacket;
  setup.lba = with_byte_count(byte_limit_);
  setup.end_status = kStatusBsy | kStatusGood;
  setup.transfer_count = kPacket_bytes;
  enqueue(sata::encode(frames_, setup));
}

void OpticalDrive::packet_received(const sata::Frame& frame) {
  if (phase_ != Phase::packet_wanted) return;
  phase_ = Phase::executing;
  LogicalUnit::Packet bytes{};
  const std::uint32_t count = std::min<std::uint32_t>(sata::payload_bytes(frame), kPacket_bytes);
  std::copy_n(sata::payload(frame), count, bytes.begin());
  result_ = unit_.execute(bytes);
  post_after<&OpticalDrive::results_due>(profile_.command + time_of(result_));
}

// A read that does not go on where the last one ended begins with a movement. The medium passes at its own rate, and
// the data are sent when all of them are in the buffer.
sim::Time OpticalDrive::time_of(const PacketResult& result) {
  if (result.blocks == 0) return 0;
  const sim::Time access = result.lba == next_lba_ ? 0 : profile_.access;
  next_lba_ = std::uint64_t{result.lba} + result.blocks;
  return access + sim::transfer_time(result.total_bytes(), profile_.bytes_per_second);
}

void OpticalDrive::results_due(std::uint64_t) {
  if (result_.sense.key != 0 || result_.total_bytes() == 0) {
    end_packet();
    return pump();
  }
  // By PIO a host must allow at least two bytes (an odd limit counts as one less).
  if (!dma_ && byte_limit_ < 2) {
    phase_ = Phase::idle;
    return abort();
  }
  start_data(std::move(result_));
}

void OpticalDrive::start_data(PacketResult result) {
  result_ = std::move(result);
  moved_bytes_ = 0;
  phase_ = Phase::data;
  pump();
}

// The next frame of the data: by DMA a Data FIS, by PIO a PIO Setup and then its Data FIS.
void OpticalDrive::send_block() {
  const auto left = result_.total_bytes() - moved_bytes_;
  if (!dma_ && phase_ == Phase::data) {
    const std::uint32_t even = std::min(byte_limit_ & ~1U, sata::kMaxDataPayload_bytes);
    block_bytes_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(left, even));
    sata::PioSetup setup;
    setup.to_host = setup.interrupt = true;
    setup.status = kStatusGood | kStatusDrq;
    setup.count = identifying_ ? 0 : kReasonData;
    setup.lba = identifying_ ? 0 : with_byte_count(block_bytes_);
    setup.end_status = identifying_ && !profile_.register_fis_after_identify ? kStatusGood : kStatusBsy | kStatusGood;
    setup.transfer_count = static_cast<std::uint16_t>((block_bytes_ + 1) & ~1U);
    phase_ = Phase::data_announced;
    return waiting_.push_back(sata::encode(frames_, setup));
  }
  const std::uint32_t bytes =
      dma_ ? static_cast<std::uint32_t>(std::min<std::uint64_t>(left, sata::kMaxDataPayload_bytes)) : block_bytes_;
  sata::Frame frame = sata::make_data(frames_, 0, (bytes + 3) & ~3U);  // a frame is whole dwords (SATA 3.x, clause 10)
  std::memset(sata::payload(frame) + bytes, 0, sata::payload_bytes(frame) - bytes);
  unit_.read(result_, moved_bytes_, bytes, sata::payload(frame));
  moved_bytes_ += bytes;
  phase_ = Phase::data;
  waiting_.push_back(std::move(frame));
  if (moved_bytes_ == result_.total_bytes()) end_packet();
}

// A packet or data that did not get through (SATA 3.x, clause 10): the packet fails with ABORTED COMMAND. A frame that
// is not a Data FIS is sent again until it is taken.
void OpticalDrive::frame_damaged(const sata::Frame& frame, sata::Damage) {
  const bool data = frame.valid() && frame.size() > 0 && frame.type() == static_cast<std::uint8_t>(sata::FisType::data);
  if (data && phase_ == Phase::packet_wanted) transfer_damaged();
}

bool OpticalDrive::frame_refused(const sata::Frame& frame, sata::Refusal, unsigned) {
  if (sata::is_retransmitted(frame)) return true;
  frame_under_way_ = false;
  transfer_damaged();
  return false;
}

void OpticalDrive::transfer_damaged() {
  waiting_.clear();
  if (identifying_) {
    phase_ = Phase::idle;
    return abort();
  }
  result_ = unit_.transfer_damaged();
  end_packet();
  pump();
}

// Behind the last data; IDENTIFY PACKET DEVICE has ended with its PIO Setup, by the standard.
void OpticalDrive::end_packet() {
  phase_ = Phase::idle;
  if (identifying_ && !profile_.register_fis_after_identify) return;
  sata::RegisterD2H fis;
  fis.interrupt = true;
  fis.status = kStatusGood;
  fis.count = identifying_ ? 0 : kReasonStatus;
  if (result_.sense.key != 0) {
    fis.status |= kStatusErr;
    fis.error = static_cast<std::uint8_t>(result_.sense.key << 4);
    if (result_.sense.key == kIllegalRequest) fis.error |= kErrorAbrt;
  }
  waiting_.push_back(sata::encode(frames_, fis));
}

}  // namespace ncqlab::drive
