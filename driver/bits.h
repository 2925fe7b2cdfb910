// Bit and byte helpers that compile to plain instructions everywhere: no call into a compiler's run-time library.
#pragma once

#include <cstdint>

namespace ncqlab::driver {

// Index of the lowest bit set in `mask`, which isn't 0. (Multiplying a single bit by this constant puts another
// 5-bit pattern into the top bits for each position.)
inline unsigned lowest_bit(std::uint32_t mask) {
  constexpr std::uint8_t kPosition[32] = {0,  1,  28, 2,  29, 14, 24, 3, 30, 22, 20, 15, 25, 17, 4,  8,
                                          31, 27, 13, 23, 21, 19, 16, 7, 26, 12, 18, 6,  11, 5,  10, 9};
  const std::uint32_t lowest = mask & (~mask + 1U);
  return kPosition[(lowest * 0x077CB531U) >> 27];
}

inline unsigned bit_count(std::uint32_t mask) {
  unsigned count = 0;
  for (; mask != 0; mask &= mask - 1U) ++count;
  return count;
}

inline constexpr std::uint32_t bit(unsigned index) { return std::uint32_t{1} << index; }

// The `count` lowest bits, count 0..32.
inline constexpr std::uint32_t low_bits(unsigned count) { return count >= 32 ? 0xFFFFFFFFU : bit(count) - 1U; }

// A 32-bit little-endian field of a structure in DMA memory, at any alignment.
class Le32 {
 public:
  void set(std::uint32_t value) {
    bytes_[0] = static_cast<std::uint8_t>(value);
    bytes_[1] = static_cast<std::uint8_t>(value >> 8);
    bytes_[2] = static_cast<std::uint8_t>(value >> 16);
    bytes_[3] = static_cast<std::uint8_t>(value >> 24);
  }

 private:
  std::uint8_t bytes_[4];
};

}  // namespace ncqlab::driver
