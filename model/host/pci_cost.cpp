#include "model/host/pci_cost.h"

#include <algorithm>

namespace ncqlab::host {

namespace {

constexpr std::uint64_t kPage = 4096;  // a bridge ends every PCI-X burst there
constexpr unsigned kIdleClock = 1;
constexpr unsigned kTurnAroundClock = 1;
constexpr unsigned kAttributeClock = 1;
constexpr unsigned kMediumDecodeClock = 1;      // beyond the earliest
constexpr unsigned kPciXResponseClocks = 2;     // decoding B
constexpr unsigned kSplitResponseClocks = 1;    // the target's answer to a read that it splits
constexpr unsigned kCompleterAddressClock = 1;  // a split completion addresses a requester, never 64 bits

// The dual address cycle above 4 GiB.
constexpr unsigned address_clocks(std::uint64_t address) { return address >> 32 == 0 ? 1 : 2; }

constexpr std::uint64_t words(std::uint64_t address, std::uint64_t bytes, unsigned word_bytes) {
  return (address % word_bytes + bytes + word_bytes - 1) / word_bytes;
}

// One PCI-X sequence: bursts, each `overhead` clocks and its data; the timer runs from the address phase, and where it
// has run out the burst goes on to the next boundary.
std::uint64_t sequence_clocks(const PciTiming& bus, std::uint64_t address, std::uint64_t bytes, unsigned overhead) {
  const unsigned word = bus.width_bits / 8;
  const unsigned timed_clocks = bus.latency_timer_clocks > overhead ? bus.latency_timer_clocks - overhead : 1;
  const std::uint64_t timed = std::uint64_t{word} * timed_clocks;
  std::uint64_t clocks = 0;
  for (std::uint64_t done = 0; done < bytes;) {
    const std::uint64_t at = address + done;
    const std::uint64_t to_boundary = (0 - (at + timed)) % kDisconnectBoundary_bytes;
    const std::uint64_t part = std::min({bytes - done, timed + to_boundary, kPage - at % kPage});
    clocks += overhead + words(at, part, word);
    done += part;
  }
  return clocks;
}

}  // namespace

std::uint64_t pci_clocks(const PciTiming& bus, const DmaAccess& piece) {
  const unsigned setup = address_clocks(piece.address) + kMediumDecodeClock +
                         (piece.to_memory ? bus.write_wait_clocks : kTurnAroundClock + bus.read_wait_clocks);
  const std::uint64_t data = words(piece.address, piece.bytes, bus.width_bits / 8);
  const std::uint64_t longest = bus.latency_timer_clocks > setup ? bus.latency_timer_clocks - setup : 1;
  const std::uint64_t bursts = (data + longest - 1) / longest;
  return bursts * (setup + kIdleClock) + data;
}

std::uint64_t pci_x_clocks(const PciTiming& bus, const DmaAccess& piece) {
  const unsigned request = address_clocks(piece.address) + kAttributeClock + kPciXResponseClocks;
  if (piece.to_memory) {
    return sequence_clocks(bus, piece.address, piece.bytes, request + bus.write_wait_clocks + kIdleClock);
  }
  const unsigned completion = kCompleterAddressClock + kAttributeClock + kPciXResponseClocks + kIdleClock;
  const std::uint64_t requests = (piece.bytes - 1) / bus.max_read_bytes + 1;
  std::uint64_t clocks = requests * (request + kSplitResponseClocks + kIdleClock);
  for (std::uint32_t done = 0; done < piece.bytes; done += bus.max_read_bytes) {
    const std::uint32_t part = std::min(piece.bytes - done, bus.max_read_bytes);
    clocks += sequence_clocks(bus, piece.address + done, part, completion);
  }
  return clocks;
}

unsigned pci_register_clocks(BusKind kind, bool read) {
  constexpr unsigned kData = 1;
  if (kind == BusKind::pci) return 1 + kMediumDecodeClock + (read ? kTurnAroundClock : 0) + kData + kIdleClock;
  return 1 + kAttributeClock + kPciXResponseClocks + kData + kIdleClock;
}

std::uint64_t longest_burst_clocks(BusKind kind, const PciTiming& bus) {
  const std::uint64_t timed = std::uint64_t{bus.latency_timer_clocks} + kIdleClock;
  return kind == BusKind::pci ? timed : timed + kDisconnectBoundary_bytes * 8 / bus.width_bits;
}

sim::Time pci_clock_period(const PciTiming& bus) {
  return bus.clock_mhz == 33 ? 30 * sim::kNanosecond : bus.clock_mhz == 66 ? 15 * sim::kNanosecond : 7'500;
}

}  // namespace ncqlab::host
