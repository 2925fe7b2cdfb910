// What the trace keeps of a FIS: type, length, the first 8 bytes (of a Data FIS its header alone) and one dword more,
// `detail`, which holds what protocol checking needs from further back:
//
//   Register H2D   count in 15:0, features(15:8) in 23:16, control in 31:24
//   Register D2H   count in 15:0
//   DMA Setup      the transfer count
//   PIO Setup      the transfer count in 15:0, E_STATUS in 31:24
//   all others     0
//
// A FIS too short for its detail has 0 there. Field names and places are those of SATA 3.x, 10.5.
#pragma once

#include <cstdint>

#include "model/sata/fis.h"
#include "model/sim/trace.h"

namespace ncqlab::sata {

class FisRecord {
 public:
  // Of a record of Kind::fis_to_device or fis_to_host.
  explicit FisRecord(const sim::Record& record)
      : head_(record.c),
        bytes_(static_cast<std::uint32_t>(record.b)),
        detail_(static_cast<std::uint32_t>(record.b >> 32)),
        type_(static_cast<std::uint8_t>(record.a)) {}

  std::uint8_t type() const { return type_; }
  bool is(FisType type) const { return type_ == static_cast<std::uint8_t>(type); }
  std::uint32_t bytes() const { return bytes_; }
  std::uint64_t head() const { return head_; }  // the first 8 bytes, little-endian
  std::uint32_t detail() const { return detail_; }
  std::uint8_t byte(unsigned index) const { return static_cast<std::uint8_t>(head_ >> (8 * index)); }
  std::uint32_t second_dword() const { return static_cast<std::uint32_t>(head_ >> 32); }

  // Byte 1.
  unsigned pm_port() const { return byte(1) & 0x0F; }
  bool to_host() const { return (byte(1) & 0x20) != 0; }        // D of DMA Setup and PIO Setup
  bool interrupt() const { return (byte(1) & 0x40) != 0; }      // I
  bool command_bit() const { return (byte(1) & 0x80) != 0; }    // C of Register H2D
  bool auto_activate() const { return (byte(1) & 0x80) != 0; }  // A of DMA Setup
  bool notification() const { return (byte(1) & 0x80) != 0; }   // N of Set Device Bits

  std::uint8_t command() const { return byte(2); }                     // Register H2D
  std::uint8_t status() const { return byte(2); }                      // Register D2H, PIO Setup, Set Device Bits
  std::uint32_t active() const { return second_dword(); }              // Set Device Bits: the tags that it answers
  unsigned dma_tag() const { return second_dword() & 0x1F; }           // DMA Setup (13.6.4)
  unsigned queued_tag() const { return detail_ >> 3 & 0x1F; }          // Register H2D: count(7:3) (13.6.4)
  std::uint32_t lba_low() const { return second_dword() & 0xFFFFFF; }  // LBA(23:0) of the register FIS
  std::uint32_t count() const { return detail_ & 0xFFFF; }
  std::uint32_t features() const { return byte(3) | (detail_ >> 8 & 0xFF00); }
  std::uint8_t control() const { return static_cast<std::uint8_t>(detail_ >> 24); }
  std::uint32_t dma_count() const { return detail_; }           // DMA Setup, in bytes
  std::uint32_t pio_count() const { return detail_ & 0xFFFF; }  // PIO Setup, in bytes
  std::uint8_t end_status() const { return static_cast<std::uint8_t>(detail_ >> 24); }

 private:
  std::uint64_t head_;
  std::uint32_t bytes_;
  std::uint32_t detail_;
  std::uint8_t type_;
};

// The record of `frame`, which is not empty.
sim::Record make_fis_record(sim::Time time, sim::Kind kind, std::uint32_t port, const Frame& frame);

}  // namespace ncqlab::sata
