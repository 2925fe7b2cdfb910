#include "model/drive/optical/logical_unit.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace ncqlab::drive {

namespace {

// Operation codes (SPC-3 and MMC-5).
constexpr std::uint8_t kTestUnitReady = 0x00;
constexpr std::uint8_t kRequestSense = 0x03;
constexpr std::uint8_t kInquiry = 0x12;
constexpr std::uint8_t kStartStopUnit = 0x1B;
constexpr std::uint8_t kPreventAllow = 0x1E;
constexpr std::uint8_t kReadCapacity = 0x25;
constexpr std::uint8_t kRead10 = 0x28;
constexpr std::uint8_t kReadToc = 0x43;
constexpr std::uint8_t kGetEventStatus = 0x4A;
constexpr std::uint8_t kModeSense10 = 0x5A;
constexpr std::uint8_t kRead12 = 0xA8;
constexpr std::uint8_t kReadCd = 0xBE;

constexpr SenseData kInvalidOpcode{kIllegalRequest, 0x20, 0x00};
constexpr SenseData kLbaOutOfRange{kIllegalRequest, 0x21, 0x00};
constexpr SenseData kInvalidField{kIllegalRequest, 0x24, 0x00};
constexpr SenseData kSavingNotSupported{kIllegalRequest, 0x39, 0x00};
constexpr SenseData kRemovalPrevented{kIllegalRequest, 0x53, 0x02};
constexpr SenseData kDamagedOnLink{0xB, 0x47, 0x00};  // aborted command, parity error
constexpr SenseData kTrayClosedNoMedium{kNotReady, 0x3A, 0x01};
constexpr SenseData kTrayOpen{kNotReady, 0x3A, 0x02};
constexpr SenseData kResetOccurred{kUnitAttention, 0x29, 0x00};
constexpr SenseData kMediumChanged{kUnitAttention, 0x28, 0x00};

std::uint32_t big_endian(const std::uint8_t* bytes, unsigned count) {
  std::uint32_t value = 0;
  for (unsigned i = 0; i < count; ++i) value = value << 8 | bytes[i];
  return value;
}

void append(std::vector<std::uint8_t>& bytes, std::uint32_t value, unsigned count) {
  while (count-- > 0) bytes.push_back(static_cast<std::uint8_t>(value >> (8 * count)));
}

// Text of exactly `count` characters, padded with spaces.
void append_text(std::vector<std::uint8_t>& bytes, const std::string& text, std::size_t first, std::size_t count) {
  for (std::size_t i = first; i < first + count; ++i) {
    bytes.push_back(i < text.size() ? static_cast<std::uint8_t>(text[i]) : std::uint8_t{' '});
  }
}

PacketResult failed(const SenseData& sense) {
  PacketResult result;
  result.sense = sense;
  return result;
}

// The host takes no more than its allocation length.
PacketResult answered(std::vector<std::uint8_t> bytes, std::uint32_t allocation) {
  PacketResult result;
  if (bytes.size() > allocation) bytes.resize(allocation);
  result.bytes = std::move(bytes);
  return result;
}

}  // namespace

// ---- tray and medium

void LogicalUnit::move_tray(bool open) {
  if (tray_open_ == open) return;
  tray_open_ = open;
  if (open) {
    if (medium_.contents != nullptr) media_event(MediaEvent::removal);
  } else if (medium_.contents != nullptr) {
    media_event(MediaEvent::new_medium);
    change_attention_ = disc_moved_ || !profile_.qemu_media_change;
    absence_attention_ = disc_moved_ && profile_.qemu_media_change;
  }
  disc_moved_ = false;
  if (listener_ != nullptr) listener_->tray_moved(open);
}

void LogicalUnit::open_tray() { move_tray(true); }
void LogicalUnit::close_tray() { move_tray(false); }

bool LogicalUnit::insert(const Medium& medium) {
  if (!tray_open_) return false;
  medium_ = medium;
  disc_moved_ = true;
  return true;
}

bool LogicalUnit::remove() { return insert(Medium{}); }

// ---- packets

void LogicalUnit::reset() {
  locked_ = false;
  sense_ = SenseData{};
  reset_attention_ = profile_.attention_after_reset;
}

PacketResult LogicalUnit::execute(const Packet& packet) {
  if (packet[0] == kRequestSense) return request_sense(packet);
  PacketResult result = dispatch(packet);
  sense_ = result.sense;
  return result;
}

PacketResult LogicalUnit::transfer_damaged() {
  sense_ = kDamagedOnLink;
  return failed(sense_);
}

