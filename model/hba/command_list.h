// The command list in guest memory: command header (AHCI 1.3.1, 4.2.2) and command table (4.2.3), decoded from bytes.
#pragma once

#include <cstdint>

namespace ncqlab::hba {

inline constexpr std::uint32_t kCommandHeader_bytes = 32;
inline constexpr std::uint32_t kByteCountOffset = 4;  // PRDBC in the header
inline constexpr std::uint32_t kAtapiOffset = 0x40;   // ACMD in the table
inline constexpr std::uint32_t kAtapi_bytes = 16;
inline constexpr std::uint32_t kPrdTableOffset = 0x80;
inline constexpr std::uint32_t kPrd_bytes = 16;
inline constexpr std::uint32_t kCommandFisMax_bytes = 64;

inline std::uint32_t load32(const std::uint8_t* at) {
  return at[0] | std::uint32_t{at[1]} << 8 | std::uint32_t{at[2]} << 16 | std::uint32_t{at[3]} << 24;
}

inline void store32(std::uint8_t* at, std::uint32_t value) {
  for (unsigned i = 0; i < 4; ++i) at[i] = static_cast<std::uint8_t>(value >> (8 * i));
}

struct CommandHeader {
  std::uint32_t description = 0;  // DW0
  std::uint64_t table = 0;        // CTBA, 128-byte aligned

  std::uint32_t fis_dwords() const { return description & 0x1F; }  // CFL
  bool atapi() const { return (description & 1U << 5) != 0; }
  bool write() const { return (description & 1U << 6) != 0; }
  bool bist() const { return (description & 1U << 9) != 0; }
  bool reset() const { return (description & 1U << 8) != 0; }
  bool clear_busy() const { return (description & 1U << 10) != 0; }
  std::uint8_t pm_port() const { return static_cast<std::uint8_t>(description >> 12 & 0xF); }
  std::uint32_t prds() const { return description >> 16; }  // PRDTL
};

inline CommandHeader decode_command_header(const std::uint8_t* bytes, bool addresses_64bit) {
  CommandHeader header;
  header.description = load32(bytes);
  header.table = load32(bytes + 8) & ~0x7FU;
  if (addresses_64bit) header.table |= std::uint64_t{load32(bytes + 12)} << 32;
  return header;
}

// Physical region descriptor, 4.2.3.3.
struct Prd {
  std::uint64_t address = 0;  // even
  std::uint32_t bytes = 0;    // 2 bytes to 4 MiB, even
  bool interrupt = false;
  bool count_malformed = false;  // bit 0 of the count was 0; taken as 1
  bool address_odd = false;      // bit 0 of the address was 1; taken as 0
};

inline Prd decode_prd(const std::uint8_t* bytes, bool addresses_64bit) {
  const std::uint32_t count = load32(bytes + 12);
  Prd prd;
  prd.address = load32(bytes) & ~1U;
  if (addresses_64bit) prd.address |= std::uint64_t{load32(bytes + 4)} << 32;
  prd.bytes = ((count & 0x3FFFFF) | 1) + 1;
  prd.interrupt = (count & 1U << 31) != 0;
  prd.count_malformed = (count & 1) == 0;
  prd.address_odd = (bytes[0] & 1) != 0;
  return prd;
}

}  // namespace ncqlab::hba
