// IDENTIFY DEVICE data (ACS-3, 7.12.7), built from a profile and the settings that change at run time.
#pragma once

#include <array>
#include <cstdint>

#include "model/drive/profile.h"

namespace ncqlab::drive {

struct IdentifySettings {
  bool write_cache_enabled = true;
  bool read_look_ahead_enabled = true;
};

// 256 words in host order; the checksum word 255 is set.
std::array<std::uint16_t, 256> identify_words(const Profile& profile, const IdentifySettings& settings);

}  // namespace ncqlab::drive
