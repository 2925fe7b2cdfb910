// What a transfer puts on a PCI Express link, in bytes of each direction.
//
// Sources: PCI Express Base Specification 1.1 and 3.0: chapter 2 (TLP headers of 12 and 16 bytes, no request crosses
// 4 KiB, completions end at the read completion boundary), chapter 3 (sequence number 2 bytes, LCRC 4, DLLP of 6
// bytes), chapter 4 (framing symbols, 8b/10b; from 8 GT/s on a token of 4 bytes that holds the sequence number, and
// 128b/130b). The sums are those of Neugebauer and others, "Understanding PCIe performance for end host networking",
// SIGCOMM 2018.
//
// Estimates: a root complex ends each completion at the first boundary it meets, as Intel's chipsets do with 64 bytes;
// each TLP is answered by one Ack and one UpdateFC, as on a link whose buffers are small; the SKP ordered sets (0.3 %)
// are left out.
#pragma once

#include <cstdint>

#include "model/host/bus_profile.h"
#include "model/host/dma_target.h"

namespace ncqlab::host {

// Start framing, sequence number, LCRC and end framing of 2.5 and 5 GT/s; token and LCRC of 8 GT/s: 8 bytes both.
inline constexpr std::uint32_t kTlpFraming_bytes = 8;
inline constexpr std::uint32_t kDllp_bytes = 8;  // with its framing symbols or token
inline constexpr std::uint32_t kCompletionHeader_bytes = 12;

// The header of a memory request: four dwords for an address that needs more than 32 bits.
constexpr std::uint32_t request_header_bytes(std::uint64_t address) { return address >> 32 == 0 ? 12 : 16; }

struct PcieBytes {
  std::uint64_t requests = 0;  // to the root complex, before a read's data
  std::uint64_t data = 0;      // in the direction of the data: TLPs, and DLLPs that answer requests
  std::uint64_t answers = 0;   // against the direction of the data: DLLPs that answer its TLPs
};

// Adds one piece.
void add_pcie_piece(const PcieTiming& link, const DmaAccess& piece, PcieBytes& sum);

// How long so many bytes take on the lanes.
sim::Time pcie_time(const PcieTiming& link, std::uint64_t bytes);

}  // namespace ncqlab::host
