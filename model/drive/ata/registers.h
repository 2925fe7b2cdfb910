// Bits of the ATA registers (ACS-3, 6.2 status, 6.3 error; SATA 3.x, 13 for what SET FEATURES numbers).
#pragma once

#include <cstdint>

namespace ncqlab::drive {

inline constexpr std::uint8_t kStatusBsy = 0x80;
inline constexpr std::uint8_t kStatusDrdy = 0x40;
inline constexpr std::uint8_t kStatusDf = 0x20;
inline constexpr std::uint8_t kStatusDsc = 0x10;
inline constexpr std::uint8_t kStatusDrq = 0x08;
inline constexpr std::uint8_t kStatusSense = 0x02;  // sense data are there to be read (ACS-3, 6.2)
inline constexpr std::uint8_t kStatusErr = 0x01;
inline constexpr std::uint8_t kStatusGood = kStatusDrdy | kStatusDsc;

inline constexpr std::uint8_t kErrorIcrc = 0x80;  // the data were damaged on the link
inline constexpr std::uint8_t kErrorUnc = 0x40;   // a sector cannot be read
inline constexpr std::uint8_t kErrorIdnf = 0x10;  // an address behind the last
inline constexpr std::uint8_t kErrorAbrt = 0x04;

inline constexpr std::uint8_t kDeviceLba = 0x40;
inline constexpr std::uint8_t kDeviceFua = 0x80;  // of FPDMA QUEUED commands

// Serial ATA features of SET FEATURES 10h and 90h; the same numbers are bits of IDENTIFY DEVICE words 78 and 79 but
// where said otherwise.
enum class SataFeature : std::uint8_t {
  buffer_offsets = 1,
  auto_activate = 2,
  device_power = 3,
  in_order_delivery = 4,
  asynchronous_notification = 5,
  settings_preservation = 6,
  device_automatic_slumber = 7,
  device_sleep = 9,  // word 78 bit 8
};

}  // namespace ncqlab::drive
