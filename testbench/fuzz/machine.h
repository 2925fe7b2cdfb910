// What is fuzzed: a controller as PCI function with a hostile device on port 0, a disk on port 1, an optical drive on
// port 2, and port 3 not implemented; in memory that the guest has spoilt.
#pragma once

#include <array>
#include <cstdint>

#include "model/drive/ata/drive.h"
#include "model/drive/optical/optical_drive.h"
#include "model/hba/pci/pci_function.h"
#include "model/sata/link_faults.h"
#include "testbench/fuzz/command_watch.h"
#include "testbench/fuzz/guest_memory.h"
#include "testbench/fuzz/hostile_device.h"
#include "testbench/fuzz/input.h"

namespace ncqlab::fuzz {

// Befalls the next frames and steps of a link's PHY.
class Noise final : public sata::LinkFaults {
 public:
  sata::Damage on_frame(sata::Direction direction, sata::Frame& frame) override;
  bool on_phy_step(sata::PhyStep step, sata::Generation generation) override;

  sata::Damage damage = sata::Damage::none;
  unsigned flipped_bit = 0;  // 0: none
  unsigned frames = 0;
  unsigned phy_steps = 0;

  bool over() const { return frames == 0 && phy_steps == 0; }
};

class Machine final : private hba::PciHost {
 public:
  static constexpr std::uint32_t kRegisters = 0xE000'0000;
  static constexpr std::uint32_t kIo = 0xC040;
  // Where things lie in memory when the guest puts them in order.
  static constexpr std::uint32_t kLists = 0x0000;     // 1 KiB for each port
  static constexpr std::uint32_t kReceived = 0x0C00;  // 256 bytes for each port
  static constexpr std::uint32_t kTables = 0x1000;
  static constexpr std::uint32_t kTable_bytes = 0x200;
  static constexpr std::uint32_t kTablePrds = (kTable_bytes - 0x80) / 16;
  static constexpr std::uint32_t kData = 0x6000;

  // The input's first bytes choose the controller.
  explicit Machine(Input& input);
  ~Machine();

  hba::Controller& controller() { return function.controller(); }
  sata::Link& link(unsigned port) { return controller().link(port); }
  sata::Device& device(unsigned port);
  std::uint32_t port(unsigned number, std::uint32_t offset) {
    return static_cast<std::uint32_t>(controller().read(hba::kPortsBase + number * hba::kPortBytes + offset, 4));
  }
  void set_port(unsigned number, std::uint32_t offset, std::uint32_t value) {
    controller().write(hba::kPortsBase + number * hba::kPortBytes + offset, value, 4);
  }

  // After `noise` has been changed; a link without it is faster.
  void make_noise();
  // BARs, and every enable bit of the command register.
  void enable();
  // PxCLB, PxFB, SUD, POD, FRE; then ST.
  void place_structures(unsigned port);
  void start(unsigned port);
  void write_header(unsigned port, unsigned slot, std::uint32_t description);
  std::uint8_t* table(unsigned slot) { return memory.cpu(kTables + slot * kTable_bytes); }

  // Lets time pass: all of it, or until nothing is to come. Aborts when far too much happens meanwhile.
  void pass(sim::Time duration);
  void settle(sim::Time longest);
  // What holds at any time between two events.
  void check();

  sim::EventQueue queue;
  sim::Trace trace;
  CommandWatch watch;
  sata::FramePool pool;
  const hba::ControllerProfile profile;
  GuestMemory memory;
  hba::PciFunction function;
  HostileDevice hostile;
  drive::Drive disk;
  drive::OpticalDrive optical;
  Noise noise;

 private:
  void interrupt_line(bool asserted) override { line_ = asserted; }
  void interrupt_message(std::uint64_t /*address*/, std::uint32_t /*data*/) override {}
  void run_one();

  bool line_ = false;
  sim::Time instant_ = 0;
  std::uint64_t events_at_once_ = 0;
  std::uint64_t events_ = 0;
};

}  // namespace ncqlab::fuzz
