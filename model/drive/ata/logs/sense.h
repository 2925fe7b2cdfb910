// How the bits of the error register translate into SCSI sense data (SAT-3), for log 10h and REQUEST SENSE DATA EXT.
#pragma once

#include <cstdint>

#include "model/drive/ata/registers.h"

namespace ncqlab::drive {

struct Sense {
  std::uint8_t key = 0, code = 0, qualifier = 0;
};

inline Sense sense_of(std::uint8_t error) {
  if ((error & kErrorUnc) != 0) return {0x3, 0x11, 0x00};   // medium error, unrecovered read error
  if ((error & kErrorIcrc) != 0) return {0xB, 0x47, 0x00};  // aborted command, parity error
  if ((error & kErrorIdnf) != 0) return {0x5, 0x21, 0x00};  // illegal request, LBA out of range
  if ((error & kErrorAbrt) != 0) return {0xB, 0x00, 0x00};  // aborted command
  return {};
}

}  // namespace ncqlab::drive
