// A machine: host memory, bus, one AHCI controller and its drives, under one host of time.
//
// The machine holds no driver. InProcessCpu (cpu.h) runs our driver core on it; other front ends do it their way.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "model/drive/ata/drive.h"
#include "model/drive/profile.h"
#include "model/faults/drive_faults.h"
#include "model/hba/controller.h"
#include "model/hba/profile.h"
#include "model/host/memory.h"
#include "model/sata/frame.h"
#include "model/sim/host.h"
#include "model/sim/trace.h"
#include "testbench/lab/fabric.h"

namespace ncqlab::lab {

struct DriveSpec {
  unsigned port = 0;
  drive::Profile profile;
  drive::Layout layout;
  bool write_cache = true;
  std::vector<faults::Program> bugs = {};
};

struct MachineSpec {
  HostKind host = HostKind::bare;
  hba::ControllerProfile controller;
  std::vector<DriveSpec> drives;
  // Where guest memory lies. By default above 4 GiB, or below it for a controller without 64-bit addressing.
  std::optional<host::MemoryOptions> memory;
  std::uint64_t seed = 1;  // of what chance decides in the model: torn sectors, tail events
  // The device's view of memory and the CPU's are apart until the driver's sync and barrier.
  bool non_coherent = false;
};

class Machine {
 public:
  // Throws std::invalid_argument for a port that the controller does not implement or that holds two drives, and for a
  // host that this build does not have. On the SystemC host only one machine may exist at a time.
  explicit Machine(const MachineSpec& spec);
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  sim::Host& host() { return fabric_->host(); }
  sim::EventQueue& queue() { return fabric_->host().queue(); }
  sim::Trace& trace() { return trace_; }
  host::Memory& memory() { return memory_; }
  Fabric& fabric() { return *fabric_; }
  sata::FramePool& frames() { return frames_; }
  const MachineSpec& spec() const { return spec_; }
  // Null for a port without a drive.
  drive::Drive* drive(unsigned port);
  // What the rules of the drive's fault programs have come to; empty without any.
  std::vector<faults::Firings> firings(unsigned port) const;

  std::uint64_t fingerprint() const { return trace_.fingerprint(); }

 private:
  struct Bay {
    unsigned port;
    std::unique_ptr<faults::DriveFaults> faults;  // null without programs; outlives the drive
    std::unique_ptr<drive::Drive> drive;
  };

  MachineSpec spec_;
  sim::Trace trace_;
  host::Memory memory_;
  sata::FramePool frames_;
  std::unique_ptr<Fabric> fabric_;
  std::vector<Bay> bays_;
};

}  // namespace ncqlab::lab
