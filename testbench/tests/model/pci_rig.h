// A controller as PCI function with the notes of what it asked of its host, for tests of the PCI side.
#pragma once

#include <cstdint>
#include <vector>

#include "model/hba/pci/pci_function.h"
#include "testbench/tests/model/hba_rig.h"

namespace ncqlab::test {

class PciHostNotes final : public hba::PciHost {
 public:
  struct Message {
    std::uint64_t address;
    std::uint32_t data;
    bool operator==(const Message& other) const { return address == other.address && data == other.data; }
  };
  void interrupt_line(bool asserted) override { edges.push_back(asserted); }
  void interrupt_message(std::uint64_t address, std::uint32_t data) override { messages.push_back({address, data}); }
  bool asserted() const { return !edges.empty() && edges.back(); }
  std::vector<bool> edges;
  std::vector<Message> messages;
};

class PciRig final : public HbaRig {
 public:
  explicit PciRig(const hba::ControllerProfile& wanted = profile_with_everything());

  // Two ports, every capability of configuration space, BARs of 8, 4, 8, 4 and 32 bytes and of 8 KiB.
  static hba::ControllerProfile profile_with_everything();

  std::uint32_t config(std::uint32_t offset, unsigned bytes = 4) { return function.config_read(offset, bytes); }
  void set_config(std::uint32_t offset, std::uint32_t value, unsigned bytes = 4) {
    function.config_write(offset, value, bytes);
  }
  // ABAR at kRegisters, BAR4 at kIo, memory, I/O and bus mastering enabled.
  void enable();
  // One command without data on port 0, which ends with the interrupt bit set.
  void complete_a_command();
  void acknowledge();

  static constexpr std::uint32_t kRegisters = 0xE000'0000;
  static constexpr std::uint32_t kIo = 0xC040;

 private:
  sim::BareHost host_;

 public:
  PciHostNotes notes;
  hba::PciFunction function;
};

}  // namespace ncqlab::test
