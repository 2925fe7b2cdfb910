#include "model/drive/ata/identify.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace ncqlab::drive {

namespace {

using Words = std::array<std::uint16_t, 256>;

// ATA strings: two characters a word, the first in the high byte, padded with spaces (ACS-3, 3.3.10).
void put_string(Words& words, std::size_t first, std::size_t count, const std::string& text) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto at = [&](std::size_t n) { return n < text.size() ? static_cast<unsigned char>(text[n]) : ' '; };
    words[first + i] = static_cast<std::uint16_t>(at(2 * i) << 8 | at(2 * i + 1));
  }
}

void set_checksum(Words& words) {
  words[255] = 0x00A5;  // signature; the sum of all 512 bytes becomes 0 modulo 256
  unsigned sum = 0;
  for (const std::uint16_t word : words) sum += (word & 0xFFU) + (word >> 8);
  words[255] = static_cast<std::uint16_t>(words[255] | ((0x100U - (sum & 0xFFU)) & 0xFFU) << 8);
}

}  // namespace

Words identify_words(const Profile& profile, const IdentifySettings& settings) {
  Words words{};
  const auto flags = [](std::initializer_list<unsigned> bits) {
    unsigned value = 0;
    for (const unsigned bit : bits) value |= 1U << bit;
    return static_cast<std::uint16_t>(value);
  };

  words[0] = 0x0040;  // ATA device, fixed
  words[1] = 16383;   // the obsolete default translation: 16383/16/63 for every disk beyond 8.4 GB
  words[3] = 16;
  words[6] = 63;
  put_string(words, 10, 10, profile.identity.serial);
  put_string(words, 23, 4, profile.identity.firmware);
  put_string(words, 27, 20, profile.identity.model);
  words[47] = 0x8000;
  words[49] = flags({8, 9, 11, 10});  // DMA, LBA, IORDY supported and may be disabled
  words[50] = flags({14});
  words[53] = flags({1, 2});  // words 64-70 and 88 are valid
  const auto lba28 = static_cast<std::uint32_t>(std::min<std::uint64_t>(profile.capacity_sectors, 0x0FFFFFFF));
  words[60] = static_cast<std::uint16_t>(lba28);
  words[61] = static_cast<std::uint16_t>(lba28 >> 16);
  words[63] = 0x0007;                                                             // multiword DMA 0-2 supported
  words[64] = 0x0003;                                                             // PIO 3 and 4
  for (const std::size_t cycle_time : {65, 66, 67, 68}) words[cycle_time] = 120;  // ns
  words[75] = static_cast<std::uint16_t>(profile.interface.queue_depth - 1);
  for (unsigned generation = 1; generation <= profile.interface.generation; ++generation) {
    words[76] = static_cast<std::uint16_t>(words[76] | 1U << generation);
  }
  if (profile.interface.ncq) words[76] = static_cast<std::uint16_t>(words[76] | flags({8}));
  words[80] = flags({4, 5, 6, 7, 8});   // ATA/ATAPI-4 to ATA8-ACS
  words[82] = flags({5, 6});            // write cache, read look-ahead
  words[83] = flags({14, 13, 12, 10});  // FLUSH CACHE EXT, FLUSH CACHE, 48-bit addresses
  words[84] = flags({14, 6});           // WRITE DMA FUA EXT
  if (settings.write_cache_enabled) words[85] = static_cast<std::uint16_t>(words[85] | flags({5}));
  if (settings.read_look_ahead_enabled) words[85] = static_cast<std::uint16_t>(words[85] | flags({6}));
  words[86] = flags({13, 12, 10});
  words[87] = flags({14, 6});
  words[88] = 0x407F;  // Ultra DMA 0-6, 6 selected: meaningless on SATA, expected by hosts
  for (std::size_t i = 0; i < 4; ++i) {
    words[100 + i] = static_cast<std::uint16_t>(profile.capacity_sectors >> (16 * i));
  }
  words[106] = flags({14});  // one logical sector of 512 bytes a physical one
  words[217] = static_cast<std::uint16_t>(std::lround(profile.mechanics.rpm));
  set_checksum(words);
  return words;
}

}  // namespace ncqlab::drive
