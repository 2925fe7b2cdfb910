// The AHCI controller as software sees it: registers, ports, interrupts. Pure: it lives on the event queue and reaches
// memory through the bus; tlm/ makes a SystemC module of it.
//
//   controller.cpp  accesses, and who they are for     host_control.cpp  generic registers and HBA reset
//
// read() and write() are executed at the sampling instant by whoever owns the way there (the lab posts the access as an
// event). They change state and enqueue events, nothing else: no memory is touched and no driver runs inside them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "model/hba/ahci.h"
#include "model/hba/ccc.h"
#include "model/hba/enclosure.h"
#include "model/hba/handoff.h"
#include "model/hba/interrupts.h"
#include "model/hba/port.h"
#include "model/hba/profile.h"
#include "model/hba/register_table.h"
#include "model/host/bus.h"
#include "model/sata/frame.h"
#include "model/sata/link.h"

namespace ncqlab::hba {

class Controller final : private sim::Actor {
 public:
  // All references outlive the controller. Throws std::invalid_argument when the profile is impossible.
  Controller(sim::EventQueue& queue, sim::Trace& trace, host::Bus& bus, sata::FramePool& pool,
             const ControllerProfile& profile, InterruptSink& interrupts);
  ~Controller();

  // `offset` into the register space (ABAR) of register_space_bytes(), `bytes` 1..8, alignment as it comes. Beyond the
  // space, in reserved places and in ports not implemented reads are 0 and writes do nothing.
  //
  // Software has to use accesses of 32 bits, or of 64 at multiples of 8 (3.). Others work all the same, lane by lane: a
  // byte that is not written keeps its RW bits, and sets or clears nothing by write of one. An access of several dwords
  // is one of 32 bits after another, the lowest first.
  std::uint64_t read(std::uint64_t offset, unsigned bytes);
  void write(std::uint64_t offset, std::uint64_t value, unsigned bytes);

  // The cable of an implemented port. Throws std::out_of_range for another.
  sata::Link& link(unsigned port);

  // Somebody opens or closes the mechanical presence switch (10.11) of an implemented port; nothing where it has none.
  // Throws std::out_of_range for another port.
  void set_mechanical_switch(unsigned port, bool open);

  const ControllerProfile& profile() const { return profile_; }
  std::uint32_t register_space_bytes() const { return profile_.pci.register_bar_bytes; }

  Enclosure& enclosure() { return enclosure_; }
  // The machine's firmware takes the controller for itself, before an operating system comes (10.6). Nothing without
  // CAP2.BOH.
  void claim(const Firmware& firmware);

  // For the PCI function around the controller: MSI's settings, and reset of the whole function. That is an HBA reset
  // after which also those registers that HBA reset leaves alone have their values of power-on.
  void configure_interrupts(InterruptKind kind, unsigned requested, unsigned granted) {
    interrupts_.configure(kind, requested, granted);
  }
  void reset_function();

 private:
  using GenericRegisters = RegisterFile<Controller, kPortsBase / 4>;

  static const Register<Controller> kTable[];
  static GenericRegisters generic_registers(const ControllerProfile& profile);
  std::uint32_t read_control() const { return registers_[kGHC] | (interrupts_.reverted() ? kGHC_MRSM : 0); }
  std::uint32_t read_interrupt_status() const { return interrupts_.status(); }
  void control_written(std::uint32_t before, std::uint32_t ones);
  void interrupt_status_written(std::uint32_t before, std::uint32_t ones);
  void coalescing_written(std::uint32_t before, std::uint32_t ones);
  void coalesced_ports_written(std::uint32_t before, std::uint32_t ones);
  void enclosure_written(std::uint32_t before, std::uint32_t ones) { enclosure_.control_written(before, ones); }
  void handoff_written(std::uint32_t before, std::uint32_t /*ones*/) { handoff_.written(before); }
  std::uint32_t ports_with_commands() const;
  void begin_reset();
  void end_reset(std::uint64_t);
  bool drained() const;
  void forget_survivors();

  std::uint64_t read_lanes(std::uint64_t offset, unsigned bytes) const;
  std::uint32_t read_dword(std::uint32_t offset) const;
  void write_dword(std::uint32_t offset, std::uint32_t value, std::uint32_t lanes);
  Port* port_at(std::uint32_t offset) const;
  Port& implemented(unsigned port);
  void violation(Violation code, std::uint64_t detail);

  sim::Trace* trace_;
  ControllerProfile profile_;
  HostInterrupts interrupts_;
  GenericRegisters registers_;
  CommandCompletion coalescing_;
  Enclosure enclosure_;
  Handoff handoff_;
  std::vector<std::unique_ptr<Port>> ports_;  // null: not implemented
  bool whole_function_ = false;               // the reset under way is the function's
};

}  // namespace ncqlab::hba
