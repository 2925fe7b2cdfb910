// The ATA commands that the drive answers, as one table: opcode, name, protocol (ACS-3 clause 7, SATA 3.x clause 11 for
// the protocols). Everything else is aborted.
#pragma once

#include <cstdint>

namespace ncqlab::drive {

enum class Protocol : std::uint8_t { non_data, pio_in, pio_out, dma_in, dma_out, queued_in, queued_out };

enum class Addressing : std::uint8_t {
  none,
  lba28,   // LBA(27:0) in lba(23:0) and device(3:0), 8-bit count, 0 = 256
  lba48,   // 16-bit count, 0 = 65536
  queued,  // LBA48, the count in features, the tag in count(7:3)
};

struct CommandEntry {
  std::uint8_t opcode;
  const char* name;
  Protocol protocol;
  Addressing addressing;
  bool force_unit_access;  // always; queued writes carry it in device bit 7
};

// Null for an opcode that is not supported.
const CommandEntry* find_command(std::uint8_t opcode);

inline constexpr std::uint8_t kIdentifyDevice = 0xEC;
inline constexpr std::uint8_t kFlushCache = 0xE7;
inline constexpr std::uint8_t kFlushCacheExt = 0xEA;
inline constexpr std::uint8_t kSetFeatures = 0xEF;

}  // namespace ncqlab::drive
