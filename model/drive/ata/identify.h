// IDENTIFY DEVICE data (ACS-3, 7.12.7), built from a profile and the settings that change at run time.
#pragma once

#include <cstdint>

#include "model/drive/ata/identify_words.h"
#include "model/drive/profile.h"

namespace ncqlab::drive {

struct IdentifySettings {
  bool write_cache_enabled = true;
  bool read_look_ahead_enabled = true;
  bool smart_enabled = true;
  std::uint8_t multiple_sectors = 0;  // SET MULTIPLE MODE; 0: not set
  std::uint32_t sata_features = 0;    // bit n: SataFeature n is enabled
};

// The largest DRQ block of READ and WRITE MULTIPLE, word 47: one Data FIS.
inline constexpr std::uint8_t kMostMultipleSectors = 16;

// Bit n: SET FEATURES 10h can enable SataFeature n.
std::uint32_t supported_sata_features(const Profile& profile);

// 256 words in host order, complete but for what the optional feature sets add. A profile with a real drive's words
// takes from them what this library does not answer for.
IdentifyWords identify_words(const Profile& profile, const IdentifySettings& settings);
// Marks words 119 and 120 valid when they say something, and sets the checksum.
void finish_identify(IdentifyWords& words);

}  // namespace ncqlab::drive