// A condition that waits for the next command, oldest first; it is then gone.
bool LogicalUnit::pending_condition(SenseData& sense) {
  if (reset_attention_) {
    reset_attention_ = false;
    sense = kResetOccurred;
  } else if (absence_attention_) {
    absence_attention_ = false;
    sense = kTrayClosedNoMedium;
  } else if (change_attention_ && ready()) {
    change_attention_ = false;
    sense = kMediumChanged;
  } else {
    return false;
  }
  return true;
}

SenseData LogicalUnit::readiness() const {
  if (tray_open_) return kTrayOpen;
  return medium_.contents == nullptr ? kTrayClosedNoMedium : SenseData{};
}

PacketResult LogicalUnit::dispatch(const Packet& packet) {
  // These two answer whatever waits (SPC-3, 5.9.7; MMC-5).
  if (packet[0] == kInquiry) return inquiry(packet);
  if (packet[0] == kGetEventStatus) return event_status(packet);
  SenseData sense;
  if (pending_condition(sense)) return failed(sense);
  switch (packet[0]) {
    case kStartStopUnit:
      return start_stop(packet);
    case kPreventAllow:
      locked_ = (packet[4] & 1) != 0;
      return {};
    case kModeSense10:
      return mode_sense(packet);
    default:
      break;
  }
  sense = readiness();
  switch (packet[0]) {
    case kTestUnitReady:
      return failed(sense);
    case kReadCapacity:
      return sense.key != 0 ? failed(sense) : read_capacity();
    case kRead10:
      return sense.key != 0 ? failed(sense) : read_blocks(big_endian(&packet[2], 4), big_endian(&packet[7], 2));
    case kRead12:
      return sense.key != 0 ? failed(sense) : read_blocks(big_endian(&packet[2], 4), big_endian(&packet[6], 4));
    case kReadCd:
      return sense.key != 0 ? failed(sense) : read_cd(packet);
    case kReadToc:
      return sense.key != 0 ? failed(sense) : read_toc(packet);
    default:
      return failed(kInvalidOpcode);
  }
}

// Fixed format (SPC-3, 4.5.3). What it tells is gone afterwards.
PacketResult LogicalUnit::request_sense(const Packet& packet) {
  if (sense_.key == 0) pending_condition(sense_);
  std::vector<std::uint8_t> bytes(18);
  bytes[0] = 0x70;
  bytes[2] = sense_.key;
  bytes[7] = 10;
  bytes[12] = sense_.code;
  bytes[13] = sense_.qualifier;
  sense_ = SenseData{};
  return answered(std::move(bytes), packet[4]);
}

// SPC-3, 6.4. Vendor and product are the first 24 characters of the model.
PacketResult LogicalUnit::inquiry(const Packet& packet) const {
  if ((packet[1] & 1) != 0 || packet[2] != 0) return failed(kInvalidField);  // vital product data
  std::vector<std::uint8_t> bytes{0x05, 0x80, 0x00, 0x21, 31, 0, 0, 0};
  append_text(bytes, profile_.identity.model, 0, 24);
  append_text(bytes, profile_.identity.firmware, 0, 4);
  return answered(std::move(bytes), big_endian(&packet[3], 2));
}

PacketResult LogicalUnit::read_blocks(std::uint32_t lba, std::uint32_t blocks) const {
  if (std::uint64_t{lba} + blocks > medium_.blocks) return failed(kLbaOutOfRange);
  PacketResult result;
  result.lba = lba;
  result.blocks = blocks;
  return result;
}

// READ CD (MMC-5, 6.20): what of each sector is wanted stands in byte 9; there are user data, and nothing around them.
PacketResult LogicalUnit::read_cd(const Packet& packet) const {
  const std::uint32_t blocks = big_endian(&packet[6], 3);
  const std::uint8_t wanted = packet[9] & 0xF8;
  if (blocks == 0 || wanted == 0) return {};
  if (wanted != 0x10) return failed(kInvalidField);
  return read_blocks(big_endian(&packet[2], 4), blocks);
}

PacketResult LogicalUnit::read_capacity() const {
  std::vector<std::uint8_t> bytes;
  append(bytes, medium_.blocks - 1, 4);
  append(bytes, kBlock_bytes, 4);
  return answered(std::move(bytes), 8);
}

