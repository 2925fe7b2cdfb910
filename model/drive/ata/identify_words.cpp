#include "model/drive/ata/identify_words.h"

namespace ncqlab::drive {

void put_string(IdentifyWords& words, std::size_t first, std::size_t count, const std::string& text) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = [&](std::size_t n) { return n < text.size() ? static_cast<unsigned char>(text[n]) : ' '; };
    words[first + i] = static_cast<std::uint16_t>(at(2 * i) << 8 | at(2 * i + 1));
  }
}

void set_checksum(IdentifyWords& words) {
  words[255] = 0x00A5;
  unsigned sum = 0;
  for (const std::uint16_t word : words) sum += (word & 0xFFU) + (word >> 8);
  words[255] = static_cast<std::uint16_t>(words[255] | ((0x100U - (sum & 0xFFU)) & 0xFFU) << 8);
}

std::vector<std::uint8_t> bytes_of(const IdentifyWords& words) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(2 * words.size());
  for (const std::uint16_t word : words) {
    bytes.push_back(static_cast<std::uint8_t>(word));
    bytes.push_back(static_cast<std::uint8_t>(word >> 8));
  }
  return bytes;
}

}  // namespace ncqlab::drive
