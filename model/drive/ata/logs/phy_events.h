// Log 11h, the PHY event counters (SATA 3.x, 13.7): entries of a 16-bit identifier and a counter of 32 bits that stays
// at its highest value. READ LOG EXT with features(0) = 1 sets all to zero after it has read them.
#pragma once

#include "model/drive/ata/bytes.h"
#include "model/drive/ata/smart/counts.h"

namespace ncqlab::drive {

// Counts since `base`.
Bytes phy_events_log(const LiveCounts& counts, const LiveCounts& base);

}  // namespace ncqlab::drive
