// Logs of the queue: 10h the error that halted it, 12h and 13h what its management offers (SATA 3.x, 13.7).
#pragma once

#include <cstdint>

#include "model/drive/ata/bytes.h"
#include "model/drive/profile.h"

namespace ncqlab::drive {

// What log 10h tells of the error that halted the queue: the shadow registers as they were reported (SATA 3.x, 13.7).
struct NcqError {
  bool non_queued = true;  // NQ: a non-queued command was at fault, the tag says nothing
  std::uint8_t tag = 0;
  std::uint8_t status = 0;
  std::uint8_t error = 0;
  std::uint64_t lba = 0;
  std::uint8_t device = 0;
  std::uint16_t count = 0;
};

Bytes ncq_error_log(const Profile& profile, const NcqError& error);
Bytes ncq_non_data_log();
Bytes ncq_send_receive_log(const Profile& profile);

}  // namespace ncqlab::drive
