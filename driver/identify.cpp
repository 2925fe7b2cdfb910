#include "driver/identify.h"

namespace ncqlab::driver {
namespace {

constexpr std::uint64_t kMostSectors = std::uint64_t{1} << 48;
constexpr std::uint32_t kMostSectorBytes = 32768;

class Words {
 public:
  explicit Words(const std::uint8_t* data) : data_(data) {}

  std::uint32_t word(unsigned index) const {
    return static_cast<std::uint32_t>(data_[2 * index] | data_[2 * index + 1] << 8);
  }
  std::uint32_t dword(unsigned index) const { return word(index) | word(index + 1) << 16; }
  bool flag(unsigned index, unsigned bit_number) const { return (word(index) >> bit_number & 1U) != 0; }
  // Words 83, 84, 87 and 106 hold something only when bits 15:14 are 01.
  bool valid(unsigned index) const { return word(index) >> 14 == 1; }
  bool valid_flag(unsigned index, unsigned bit_number) const { return valid(index) && flag(index, bit_number); }

 private:
  const std::uint8_t* data_;
};

// ATA strings have the first character of each pair in the upper byte of the word (ACS-3, 3.4.9), padded with spaces.
// What isn't printable becomes a question mark: these strings go into logs.
void parse_string(const Words& words, unsigned first, unsigned count, char* out) {
  unsigned end = 0;
  for (unsigned i = 0; i < 2 * count; ++i) {
    const std::uint32_t word = words.word(first + i / 2);
    const char c = static_cast<char>(i % 2 == 0 ? word >> 8 : word & 0xFF);
    out[i] = c >= ' ' && c <= '~' ? c : '?';
    if (c == '\0') out[i] = ' ';
    if (out[i] != ' ') end = i + 1;
  }
  out[end] = '\0';
  unsigned begin = 0;
  while (out[begin] == ' ') ++begin;
  if (begin == 0) return;
  for (unsigned i = begin; i <= end; ++i) out[i - begin] = out[i];
}

// Word 255: signature A5h in the lower byte, and then all 512 bytes add up to 0.
bool checksum_fits(const std::uint8_t* data) {
  if (data[510] != 0xA5) return true;
  std::uint8_t sum = 0;
  for (unsigned i = 0; i < kIdentify_bytes; ++i) sum = static_cast<std::uint8_t>(sum + data[i]);
  return sum == 0;
}

// Words 106, 117-118: the logical sector in words when it is longer than 256 of them, and its ratio to the physical.
bool parse_sector_sizes(const Words& words, DeviceInfo& info) {
  info.logical_sector_bytes = 512;
  info.physical_sector_bytes = 512;
  if (!words.valid(106)) return true;
  if (words.flag(106, 12)) {
    const std::uint32_t size_words = words.dword(117);
    if (size_words < 256 || size_words > kMostSectorBytes / 2 || (size_words & (size_words - 1U)) != 0) return false;
    info.logical_sector_bytes = size_words * 2;
  }
  info.physical_sector_bytes = info.logical_sector_bytes;
  if (words.flag(106, 13)) info.physical_sector_bytes <<= words.word(106) & 0xF;
  return true;
}

// Word 76 (Serial ATA capabilities) says nothing when it is 0 or FFFFh.
void parse_queueing(const Words& words, DeviceInfo& info) {
  const std::uint32_t capabilities = words.word(76);
  info.ncq = capabilities != 0 && capabilities != 0xFFFF && words.flag(76, 8);
  info.queue_depth = info.ncq ? (words.word(75) & 0x1F) + 1U : 1U;
}

}  // namespace

IdentifyResult parse_identify(const std::uint8_t* data, DeviceInfo& info) {
  const Words words(data);
  if (!checksum_fits(data)) return IdentifyResult::bad_checksum;
  if (words.flag(0, 15)) return IdentifyResult::not_ata;
  if (!words.valid_flag(83, 10)) return IdentifyResult::no_lba48;
  parse_string(words, 10, 10, info.serial);
  parse_string(words, 23, 4, info.firmware);
  parse_string(words, 27, 20, info.model);
  info.sectors = words.dword(100) | static_cast<std::uint64_t>(words.dword(102)) << 32;
  if (info.sectors == 0 || info.sectors > kMostSectors) return IdentifyResult::no_capacity;
  if (!parse_sector_sizes(words, info)) return IdentifyResult::no_capacity;
  info.dma = words.flag(49, 8);
  parse_queueing(words, info);
  info.write_dma_fua = words.valid_flag(84, 6);
  info.write_cache_supported = words.flag(82, 5);
  info.write_cache_enabled = words.flag(85, 5);
  info.read_look_ahead_enabled = words.flag(85, 6);
  return IdentifyResult::ok;
}

}  // namespace ncqlab::driver
