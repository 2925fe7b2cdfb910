// Pages of the general purpose log (ACS-3, Annex A; SATA 3.x, 13.7), as bytes.
#pragma once

#include <cstdint>
#include <vector>

#include "model/drive/profile.h"

namespace ncqlab::drive {

// Log addresses.
inline constexpr std::uint8_t kLogDirectory = 0x00;
inline constexpr std::uint8_t kLogNcqError = 0x10;
inline constexpr std::uint8_t kLogNcqNonData = 0x12;
inline constexpr std::uint8_t kLogNcqSendReceive = 0x13;

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

// `pages` pages of 512 bytes from `page` on; empty when there is no such log or not that many pages.
std::vector<std::uint8_t> read_log(const Profile& profile, const NcqError& error, std::uint8_t address,
                                   std::uint16_t page, std::uint32_t pages);

}  // namespace ncqlab::drive
