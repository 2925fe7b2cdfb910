// What a transfer costs on a PCI or PCI-X bus, in clocks of the one medium that all share.
//
// Sources: PCI Local Bus Specification 2.3, 3.2 and 3.3 (an address phase, a second one above 4 GiB, a turn-around
// before the data of a read, an idle clock between transactions), 3.5 (latency timer); PCI-X Addendum 1.0a, 2
// (attribute phase, split reads, byte counts, disconnection at multiples of 128 bytes). Intel's 41210 bridge
// manual, 3.2.7 and 3.3, says the same of a real one: the latency timer ends a burst at the next such boundary, and 4
// KiB end every burst.
//
// Estimates: medium decoding (PCI) and decoding B (PCI-X); two clocks from a request to the grant for each transfer,
// the later bursts' arbitration being hidden; the arbiter withdraws its grant during every burst, so the latency timer
// always counts; a bridge prefetches a PCI read as a delayed transaction, so only its wait clocks hold the bus.
#pragma once

#include <cstdint>

#include "model/host/bus_profile.h"
#include "model/host/dma_target.h"

namespace ncqlab::host {

inline constexpr unsigned kArbitrationClocks = 2;
inline constexpr std::uint32_t kDisconnectBoundary_bytes = 128;  // PCI-X

// One piece of a transfer, without arbitration.
std::uint64_t pci_clocks(const PciTiming& bus, const DmaAccess& piece);
std::uint64_t pci_x_clocks(const PciTiming& bus, const DmaAccess& piece);

// One register access of 32 bits by the processor's bridge; the controller answers without wait clocks.
unsigned pci_register_clocks(BusKind kind, bool read);

// The most clocks that one burst holds the bus.
std::uint64_t longest_burst_clocks(BusKind kind, const PciTiming& bus);

// 33 MHz is a period of 30 ns, 66 MHz 15 ns, 133 MHz 7.5 ns.
sim::Time pci_clock_period(const PciTiming& bus);

}  // namespace ncqlab::host
