// What one host bus (PCI, PCI-X, PCIe) is, as plain data; part of a controller's profile (disks/controllers/*.json). A
// bus is named by its kind and width; model/host/bus_cost.h computes what a transfer costs on it. Kind `custom` gives
// the costs themselves, for a path of several buses or one that was only measured.
#pragma once

#include <cstdint>

#include "model/sim/time.h"

namespace ncqlab::host {

enum class BusKind : std::uint8_t { custom, pci, pci_x, pcie };

// Kinds pci and pci_x: one medium for everybody and every direction, costs in model/host/pci_cost.h.
struct PciTiming {
  unsigned clock_mhz = 33;   // pci: 33, 66; pci_x: 66, 133
  unsigned width_bits = 32;  // 32, 64
  // How long a master keeps the bus while others want it, from the address phase; others always do here.
  unsigned latency_timer_clocks = 64;
  // From the end of the address and decode phases to the first data phase, at the bridge to memory.
  unsigned read_wait_clocks = 8;
  unsigned write_wait_clocks = 0;
  std::uint32_t max_read_bytes = 4096;  // pci_x: maximum memory read byte count, 512, 1024, 2048 or 4096
};

// Kind pcie: a link with two directions, costs in model/host/pcie_cost.h.
struct PcieTiming {
  unsigned generation = 1;  // 1: 2.5, 2: 5, 3: 8 GT/s a lane
  unsigned lanes = 1;
  std::uint32_t max_payload_bytes = 128;              // 128, 256 .. 4096
  std::uint32_t max_read_request_bytes = 512;         // 128, 256 .. 4096
  std::uint32_t read_completion_boundary_bytes = 64;  // 64, 128
};

struct BusProfile {
  BusKind kind = BusKind::custom;
  PciTiming pci;
  PcieTiming pcie;

  // A register read: issued at t, sampled by the controller at t + request, answered at t + request + reply. On a bus
  // of kind pci or pci_x the access waits for its turn and takes its clocks on the bus between the two.
  sim::Time register_read_request = 0;
  sim::Time register_read_reply = 0;
  // A register write is posted: it takes effect so much later, and the processor does not wait.
  sim::Time register_write = 0;
  // The bridge keeps posted writes back until a register read pushes them on, but the first of them no longer than
  // this; then all go on, in order. 0: each goes on at once. A driver that needs a write to have arrived must read.
  sim::Time posted_writes_held = 0;
  // Bus mastering: time from the request to the first byte, on top of the transfer itself. Pipelined: the latency of
  // one transfer does not delay the next.
  sim::Time dma_read_latency = 0;
  sim::Time dma_write_latency = 0;

  // The rest is of kind custom. Raw rate of the data phase, without the overhead below; must not be 0.
  std::uint64_t bandwidth_bytes_per_second = 1'000'000'000;
  // A transfer is cut into bursts of at most max_burst_bytes; each costs burst_overhead_bytes of the rate.
  std::uint32_t max_burst_bytes = 128;
  std::uint32_t burst_overhead_bytes = 0;
  // True where reads and writes do not hinder each other.
  bool full_duplex = true;
};

}  // namespace ncqlab::host
