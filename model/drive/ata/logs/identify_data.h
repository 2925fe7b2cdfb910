// Log 30h, IDENTIFY DEVICE data (ACS-3, Annex A): page 00h names the others, 01h is a copy of IDENTIFY DEVICE, 02h the
// capacity, 05h the strings. What they say comes from the 256 words, so that both always agree.
#pragma once

#include "model/drive/ata/bytes.h"
#include "model/drive/ata/identify_words.h"

namespace ncqlab::drive {

inline constexpr unsigned kIdentifyDataPages = 6;  // 00h to 05h; pages that are not named are empty

Bytes identify_data_log(const IdentifyWords& words);

}  // namespace ncqlab::drive
