// The board around the controller, as much of QEMU's q35 as a qtest client that drives AHCI looks at: RAM, PCI
// configuration by ports and by memory, the controller's BARs at the addresses programmed, fw_cfg, and the wire to the
// I/O APIC.
#pragma once

#include <cstdint>
#include <vector>

#include "model/hba/pci/pci_function.h"
#include "model/host/dma_target.h"
#include "testbench/frontend/qtest/fw_cfg.h"
#include "testbench/frontend/qtest/guest.h"
#include "testbench/frontend/qtest/pci_bus.h"
#include "testbench/frontend/qtest/ram.h"

namespace ncqlab::qtest {

class Q35 final : public hba::PciHost, public host::DmaTarget {
 public:
  struct Parts {
    sim::EventQueue& queue;
    sim::Trace& trace;
    sata::FramePool& frames;
    const hba::ControllerProfile& profile;
    std::uint64_t ram_bytes;
  };
  explicit Q35(const Parts& parts);

  hba::Controller& controller() { return ahci_.controller(); }

  // As in Guest.
  std::uint32_t port_read(std::uint16_t port, unsigned bytes);
  void port_write(std::uint16_t port, std::uint32_t value, unsigned bytes);
  void memory_read(std::uint64_t address, std::uint8_t* to, std::size_t bytes);
  void memory_write(std::uint64_t address, const std::uint8_t* from, std::size_t bytes);
  std::vector<IrqEdge> take_irq_edges();

  // hba::PciHost
  void interrupt_line(bool asserted) override;
  void interrupt_message(std::uint64_t address, std::uint32_t data) override;
  // host::DmaTarget: RAM, and the controller's own registers, whose handlers only post events.
  Answer access(const host::DmaAccess& access, host::DmaCompletion* completion) override;

 private:
  // One register's worth at most, aligned to its size.
  static unsigned piece(std::uint64_t address, std::uint64_t bytes);
  bool is_configuration(std::uint64_t address) const;
  std::uint32_t register_read(std::uint64_t address, unsigned bytes);
  void register_write(std::uint64_t address, std::uint32_t value, unsigned bytes);

  Ram ram_;
  hba::PciFunction ahci_;
  PciBus pci_;
  FwCfg fw_cfg_;
  unsigned irq_;
  std::vector<IrqEdge> edges_;
};

}  // namespace ncqlab::qtest
