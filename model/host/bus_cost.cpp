#include "model/host/bus_cost.h"

#include <stdexcept>

#include "model/host/pci_cost.h"
#include "model/host/pcie_cost.h"

namespace ncqlab::host {

namespace {

void require(bool fulfilled, const char* what) {
  if (!fulfilled) throw std::invalid_argument(what);
}

constexpr bool power_of_two(std::uint32_t value, std::uint32_t least, std::uint32_t most) {
  return (value & (value - 1)) == 0 && least <= value && value <= most;
}

void check_pci(BusKind kind, const PciTiming& bus) {
  const unsigned slow = kind == BusKind::pci ? 33 : 66;
  const unsigned fast = kind == BusKind::pci ? 66 : 133;
  require(bus.clock_mhz == slow || bus.clock_mhz == fast, "a bus with a clock that PCI or PCI-X does not have");
  require(bus.width_bits == 32 || bus.width_bits == 64, "a PCI bus is 32 or 64 bits wide");
  require(bus.latency_timer_clocks != 0, "a PCI bus with a latency timer of 0");
  require(power_of_two(bus.max_read_bytes, 512, 4096), "a PCI-X read of another size than 512, 1024, 2048 or 4096");
}

void check_pcie(const PcieTiming& link) {
  require(link.generation >= 1 && link.generation <= 3, "a PCIe generation other than 1, 2 and 3");
  require(power_of_two(link.lanes, 1, 16), "a PCIe link of another width than 1, 2, 4, 8 or 16 lanes");
  require(power_of_two(link.max_payload_bytes, 128, 4096), "a PCIe payload other than 128, 256 .. 4096");
  require(power_of_two(link.max_read_request_bytes, 128, 4096), "a PCIe read request other than 128, 256 .. 4096");
  require(power_of_two(link.read_completion_boundary_bytes, 64, 128), "a read completion boundary is 64 or 128");
}

}  // namespace

BusCost::BusCost(const BusProfile& profile) : profile_(profile), shared_(!profile.full_duplex) {
  switch (profile.kind) {
    case BusKind::custom:
      require(profile.bandwidth_bytes_per_second != 0, "a bus without bandwidth");
      require(profile.max_burst_bytes != 0, "a bus with bursts of 0 bytes");
      break;
    case BusKind::pcie:
      check_pcie(profile.pcie);
      shared_ = false;
      break;
    case BusKind::pci:
    case BusKind::pci_x: {
      check_pci(profile.kind, profile.pci);
      shared_ = true;
      const sim::Time clock = pci_clock_period(profile.pci);
      register_read_ = clock * pci_register_clocks(profile.kind, true);
      register_write_ = clock * pci_register_clocks(profile.kind, false);
      longest_burst_ = clock * static_cast<sim::Time>(longest_burst_clocks(profile.kind, profile.pci));
      break;
    }
  }
}

Occupancy BusCost::named(const DmaAccess* pieces, std::size_t count) const {
  if (profile_.kind == BusKind::pcie) {
    PcieBytes bytes;
    for (std::size_t i = 0; i < count; ++i) add_pcie_piece(profile_.pcie, pieces[i], bytes);
    return {pcie_time(profile_.pcie, bytes.requests), pcie_time(profile_.pcie, bytes.data),
            pcie_time(profile_.pcie, bytes.answers)};
  }
  std::uint64_t clocks = kArbitrationClocks;
  for (std::size_t i = 0; i < count; ++i) {
    clocks +=
        profile_.kind == BusKind::pci ? pci_clocks(profile_.pci, pieces[i]) : pci_x_clocks(profile_.pci, pieces[i]);
  }
  return {0, pci_clock_period(profile_.pci) * static_cast<sim::Time>(clocks), 0};
}

}  // namespace ncqlab::host
