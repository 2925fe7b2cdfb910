// One number for what the script left on a disk.
#pragma once

#include <cstdint>

#include "model/drive/ata/drive.h"
#include "script.h"

namespace example {

inline std::uint32_t checksum(const ncqlab::drive::Drive& disk) {
  std::uint32_t sum = 1;
  std::uint8_t sector[kSector_bytes];
  for (const Command& command : kScript) {
    for (std::uint32_t i = 0; i < command.sectors; ++i) {
      disk.contents().read(command.lba + i, 1, sector);
      for (const std::uint8_t byte : sector) sum = sum * 16777619U ^ byte;
    }
  }
  return sum;
}

}  // namespace example
