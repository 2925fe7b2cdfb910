// The 256 words of IDENTIFY DEVICE and IDENTIFY PACKET DEVICE: what both are made of.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace ncqlab::drive {

using IdentifyWords = std::array<std::uint16_t, 256>;

// ATA strings: two characters a word, the first in the high byte, padded with spaces (ACS-3, 3.3.10).
void put_string(IdentifyWords& words, std::size_t first, std::size_t count, const std::string& text);
// Word 255: signature A5h, and the byte that makes the sum of all 512 zero.
void set_checksum(IdentifyWords& words);
inline void set_bits(std::uint16_t& word, std::initializer_list<unsigned> bits) {
  for (const unsigned bit : bits) word = static_cast<std::uint16_t>(word | 1U << bit);
}
// As they are sent: little-endian.
std::vector<std::uint8_t> bytes_of(const IdentifyWords& words);

}  // namespace ncqlab::drive
