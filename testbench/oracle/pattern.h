// What a sector holds: a function of its LBA and of the generation (the number of the write that filled it; 0 is what a
// disk comes with from the factory).
//
// A sector is 64 words of 64 bits in the machine's byte order:
//   word 0        LBA ^ kTag
//   word 1        generation
//   word 2 .. 63  base(LBA, generation) + i * kStep for word i
// so a mismatch tells which other sector, or which other generation, was found, and a sector torn between two writes
// shows where. Buffers need no alignment.
#pragma once

#include <cstdint>

#include "model/sim/random.h"

namespace ncqlab::oracle {

inline constexpr std::uint32_t kSector_bytes = 512;
inline constexpr unsigned kSector_words = 64;
inline constexpr std::uint64_t kFactory = 0;  // generation
inline constexpr std::uint64_t kTag = 0xA55A6E63716C6162ULL;
inline constexpr std::uint64_t kStep = 0x9E3779B97F4A7C15ULL;  // odd: no two words of a sector are equal

// Depends on every bit of both; `generation_key` serves a run of sectors of one generation.
constexpr std::uint64_t generation_key(std::uint64_t generation) { return sim::mix64(generation + kStep); }
constexpr std::uint64_t base_with_key(std::uint64_t lba, std::uint64_t key) { return sim::mix64(lba + key); }
constexpr std::uint64_t base(std::uint64_t lba, std::uint64_t generation) {
  return base_with_key(lba, generation_key(generation));
}

void fill(void* buffer, std::uint64_t lba, std::uint32_t sectors, std::uint64_t generation);

// How many sectors from the first are exactly of that generation: `sectors` when all are.
std::uint32_t matching_sectors(const void* buffer, std::uint64_t lba, std::uint32_t sectors, std::uint64_t generation);

struct Found {
  enum class What : std::uint8_t {
    intact,  // a whole sector of `lba` and `generation`
    zeros,
    torn,     // begins as `lba` and `generation`, and from byte `torn_at` on as a sector of another base, `tail_base`
    unknown,  // no sector of this pattern
  };
  What what = What::unknown;
  std::uint64_t lba = 0;
  std::uint64_t generation = 0;
  std::uint32_t torn_at = 0;
  std::uint64_t tail_base = 0;
};

// What one sector of the buffer holds.
Found identify(const void* sector);

}  // namespace ncqlab::oracle
