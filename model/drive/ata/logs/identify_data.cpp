#include "model/drive/ata/logs/identify_data.h"

#include <algorithm>

namespace ncqlab::drive {

namespace {

enum DataPage : std::uint8_t { kList = 0x00, kCopy = 0x01, kCapacity = 0x02, kStrings = 0x05 };

constexpr std::uint64_t kValid = std::uint64_t{1} << 63;

std::size_t begin_page(Bytes& log, std::uint8_t number) {
  const std::size_t first = number * std::size_t{kSector_bytes};
  put(log, first, kValid | std::uint64_t{number} << 16 | 0x0001, 8);
  return first;
}

void put_capacity(Bytes& log, const IdentifyWords& words) {
  const std::size_t first = begin_page(log, kCapacity);
  std::uint64_t sectors = 0;
  for (std::size_t i = 0; i < 3; ++i) sectors |= std::uint64_t{words[100 + i]} << (16 * i);
  put(log, first + 8, kValid | sectors, 8);
  constexpr std::uint64_t kRelationSupported = std::uint64_t{1} << 62;
  constexpr std::uint64_t kSizeSupported = std::uint64_t{1} << 61;
  const bool several = (words[106] & 0x2000) != 0;
  const bool long_sectors = (words[106] & 0x1000) != 0;
  put(log, first + 16,
      kValid | (several ? kRelationSupported : 0) | (long_sectors ? kSizeSupported : 0) |
          std::uint64_t{words[106] & 0xFU} << 16 | (words[209] & 0x3FFFU),
      8);
  const std::uint64_t sector_words = long_sectors ? words[117] | std::uint64_t{words[118]} << 16 : 256;
  put(log, first + 24, kValid | sector_words * 2, 8);
}

// As in IDENTIFY DEVICE, two characters a word with the first in the upper byte.
void put_words(Bytes& log, std::size_t at, const IdentifyWords& words, std::size_t first, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) put(log, at + 2 * i, words[first + i], 2);
}

}  // namespace

Bytes identify_data_log(const IdentifyWords& words) {
  Bytes log = empty_pages(kIdentifyDataPages);
  std::size_t at = begin_page(log, kList) + 9;
  for (const std::uint8_t page : {kList, kCopy, kCapacity, kStrings}) {
    log[at++] = page;
    ++log[8];
  }
  put_words(log, kCopy * std::size_t{kSector_bytes}, words, 0, words.size());
  put_capacity(log, words);
  const std::size_t strings = begin_page(log, kStrings);
  put_words(log, strings + 8, words, 10, 10);
  put_words(log, strings + 32, words, 23, 4);
  put_words(log, strings + 48, words, 27, 20);
  return log;
}

}  // namespace ncqlab::drive
