// The controller as a PCI function: configuration space, base addresses, bus mastering, interrupts and power states
// around the registers (AHCI 1.3.1, clauses 2 and 8.3; PCI 3.0; PCI Power Management 1.2). What a front end puts in
// front of a guest.
//
// A front end hands every configuration access over, and asks memory_target() or io_target() whose an address is.
// Accesses take effect at once; whoever owns the way there adds its time, and calls between events of the queue.
//
// CMD.BME = 0 and D3hot end every DMA access with an error, as a master abort does, and swallow messages. In D3hot
// nothing but configuration space answers and INTx is inactive (2.2.3); the way back to D0 resets the whole function
// (PMCS has no No_Soft_Reset bit). Messages are written by the function itself: they do not occupy the bus.
//
// BAR0 to BAR3 belong to a legacy interface that is switched off: they decode, read as all ones and ignore writes. So
// does BAR4, reading as 0, but for the index/data pair.
#pragma once

#include <cstdint>
#include <optional>

#include "model/hba/controller.h"
#include "model/hba/pci/config_space.h"
#include "model/host/bus.h"
#include "model/host/dma_target.h"

namespace ncqlab::hba {

// The other end of the function's interrupts. Called inside events of the queue and inside accesses: it notes what
// happened and runs nothing.
class PciHost {
 public:
  virtual void interrupt_line(bool asserted) = 0;                                 // INTx, by PciProfile::interrupt_pin
  virtual void interrupt_message(std::uint64_t address, std::uint32_t data) = 0;  // the memory write of an MSI

 protected:
  ~PciHost() = default;
};

class PciFunction final : private InterruptSink, private host::DmaTarget {
 public:
  // All outlive the function.
  struct Parts {
    sim::EventQueue& queue;
    sim::Trace& trace;
    sata::FramePool& frames;
    const ControllerProfile& profile;
    host::DmaTarget& memory;
    PciHost& host;
  };

  // Where an address leads: `offset` bytes into BAR `bar`.
  struct Target {
    unsigned bar;
    std::uint32_t offset;
  };

  // As after RST#. Throws std::invalid_argument when the profile is impossible.
  explicit PciFunction(const Parts& parts);

  Controller& controller() { return controller_; }
  const pci::ConfigSpace& config() const { return config_; }

  // `bytes` 1 to 4, alignment as it comes. Beyond 256 bytes reads are 0 and writes do nothing.
  std::uint32_t config_read(std::uint32_t offset, unsigned bytes);
  void config_write(std::uint32_t offset, std::uint32_t value, unsigned bytes);

  // Nothing when the function does not claim the access: other addresses, not all bytes inside the BAR, decoding
  // switched off in CMD, D3hot. Reads of such an access are all ones on PCI.
  std::optional<Target> memory_target(std::uint64_t address, unsigned bytes) const;
  std::optional<Target> io_target(std::uint32_t address, unsigned bytes) const;

  // `bytes` 1 to 8. A target in a BAR that does not decode now, or is not there, reads as all ones and ignores writes.
  std::uint64_t read(Target target, unsigned bytes);
  void write(Target target, std::uint64_t value, unsigned bytes);

  // RST# or a function level reset: configuration space at once, the controller as by HBA reset.
  void reset();

 private:
  // InterruptSink
  void level(bool asserted) override;
  void message(std::uint32_t vector) override;
  // host::DmaTarget
  Answer access(const host::DmaAccess& access, host::DmaCompletion* completion) override;

  bool decodes(unsigned bar) const;
  bool contains(unsigned bar, std::uint64_t address, unsigned bytes) const;
  // Bytes of one dword.
  std::uint32_t read_config_lanes(std::uint32_t offset, unsigned bytes);
  void write_config_lanes(std::uint32_t offset, std::uint32_t value, unsigned bytes);
  bool in_config_pair(std::uint32_t offset) const;
  bool in_io_pair(std::uint32_t offset) const;
  std::uint32_t read_pair(std::uint32_t offset, unsigned bytes);
  void write_pair(std::uint32_t offset, std::uint32_t value, unsigned bytes);
  void apply_messages();
  void update_line();

  sim::EventQueue* queue_;
  sim::Trace* trace_;
  host::DmaTarget* memory_;
  PciHost* host_;
  PciProfile profile_;
  pci::ConfigSpace config_;
  host::Bus bus_;
  Controller controller_;
  std::uint32_t index_ = 0;  // of the index/data pair
  bool level_ = false;       // what the controller wants of INTx
  bool line_ = false;        // what the line is
};

}  // namespace ncqlab::hba
