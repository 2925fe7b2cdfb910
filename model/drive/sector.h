// The unit of every count of sectors in this folder, whatever the sectors of the medium.
#pragma once

#include <cstdint>

namespace ncqlab::drive {

inline constexpr std::uint32_t kSector_bytes = 512;

}  // namespace ncqlab::drive
