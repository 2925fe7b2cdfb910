// IDENTIFY DEVICE data (ACS-3, 7.12): what the driver and its callers want to know of a disk.
#pragma once

#include <cstdint>

namespace ncqlab::driver {

inline constexpr std::uint32_t kIdentify_bytes = 512;

// Strings are without padding and end with 0.
struct DeviceInfo {
  char model[41] = {};
  char serial[21] = {};
  char firmware[9] = {};
  std::uint64_t sectors = 0;  // logical; at most 2^48
  std::uint32_t logical_sector_bytes = 512;
  std::uint32_t physical_sector_bytes = 512;
  bool dma = false;
  bool ncq = false;
  unsigned queue_depth = 1;    // 1..32
  bool write_dma_fua = false;  // WRITE DMA FUA EXT; a device with NCQ has the FUA bit anyway
  bool write_cache_supported = false;
  bool write_cache_enabled = false;
  bool read_look_ahead_enabled = false;
};

enum class IdentifyResult : std::uint8_t {
  ok,
  bad_checksum,  // word 255 has the signature A5h and the sum isn't 0
  not_ata,       // word 0 bit 15
  no_lba48,      // the 48-bit feature set isn't there: this driver issues nothing else
  no_capacity,   // 0, or more than 2^48 sectors, or a sector size that is no power of two from 512 to 32768
};

// `data` are the kIdentify_bytes as the device sent them. `info` is meaningful only for `ok`.
IdentifyResult parse_identify(const std::uint8_t* data, DeviceInfo& info);

}  // namespace ncqlab::driver
