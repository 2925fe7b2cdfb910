#include "model/drive/optical/identify_packet.h"

#include "model/drive/ata/identify_words.h"
#include "model/drive/ata/registers.h"

namespace ncqlab::drive {

std::uint32_t supported_sata_features(const OpticalProfile& profile) {
  return profile.asynchronous_notification ? 1U << static_cast<unsigned>(SataFeature::asynchronous_notification) : 0;
}

IdentifyWords identify_packet_words(const OpticalProfile& profile, std::uint32_t sata_features) {
  IdentifyWords words{};
  words[0] = 0x85C0;  // a removable CD or DVD drive, DRQ within 50 us, packets of 12 bytes
  put_string(words, 10, 10, profile.identity.serial);
  put_string(words, 23, 4, profile.identity.firmware);
  put_string(words, 27, 20, profile.identity.model);
  words[49] = 0x0B00;  // DMA, LBA, IORDY
  words[50] = 0x4000;
  words[53] = 0x0006;  // words 64-70 and 88 are valid
  if (profile.dma_direction_required) words[62] = 0x8000;
  words[63] = 0x0007;                                                             // multiword DMA 0-2
  words[64] = 0x0003;                                                             // PIO 3 and 4
  for (const std::size_t cycle_time : {65, 66, 67, 68}) words[cycle_time] = 120;  // ns
  for (unsigned generation = 1; generation <= profile.generation; ++generation) {
    words[76] = static_cast<std::uint16_t>(words[76] | 1U << generation);
  }
  if (profile.host_power) words[76] = static_cast<std::uint16_t>(words[76] | 1U << 9);
  words[78] = static_cast<std::uint16_t>(supported_sata_features(profile));
  words[79] = static_cast<std::uint16_t>(sata_features);
  words[80] = 0x01F0;              // ATA/ATAPI-4 to ATA8-ACS
  words[82] = words[85] = 0x4218;  // NOP, DEVICE RESET, PACKET, power management
  words[83] = words[84] = words[87] = 0x4000;
  words[88] = 0x407F;  // Ultra DMA 0-6, 6 selected: meaningless on SATA, expected by hosts
  set_checksum(words);
  return words;
}

}  // namespace ncqlab::drive
