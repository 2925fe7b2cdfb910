// IDENTIFY PACKET DEVICE data (ACS-3, 7.13.6), built from an optical drive's profile and settings.
#pragma once

#include <array>
#include <cstdint>

#include "model/drive/optical/profile.h"

namespace ncqlab::drive {

// 256 words in host order; the checksum word 255 is set. `sata_features`: bit n, SataFeature n is enabled.
std::array<std::uint16_t, 256> identify_packet_words(const OpticalProfile& profile, std::uint32_t sata_features);

// Bit n: SET FEATURES 10h can enable SataFeature n.
std::uint32_t supported_sata_features(const OpticalProfile& profile);

}  // namespace ncqlab::drive
