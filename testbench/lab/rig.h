// The usual set-up: one machine with one drive, our driver core, the oracles, and a workload run to its end.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "driver/options.h"
#include "testbench/lab/cpu.h"
#include "testbench/lab/driver_disk.h"
#include "testbench/lab/machine.h"
#include "testbench/oracle/ahci_legality.h"
#include "testbench/workload/host_layer.h"

namespace ncqlab::lab {

// The driver or the model misbehaved: a hang, wrong data, an illegal sequence. Exit status 3.
class Misbehaviour : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct RigSpec {
  HostKind host = HostKind::bare;
  hba::ControllerProfile controller;
  drive::Profile drive;
  drive::Layout layout;
  bool write_cache = true;
  std::vector<faults::Program> bugs;          // in the drive
  std::uint64_t seed = 1;                     // as in MachineSpec
  std::optional<host::MemoryOptions> memory;  // as in MachineSpec, as the next
  bool non_coherent = false;
  driver::Options driver;
};

class Rig {
 public:
  // Makes the machine and attaches the driver. Throws Misbehaviour when the drive does not become usable. What is
  // thrown ends in one page about the state of the machine (post_mortem.h).
  explicit Rig(const RigSpec& spec);

  // Runs the workload through the host layer; `host.queue_depth` is cut down to what the driver offers. Throws
  // Misbehaviour when it does not end, and afterwards when an oracle found something.
  void run(workload::Workload& workload, workload::HostOptions host);

  Machine& machine() { return *machine_; }
  InProcessCpu& cpu() { return *cpu_; }
  DriverDisk& disk() { return *disk_; }
  drive::Drive& drive() { return *machine_->drive(port_); }
  // What has been seen up to now. run() looks at it; who does without run() looks for himself.
  const oracle::AhciLegality& legality() const { return legality_; }
  std::vector<faults::Firings> firings() const { return machine_->firings(port_); }
  unsigned depth() { return cpu_->ahci().depth(port_); }

 private:
  void check();
  [[noreturn]] void give_up(const std::string& why);

  unsigned port_;
  oracle::AhciLegality legality_;  // observes the machine until that is gone
  std::unique_ptr<Machine> machine_;
  std::unique_ptr<InProcessCpu> cpu_;
  std::unique_ptr<DriverDisk> disk_;
};

}  // namespace ncqlab::lab
