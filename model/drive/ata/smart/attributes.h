// SMART attributes and thresholds: what the profile says of them, and the counts of this very drive on top.
//
// The raw values of attributes that this library knows by their usual numbers (04h start/stop, 05h reallocated, 09h
// power-on hours, 0Ch power cycles, BBh reported uncorrectable, C1h load cycles, C2h temperature, C5h pending, C6h
// offline uncorrectable, C7h CRC errors) go on from the profile's; all others stay as the profile has them. Each
// reallocated or pending sector takes one from the value of its attribute.
#pragma once

#include "model/drive/ata/bytes.h"
#include "model/drive/ata/profile.h"
#include "model/drive/ata/smart/counts.h"

namespace ncqlab::drive {

// SMART READ DATA, its first 362 bytes; the rest of the page is zero.
Bytes attributes_page(const Smart& smart, const LiveCounts& counts);
// SMART READ THRESHOLDS, whole.
Bytes thresholds_page(const Smart& smart);
// An attribute that foretells a failure has come down to its threshold.
bool threshold_exceeded(const Smart& smart, const LiveCounts& counts);

}  // namespace ncqlab::drive
