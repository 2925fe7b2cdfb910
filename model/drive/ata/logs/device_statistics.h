// Log 04h, device statistics (ACS-3, Annex A): page 0 names the others, each holds quadwords with flags in their upper
// byte.
#pragma once

#include "model/drive/ata/bytes.h"
#include "model/drive/ata/smart/counts.h"
#include "model/drive/profile.h"

namespace ncqlab::drive {

inline constexpr unsigned kStatisticsPages = 8;  // 00h to 07h, of which 02h and 07h are empty

Bytes device_statistics_log(const Profile& profile, const LiveCounts& counts);

}  // namespace ncqlab::drive