// Pages 01h (error recovery) and 2Ah (capabilities), or 3Fh for both.
PacketResult LogicalUnit::mode_sense(const Packet& packet) const {
  const unsigned page = packet[2] & 0x3F;
  if (packet[2] >> 6 == 3) return failed(kSavingNotSupported);
  if (page != 0x01 && page != 0x2A && page != 0x3F) return failed(kInvalidField);
  std::vector<std::uint8_t> bytes(8);
  if (page != 0x2A) {
    const std::uint8_t recovery[] = {0x01, 6, 0x00, 0x05, 0, 0, 0, 0};
    bytes.insert(bytes.end(), std::begin(recovery), std::end(recovery));
  }
  if (page != 0x01) {
    // Reads CD-R and DVD; locks, ejects from a tray.
    std::vector<std::uint8_t> capabilities{0x2A, 18, 0x3B, 0x00, 0x71, 0x60, 0x29, 0x00};
    capabilities[6] = static_cast<std::uint8_t>(0x29 | (locked_ ? 0x02 : 0));
    append(capabilities, static_cast<std::uint32_t>(profile_.bytes_per_second / 1000), 2);
    capabilities.resize(20);
    bytes.insert(bytes.end(), capabilities.begin(), capabilities.end());
  }
  const auto length = static_cast<std::uint32_t>(bytes.size() - 2);
  bytes[0] = static_cast<std::uint8_t>(length >> 8);
  bytes[1] = static_cast<std::uint8_t>(length);
  return answered(std::move(bytes), big_endian(&packet[7], 2));
}

// Byte 4: bit 1 LoEj, bit 0 Start. With LoEj the tray moves.
PacketResult LogicalUnit::start_stop(const Packet& packet) {
  const bool load_eject = (packet[4] & 2) != 0;
  const bool start = (packet[4] & 1) != 0;
  if (!load_eject) return {};
  if (!start && locked_) return failed(kRemovalPrevented);
  move_tray(!start);
  return {};
}

// GET EVENT STATUS NOTIFICATION: polled, media class (bit 4) only.
PacketResult LogicalUnit::event_status(const Packet& packet) {
  constexpr std::uint8_t kMediaClass = 0x10;
  const std::uint32_t allocation = big_endian(&packet[7], 2);
  if ((packet[1] & 1) == 0) return failed(kInvalidField);  // there is no way to tell later
  if ((packet[4] & kMediaClass) == 0) return answered({0, 2, 0x80, kMediaClass}, allocation);
  const auto status = static_cast<std::uint8_t>((tray_open_ ? 1 : 0) | (ready() ? 2 : 0));
  const auto code = static_cast<std::uint8_t>(event_);
  event_ = MediaEvent::none;
  return answered({0, 6, 4, kMediaClass, code, status, 0, 0}, allocation);
}

// One data track. Format 0: its descriptor and that of the lead-out; format 1: the one session.
PacketResult LogicalUnit::read_toc(const Packet& packet) const {
  constexpr std::uint8_t kLeadOut = 0xAA;
  const bool msf = (packet[1] & 2) != 0;
  const unsigned format = (packet[2] & 0x0F) != 0 ? packet[2] & 0x0F : packet[9] >> 6;
  const std::uint8_t track = packet[6];
  if (format > 1 || (format == 0 && track > 1 && track != kLeadOut)) return failed(kInvalidField);
  std::vector<std::uint8_t> bytes{0, 0, 1, 1};
  const auto describe = [&](std::uint8_t number, std::uint32_t lba) {
    bytes.insert(bytes.end(), {0, 0x14, number, 0});
    if (!msf) return append(bytes, lba, 4);
    const std::uint32_t frame = lba + 150;  // two seconds of 75 frames lie before block 0
    append(bytes, frame / 75 / 60 << 16 | frame / 75 % 60 << 8 | frame % 75, 4);
  };
  if (format == 1 || track <= 1) describe(1, 0);
  if (format == 0) describe(kLeadOut, medium_.blocks);
  const auto length = static_cast<std::uint32_t>(bytes.size() - 2);
  bytes[0] = static_cast<std::uint8_t>(length >> 8);
  bytes[1] = static_cast<std::uint8_t>(length);
  return answered(std::move(bytes), big_endian(&packet[7], 2));
}

void LogicalUnit::read(const PacketResult& result, std::uint64_t offset, std::uint32_t count,
                       std::uint8_t* buffer) const {
  if (result.blocks == 0) {
    std::copy_n(result.bytes.begin() + static_cast<std::ptrdiff_t>(offset), count, buffer);
    return;
  }
  const std::uint64_t from = std::uint64_t{result.lba} * kBlock_bytes + offset;
  const std::uint64_t first = from / kSector_bytes;
  const auto sectors = static_cast<std::uint32_t>((from + count + kSector_bytes - 1) / kSector_bytes - first);
  std::vector<std::uint8_t> whole(std::size_t{sectors} * kSector_bytes);
  if (medium_.contents != nullptr) medium_.contents->fill(first, sectors, whole.data());
  std::memcpy(buffer, whole.data() + (from - first * kSector_bytes), count);
}

}  // namespace ncqlab::drive
