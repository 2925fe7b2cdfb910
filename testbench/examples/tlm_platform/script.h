// What the example asks of its disks, as data: batches of queued commands. A test of ncqlab runs the same script on a
// controller without SystemC and compares what the two disks heard and hold.
#pragma once

#include <cstdint>

namespace example {

struct Command {
  bool write;
  unsigned tag;
  std::uint64_t lba;
  std::uint32_t sectors;
  bool ends_batch;  // wait here until the whole batch is done
};

inline constexpr Command kScript[] = {
    {true, 0, 1000, 8, false},    {true, 1, 90'000'000, 64, false},  {true, 2, 1008, 8, true},
    {false, 3, 1000, 16, false},  {false, 0, 90'000'000, 64, false}, {true, 7, 5000, 128, true},
    {false, 31, 5000, 128, true},
};

inline constexpr std::uint32_t kSector_bytes = 512;
inline constexpr std::uint32_t kMost_sectors = 128;

// Byte `index` of what is written to `lba`; differs from sector to sector.
inline std::uint8_t pattern(std::uint64_t lba, std::uint32_t index) {
  const std::uint64_t sector = lba + index / kSector_bytes;
  const std::uint32_t within = index % kSector_bytes;
  return static_cast<std::uint8_t>(sector * 31 + within * 7 + (within >> 8));
}

}  // namespace example
