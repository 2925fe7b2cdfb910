// Frame Information Structures as bytes: encode into and decode from the layout of SATA 3.x, 10.5. Multi-byte fields
// are little-endian, bit positions are the standard's own.
#pragma once

#include <cstdint>

#include "model/sata/frame.h"

namespace ncqlab::sata {

enum class FisType : std::uint8_t {
  register_h2d = 0x27,     // 10.5.5, 20 bytes
  register_d2h = 0x34,     // 10.5.6, 20 bytes
  dma_activate = 0x39,     // 10.5.8, 4 bytes
  dma_setup = 0x41,        // 10.5.9, 28 bytes
  data = 0x46,             // 10.5.11, 4 bytes and the payload
  bist_activate = 0x58,    // 10.5.10, 12 bytes
  pio_setup = 0x5F,        // 10.5.12, 20 bytes
  set_device_bits = 0xA1,  // 10.5.7, 8 bytes
};

struct RegisterH2D {
  std::uint8_t pm_port = 0;
  bool command_bit = false;  // C: 1 command register written, 0 device control register written
  std::uint8_t command = 0;
  std::uint16_t features = 0;  // features(7:0) and (15:8)
  std::uint64_t lba = 0;       // 48 bits
  std::uint8_t device = 0;
  std::uint16_t count = 0;
  std::uint8_t icc = 0;
  std::uint8_t control = 0;
  std::uint32_t auxiliary = 0;
};

struct RegisterD2H {
  std::uint8_t pm_port = 0;
  bool interrupt = false;
  std::uint8_t status = 0;
  std::uint8_t error = 0;
  std::uint64_t lba = 0;
  std::uint8_t device = 0;
  std::uint16_t count = 0;
};

struct SetDeviceBits {
  std::uint8_t pm_port = 0;
  bool interrupt = false;
  bool notification = false;
  std::uint8_t status = 0;  // only bits 6:4 and 2:0 are carried
  std::uint8_t error = 0;
  std::uint32_t active = 0;  // SActive bits to clear at the host (protocol specific, 13.6)
};

struct DmaSetup {
  std::uint8_t pm_port = 0;
  bool to_host = false;  // D: 1 transmitter (device) to receiver (host)
  bool interrupt = false;
  bool auto_activate = false;
  std::uint64_t buffer_identifier = 0;  // the tag in bits 4:0 for first-party DMA (13.6.4)
  std::uint32_t buffer_offset = 0;      // bytes, dword aligned
  std::uint32_t transfer_count = 0;     // bytes, even
};

struct PioSetup {
  std::uint8_t pm_port = 0;
  bool to_host = false;
  bool interrupt = false;
  std::uint8_t status = 0;  // at the start of the transfer
  std::uint8_t error = 0;
  std::uint64_t lba = 0;
  std::uint8_t device = 0;
  std::uint16_t count = 0;
  std::uint8_t end_status = 0;       // E_STATUS
  std::uint16_t transfer_count = 0;  // bytes, even
};

Frame encode(FramePool& pool, const RegisterH2D& fis);
Frame encode(FramePool& pool, const RegisterD2H& fis);
Frame encode(FramePool& pool, const SetDeviceBits& fis);
Frame encode(FramePool& pool, const DmaSetup& fis);
Frame encode(FramePool& pool, const PioSetup& fis);
Frame encode_dma_activate(FramePool& pool, std::uint8_t pm_port);
// A Data FIS with `payload_bytes` of room behind its header; the caller fills payload().
Frame make_data(FramePool& pool, std::uint8_t pm_port, std::uint32_t payload_bytes);

inline std::uint8_t* payload(Frame& frame) { return frame.data() + 4; }
inline const std::uint8_t* payload(const Frame& frame) { return frame.data() + 4; }
inline std::uint32_t payload_bytes(const Frame& frame) { return frame.size() - 4; }

// What the transport layer sends again after R_ERR (SATA 3.x, clause 10): all but Data, of which nothing is kept, and
// BIST Activate.
inline bool is_retransmitted(const Frame& frame) {
  const auto type = static_cast<FisType>(frame.type());
  return type != FisType::data && type != FisType::bist_activate;
}

// False when the frame is not of that type or not of its length; `fis` is then unchanged.
bool decode(const Frame& frame, RegisterH2D& fis);
bool decode(const Frame& frame, RegisterD2H& fis);
bool decode(const Frame& frame, SetDeviceBits& fis);
bool decode(const Frame& frame, DmaSetup& fis);
bool decode(const Frame& frame, PioSetup& fis);

}  // namespace ncqlab::sata
