// A command as the controller reads it from memory: command header, command FIS, PRD table (AHCI 1.3.1, 4.2).
#pragma once

#include <cstddef>
#include <cstdint>

#include "driver/bits.h"
#include "driver/request.h"

namespace ncqlab::driver {

// 4.2.2.
struct CommandHeader {
  Le32 flags;       // CFL 4:0, A 5, W 6, P 7, R 8, B 9, C 10, PMP 15:12, PRDTL 31:16
  Le32 prd_bytes;   // PRDBC, counted by the controller
  Le32 table_low;   // CTBA, 128-byte aligned
  Le32 table_high;  // CTBAU
  Le32 reserved[4];
};
static_assert(sizeof(CommandHeader) == 32, "AHCI 1.3.1, 4.2.2");

// Register FIS, host to device (SATA 3.x, 10.5.5), at the head of the command table.
struct CommandFis {
  std::uint8_t type;
  std::uint8_t command_bit;  // C in bit 7, PM port in bits 3:0
  std::uint8_t command;
  std::uint8_t features_low;
  std::uint8_t lba_0, lba_1, lba_2;
  std::uint8_t device;
  std::uint8_t lba_3, lba_4, lba_5;
  std::uint8_t features_high;
  std::uint8_t count_low, count_high;
  std::uint8_t icc;
  std::uint8_t control;
  std::uint8_t auxiliary[4];
};
static_assert(sizeof(CommandFis) == 20 && offsetof(CommandFis, device) == 7 && offsetof(CommandFis, count_low) == 12,
              "SATA 3.x, 10.5.5");

// 4.2.3.3.
struct Prd {
  Le32 address_low;
  Le32 address_high;
  Le32 reserved;
  Le32 count;  // bytes minus 1 in bits 21:0, I in bit 31
};
static_assert(sizeof(Prd) == 16, "AHCI 1.3.1, 4.2.3.3");

// 4.2.3; the PRDs follow.
struct CommandTable {
  CommandFis command_fis;
  std::uint8_t command_fis_rest[44];
  std::uint8_t packet[16];
  std::uint8_t reserved[48];
};
static_assert(offsetof(CommandTable, packet) == 0x40 && sizeof(CommandTable) == 0x80, "AHCI 1.3.1, 4.2.3");

inline constexpr std::uint32_t kCommandList_bytes = 1024;  // 32 headers, 1 KiB aligned: 3.3.1
inline constexpr std::uint32_t kReceivedFis_bytes = 256;   // 256-byte aligned: 3.3.3
inline constexpr std::uint32_t kTableAlignment = 128;      // 4.2.2
inline constexpr std::uint32_t kPrdLimit_bytes = 4U << 20;
inline constexpr std::uint32_t kMaxSectors = 65536;  // of one command: count 0

// Bytes from one slot's command table to the next.
inline constexpr std::uint32_t table_stride(unsigned max_prds) {
  return (static_cast<std::uint32_t>(sizeof(CommandTable)) + max_prds * static_cast<std::uint32_t>(sizeof(Prd)) +
          kTableAlignment - 1U) &
         ~(kTableAlignment - 1U);
}

// The PRDs that a scatter list needs and the bytes it covers.
struct ScatterSize {
  std::uint64_t bytes = 0;
  std::uint64_t prds = 0;
  bool legal = true;  // even addresses and sizes, none empty, none beyond `highest_address`
};
ScatterSize measure(const Segment* segments, std::uint32_t count, std::uint64_t highest_address);

// Fill table, PRDs and header of a slot. The header's table address stays as it is; `dma` says whether a command that
// isn't queued moves its data by DMA, or by PIO.
void build_command(const Request& request, bool dma, unsigned tag, CommandHeader& header, CommandTable& table);
void build_identify(std::uint64_t buffer_address, CommandHeader& header, CommandTable& table);

}  // namespace ncqlab::driver
