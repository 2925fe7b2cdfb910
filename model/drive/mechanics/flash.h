// A drive without mechanics, in terms of the one model that there is.
#pragma once

#include <cstdint>

#include "model/drive/mechanics/profile.h"

namespace ncqlab::drive {

// One surface of tracks that follow each other without a gap and pass at the flash's rate; MechanicsTables know that
// nothing turns. bytes_per_second > 0.
Mechanics flash_mechanics(const Flash& flash, std::uint64_t capacity_sectors);

}  // namespace ncqlab::drive
