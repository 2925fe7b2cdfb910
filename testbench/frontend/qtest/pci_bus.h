// PCI bus 0 of the machine: whose configuration space an access reaches (PCI 3.0, 3.2.2.3.2; PCI Express Base, 7.2.2).
#pragma once

#include <array>
#include <cstdint>

#include "model/hba/pci/pci_function.h"

namespace ncqlab::qtest {

class PciBus {
 public:
  // The host bridge at 00.0 and the ISA bridge at 1f.0, of which there is nothing but their headers, so that software
  // that walks the bus finds function 2 of device 31. `ahci` is placed where its profile says.
  explicit PciBus(hba::PciFunction& ahci, const hba::PciProfile& place);

  // `function` is device * 8 + function. `bytes` is 1 to 4.
  std::uint32_t read(unsigned function, std::uint32_t offset, unsigned bytes) const;
  void write(unsigned function, std::uint32_t offset, std::uint32_t value, unsigned bytes);

  // Configuration mechanism #1: CONFIG_ADDRESS at CF8h (a dword), CONFIG_DATA at CFCh to CFFh.
  static bool owns_port(std::uint16_t port) { return port >= 0xCF8 && port <= 0xCFF; }
  std::uint32_t port_read(std::uint16_t port, unsigned bytes) const;
  void port_write(std::uint16_t port, std::uint32_t value, unsigned bytes);

 private:
  bool addressed() const;

  hba::PciFunction* ahci_;
  unsigned ahci_place_;
  std::uint32_t address_ = 0;  // CONFIG_ADDRESS
};

}  // namespace ncqlab::qtest
