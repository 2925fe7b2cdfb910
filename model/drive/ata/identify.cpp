#include "model/drive/ata/identify.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "model/drive/ata/registers.h"

namespace ncqlab::drive {

namespace {

using Words = IdentifyWords;

// Bits of words 78 and 79 for a mask of Serial ATA features: those numbered up to 7 stand at their number, DevSleep
// at 8.
std::uint16_t feature_word(std::uint32_t features) {
  const unsigned device_sleep = features >> static_cast<unsigned>(SataFeature::device_sleep) & 1;
  return static_cast<std::uint16_t>((features & 0xFE) | device_sleep << 8);
}

// What a drive is, whatever it can do. A real drive's words say it when the profile has them.
Words description(const Profile& profile) {
  if (profile.identify_words.size() == Words().size()) {
    Words words;
    std::copy(profile.identify_words.begin(), profile.identify_words.end(), words.begin());
    // What the model answers for is its own to say: a host must not be told of what would be aborted.
    for (const std::size_t word : {2,  59, 69, 75, 76, 77,  78,  79,  82,  83,  84,  85,  86, 87,
                                   89, 90, 91, 92, 94, 105, 119, 120, 128, 169, 206, 234, 235}) {
      words[word] = 0;
    }
    return words;
  }
  Words words{};
  words[0] = 0x0040;  // ATA device, fixed
  words[1] = 16383;   // the obsolete default translation: 16383/16/63 for every disk beyond 8.4 GB
  words[3] = 16;
  words[6] = 63;
  words[64] = 0x0003;                                                             // PIO 3 and 4
  for (const std::size_t cycle_time : {65, 66, 67, 68}) words[cycle_time] = 120;  // ns
  set_bits(words[80], {4, 5, 6, 7, 8});                                           // ATA/ATAPI-4 to ATA8-ACS
  // Rotation rate; 1: nothing turns.
  words[217] = profile.mechanics.flash ? 1 : static_cast<std::uint16_t>(std::lround(profile.mechanics.rpm));
  return words;
}

}  // namespace

void finish_identify(IdentifyWords& words) {
  if ((words[119] | words[120]) != 0) {
    for (const std::size_t word : {119, 120}) set_bits(words[word], {14});
    set_bits(words[86], {15});  // words 119 and 120 are valid
  }
  set_checksum(words);
}

std::uint32_t supported_sata_features(const Profile& profile) {
  const SerialAta& sata = profile.serial_ata;
  const auto bit = [](SataFeature feature, bool there) { return there ? 1U << static_cast<unsigned>(feature) : 0U; };
  return bit(SataFeature::buffer_offsets, sata.buffer_offsets) | bit(SataFeature::auto_activate, sata.auto_activate) |
         bit(SataFeature::device_power, sata.device_power) |
         bit(SataFeature::in_order_delivery, sata.in_order_delivery) | bit(SataFeature::settings_preservation, true) |
         bit(SataFeature::device_sleep, sata.device_sleep);
}

Words identify_words(const Profile& profile, const IdentifySettings& settings) {
  Words words = description(profile);
  const auto flags = [](std::initializer_list<unsigned> bits) {
    std::uint16_t value = 0;
    set_bits(value, bits);
    return value;
  };
  const auto set = [&](std::size_t word, std::initializer_list<unsigned> bits) { set_bits(words[word], bits); };

  if (profile.departures.sector_bytes_in_word_5) words[5] = kSector_bytes;
  put_string(words, 10, 10, profile.identity.serial);
  put_string(words, 23, 4, profile.identity.firmware);
  put_string(words, 27, 20, profile.identity.model);
  words[47] = 0x8000 | kMostMultipleSectors;
  words[49] = flags({8, 9, 11, 10, 13});  // DMA, LBA, IORDY supported and may be disabled, standard standby timer
  words[50] = flags({14});
  words[53] = flags({1, 2});  // words 64-70 and 88 are valid
  if (settings.multiple_sectors != 0) words[59] = static_cast<std::uint16_t>(0x0100 | settings.multiple_sectors);
  const auto lba28 = static_cast<std::uint32_t>(std::min<std::uint64_t>(profile.capacity_sectors, 0x0FFFFFFF));
  words[60] = static_cast<std::uint16_t>(lba28);
  words[61] = static_cast<std::uint16_t>(lba28 >> 16);
  words[63] = 0x0007;  // multiword DMA 0-2 supported
  const SerialAta& sata = profile.serial_ata;
  const bool ncq = profile.interface.ncq;
  const FeatureSets& features = profile.features;
  const bool trim = sata.trim_blocks != 0;
  if (trim) words[69] = flags({14});  // what a trimmed sector reads as does not change
  words[75] = static_cast<std::uint16_t>(profile.interface.queue_depth - 1);
  for (unsigned generation = 1; generation <= profile.interface.generation; ++generation) {
    words[76] = static_cast<std::uint16_t>(words[76] | 1U << generation);
  }
  if (ncq) set(76, {8});
  if (sata.host_power) set(76, {9});
  if (ncq && sata.ncq_priority) set(76, {12});
  if (sata.read_log_dma) set(76, {15});
  if (ncq && sata.ncq_management) set(77, {5});
  if (ncq && sata.ncq_send_receive) set(77, {6});
  words[78] = feature_word(supported_sata_features(profile));
  if (ncq && sata.ncq_autosense) set(78, {7});
  words[79] = feature_word(settings.sata_features);
  words[82] = flags({14, 6, 5, 3, 0});  // NOP, read look-ahead, write cache, power management, SMART
  words[83] = flags({14, 13, 12, 10});  // FLUSH CACHE EXT, FLUSH CACHE, 48-bit addresses
  words[84] = flags({14, 6, 5});        // WRITE DMA FUA EXT, general purpose log
  words[85] = flags({14, 3});
  if (settings.smart_enabled) set(85, {0});
  if (settings.write_cache_enabled) set(85, {5});
  if (settings.read_look_ahead_enabled) set(85, {6});
  words[86] = flags({13, 12, 10});
  words[87] = flags({14, 6, 5});
  words[88] = 0x407F;  // Ultra DMA 0-6, 6 selected: meaningless on SATA, expected by hosts
  for (std::size_t i = 0; i < 4; ++i) {
    words[100 + i] = static_cast<std::uint16_t>(profile.capacity_sectors >> (16 * i));
  }
  words[105] = static_cast<std::uint16_t>(sata.trim_blocks);
  // Logical sectors of 512 bytes; 2 to the power of bits 3:0 of them in a physical one (bit 13).
  words[106] = 0x4000;
  for (unsigned bytes = profile.physical_sectors.bytes; bytes > kSector_bytes; bytes /= 2) {
    words[106] = static_cast<std::uint16_t>((words[106] | 0x2000) + 1);
  }
  words[209] = static_cast<std::uint16_t>(
      profile.physical_sectors.bytes == kSector_bytes ? 0 : 0x4000 | profile.physical_sectors.lba_0_offset);
  if (sata.read_log_dma) words[119] = words[120] = flags({3});
  if (features.write_uncorrectable) {
    set(119, {2});
    set(120, {2});
  }
  if (features.buffers) {
    set(82, {13, 12});  // READ BUFFER, WRITE BUFFER
    set(85, {13, 12});
    set(69, {11, 10});  // and by DMA
  }
  if (features.phy_event_counters) set(76, {10});
  if (trim) words[169] = flags({0});
  finish_identify(words);
  return words;
}

}  // namespace ncqlab::drive
