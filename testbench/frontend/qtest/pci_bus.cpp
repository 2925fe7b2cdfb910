#include "testbench/frontend/qtest/pci_bus.h"

namespace ncqlab::qtest {

namespace {

constexpr std::uint32_t kEnable = 1U << 31;
constexpr std::uint32_t kBusMask = 0xFF'0000;
constexpr std::uint16_t kDataPort = 0xCFC;

// The first dwords of a header of type 0: IDs, command and status, class and revision, header type.
struct Header {
  unsigned place;
  std::array<std::uint32_t, 4> dwords;
};
constexpr Header kBridges[] = {
    {0x00, {0x29C0'8086, 0, 0x0600'0000, 0}},               // Intel 82G33/G31/P35/P31 host bridge, QEMU's q35
    {0x1F << 3, {0x2918'8086, 0, 0x0601'0002, 0x80'0000}},  // Intel 82801IB LPC interface; several functions
};

std::uint32_t lanes(std::uint32_t dword, std::uint32_t offset, unsigned bytes) {
  const std::uint64_t mask = (1ULL << (8 * bytes)) - 1;
  return static_cast<std::uint32_t>(std::uint64_t{dword} >> (8 * (offset % 4)) & mask);
}

}  // namespace

PciBus::PciBus(hba::PciFunction& ahci, const hba::PciProfile& place)
    : ahci_(&ahci), ahci_place_(place.device_number << 3 | place.function_number) {}

std::uint32_t PciBus::read(unsigned function, std::uint32_t offset, unsigned bytes) const {
  if (function == ahci_place_) return ahci_->config_read(offset, bytes);
  for (const Header& bridge : kBridges) {
    if (bridge.place != function) continue;
    return offset / 4 < bridge.dwords.size() ? lanes(bridge.dwords[offset / 4], offset, bytes) : 0;
  }
  return lanes(0xFFFF'FFFF, 0, bytes);
}

void PciBus::write(unsigned function, std::uint32_t offset, std::uint32_t value, unsigned bytes) {
  if (function == ahci_place_) ahci_->config_write(offset, value, bytes);
}

bool PciBus::addressed() const { return (address_ & kEnable) != 0 && (address_ & kBusMask) == 0; }

// CONFIG_ADDRESS's two lowest bits are 0 on hardware; QEMU keeps them, and qtest clients name a byte with them.
std::uint32_t PciBus::port_read(std::uint16_t port, unsigned bytes) const {
  if (port < kDataPort) return port == 0xCF8 && bytes == 4 ? address_ : lanes(0xFFFF'FFFF, 0, bytes);
  if (!addressed()) return lanes(0xFFFF'FFFF, 0, bytes);
  return read(address_ >> 8 & 0xFF, (address_ & 0xFF) | (port & 3U), bytes);
}

void PciBus::port_write(std::uint16_t port, std::uint32_t value, unsigned bytes) {
  if (port < kDataPort) {
    if (port == 0xCF8 && bytes == 4) address_ = value;
    return;
  }
  if (addressed()) write(address_ >> 8 & 0xFF, (address_ & 0xFF) | (port & 3U), value, bytes);
}

}  // namespace ncqlab::qtest
