// Pages of 512 bytes as commands carry them: little-endian fields, and the checksum in a page's last byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "model/drive/sector.h"

namespace ncqlab::drive {

using Bytes = std::vector<std::uint8_t>;

inline Bytes empty_pages(std::size_t pages) { return Bytes(pages * kSector_bytes); }

// `count` bytes, at most 8, the lowest first.
inline void put(Bytes& bytes, std::size_t at, std::uint64_t value, unsigned count) {
  for (unsigned i = 0; i < count; ++i) bytes[at + i] = static_cast<std::uint8_t>(value >> (8 * i));
}
inline std::uint64_t get(const Bytes& bytes, std::size_t at, unsigned count) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < count; ++i) value |= std::uint64_t{bytes[at + i]} << (8 * i);
  return value;
}

// The byte that makes the sum of the page at `first` zero.
inline void set_page_checksum(Bytes& bytes, std::size_t first = 0) {
  const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(first);
  const unsigned sum = std::accumulate(begin, begin + (kSector_bytes - 1), 0U);
  bytes[first + kSector_bytes - 1] = static_cast<std::uint8_t>(0x100 - (sum & 0xFF));
}

}  // namespace ncqlab::drive
