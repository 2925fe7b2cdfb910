#include "model/sata/fis.h"

#include <cstring>

namespace ncqlab::sata {

namespace {

constexpr std::uint32_t kRegister_bytes = 20;
constexpr std::uint32_t kSetDeviceBits_bytes = 8;
constexpr std::uint32_t kDmaSetup_bytes = 28;
constexpr std::uint32_t kDmaActivate_bytes = 4;
constexpr std::uint32_t kPioSetup_bytes = 20;

// Byte 1 of every FIS: the port multiplier port and up to three flags.
constexpr std::uint8_t kPmPort = 0x0F;
constexpr std::uint8_t kBit7 = 0x80;  // C, N or A
constexpr std::uint8_t kInterrupt = 0x40;
constexpr std::uint8_t kDirection = 0x20;

constexpr std::uint8_t kSetDeviceBitsStatus = 0x77;  // Status Hi 6:4 and Lo 2:0

Frame blank(FramePool& pool, FisType type, std::uint32_t bytes, std::uint8_t pm_port) {
  Frame frame = pool.make(bytes);
  std::memset(frame.data(), 0, bytes);
  frame.data()[0] = static_cast<std::uint8_t>(type);
  frame.data()[1] = pm_port & kPmPort;
  return frame;
}

bool is(const Frame& frame, FisType type, std::uint32_t bytes) {
  return frame.size() == bytes && frame.type() == static_cast<std::uint8_t>(type);
}

std::uint8_t flag(bool set, std::uint8_t bit) { return set ? bit : std::uint8_t{0}; }

void put16(std::uint8_t* at, std::uint32_t value) {
  at[0] = static_cast<std::uint8_t>(value);
  at[1] = static_cast<std::uint8_t>(value >> 8);
}

void put32(std::uint8_t* at, std::uint32_t value) {
  put16(at, value);
  put16(at + 2, value >> 16);
}

std::uint16_t get16(const std::uint8_t* at) { return static_cast<std::uint16_t>(at[0] | at[1] << 8); }

std::uint32_t get32(const std::uint8_t* at) { return get16(at) | static_cast<std::uint32_t>(get16(at + 2)) << 16; }

// LBA(23:0) in bytes 4..6 and LBA(47:24) in bytes 8..10, in all FIS with a task file.
void put_lba(std::uint8_t* bytes, std::uint64_t lba) {
  for (unsigned i = 0; i < 3; ++i) {
    bytes[4 + i] = static_cast<std::uint8_t>(lba >> (8 * i));
    bytes[8 + i] = static_cast<std::uint8_t>(lba >> (8 * i + 24));
  }
}

std::uint64_t get_lba(const std::uint8_t* bytes) {
  std::uint64_t lba = 0;
  for (unsigned i = 0; i < 3; ++i) {
    lba |= std::uint64_t{bytes[4 + i]} << (8 * i);
    lba |= std::uint64_t{bytes[8 + i]} << (8 * i + 24);
  }
  return lba;
}

}  // namespace

Frame encode(FramePool& pool, const RegisterH2D& fis) {
  Frame frame = blank(pool, FisType::register_h2d, kRegister_bytes, fis.pm_port);
  std::uint8_t* b = frame.data();
  b[1] |= flag(fis.command_bit, kBit7);
  b[2] = fis.command;
  b[3] = static_cast<std::uint8_t>(fis.features);
  put_lba(b, fis.lba);
  b[7] = fis.device;
  b[11] = static_cast<std::uint8_t>(fis.features >> 8);
  put16(b + 12, fis.count);
  b[14] = fis.icc;
  b[15] = fis.control;
  put32(b + 16, fis.auxiliary);
  return frame;
}

Frame encode(FramePool& pool, const RegisterD2H& fis) {
  Frame frame = blank(pool, FisType::register_d2h, kRegister_bytes, fis.pm_port);
  std::uint8_t* b = frame.data();
  b[1] |= flag(fis.interrupt, kInterrupt);
  b[2] = fis.status;
  b[3] = fis.error;
  put_lba(b, fis.lba);
  b[7] = fis.device;
  put16(b + 12, fis.count);
  return frame;
}

Frame encode(FramePool& pool, const SetDeviceBits& fis) {
  Frame frame = blank(pool, FisType::set_device_bits, kSetDeviceBits_bytes, fis.pm_port);
  std::uint8_t* b = frame.data();
  b[1] |= flag(fis.interrupt, kInterrupt) | flag(fis.notification, kBit7);
  b[2] = fis.status & kSetDeviceBitsStatus;
  b[3] = fis.error;
  put32(b + 4, fis.active);
  return frame;
}

Frame encode(FramePool& pool, const DmaSetup& fis) {
  Frame frame = blank(pool, FisType::dma_setup, kDmaSetup_bytes, fis.pm_port);
  std::uint8_t* b = frame.data();
  b[1] |= flag(fis.to_host, kDirection) | flag(fis.interrupt, kInterrupt) | flag(fis.auto_activate, kBit7);
  put32(b + 4, static_cast<std::uint32_t>(fis.buffer_identifier));
  put32(b + 8, static_cast<std::uint32_t>(fis.buffer_identifier >> 32));
  put32(b + 16, fis.buffer_offset);
  put32(b + 20, fis.transfer_count);
  return frame;
}

Frame encode(FramePool& pool, const PioSetup& fis) {
  Frame frame = blank(pool, FisType::pio_setup, kPioSetup_bytes, fis.pm_port);
  std::uint8_t* b = frame.data();
  b[1] |= flag(fis.to_host, kDirection) | flag(fis.interrupt, kInterrupt);
  b[2] = fis.status;
  b[3] = fis.error;
  put_lba(b, fis.lba);
  b[7] = fis.device;
  put16(b + 12, fis.count);
  b[15] = fis.end_status;
  put16(b + 16, fis.transfer_count);
  return frame;
}

Frame encode_dma_activate(FramePool& pool, std::uint8_t pm_port) {
  return blank(pool, FisType::dma_activate, kDmaActivate_bytes, pm_port);
}

Frame make_data(FramePool& pool, std::uint8_t pm_port, std::uint32_t payload_bytes) {
  Frame frame = pool.make(4 + payload_bytes);
  std::uint8_t* b = frame.data();
  b[0] = static_cast<std::uint8_t>(FisType::data);
  b[1] = pm_port & kPmPort;
  put16(b + 2, 0);
  return frame;
}

bool decode(const Frame& frame, RegisterH2D& fis) {
  if (!is(frame, FisType::register_h2d, kRegister_bytes)) return false;
  const std::uint8_t* b = frame.data();
  fis.pm_port = b[1] & kPmPort;
  fis.command_bit = (b[1] & kBit7) != 0;
  fis.command = b[2];
  fis.features = static_cast<std::uint16_t>(b[3] | b[11] << 8);
  fis.lba = get_lba(b);
  fis.device = b[7];
  fis.count = get16(b + 12);
  fis.icc = b[14];
  fis.control = b[15];
  fis.auxiliary = get32(b + 16);
  return true;
}

bool decode(const Frame& frame, RegisterD2H& fis) {
  if (!is(frame, FisType::register_d2h, kRegister_bytes)) return false;
  const std::uint8_t* b = frame.data();
  fis.pm_port = b[1] & kPmPort;
  fis.interrupt = (b[1] & kInterrupt) != 0;
  fis.status = b[2];
  fis.error = b[3];
  fis.lba = get_lba(b);
  fis.device = b[7];
  fis.count = get16(b + 12);
  return true;
}

bool decode(const Frame& frame, SetDeviceBits& fis) {
  if (!is(frame, FisType::set_device_bits, kSetDeviceBits_bytes)) return false;
  const std::uint8_t* b = frame.data();
  fis.pm_port = b[1] & kPmPort;
  fis.interrupt = (b[1] & kInterrupt) != 0;
  fis.notification = (b[1] & kBit7) != 0;
  fis.status = b[2] & kSetDeviceBitsStatus;
  fis.error = b[3];
  fis.active = get32(b + 4);
  return true;
}

bool decode(const Frame& frame, DmaSetup& fis) {
  if (!is(frame, FisType::dma_setup, kDmaSetup_bytes)) return false;
  const std::uint8_t* b = frame.data();
  fis.pm_port = b[1] & kPmPort;
  fis.to_host = (b[1] & kDirection) != 0;
  fis.interrupt = (b[1] & kInterrupt) != 0;
  fis.auto_activate = (b[1] & kBit7) != 0;
  fis.buffer_identifier = get32(b + 4) | std::uint64_t{get32(b + 8)} << 32;
  fis.buffer_offset = get32(b + 16);
  fis.transfer_count = get32(b + 20);
  return true;
}

bool decode(const Frame& frame, PioSetup& fis) {
  if (!is(frame, FisType::pio_setup, kPioSetup_bytes)) return false;
  const std::uint8_t* b = frame.data();
  fis.pm_port = b[1] & kPmPort;
  fis.to_host = (b[1] & kDirection) != 0;
  fis.interrupt = (b[1] & kInterrupt) != 0;
  fis.status = b[2];
  fis.error = b[3];
  fis.lba = get_lba(b);
  fis.device = b[7];
  fis.count = get16(b + 12);
  fis.end_status = b[15];
  fis.transfer_count = get16(b + 16);
  return true;
}

}  // namespace ncqlab::sata
