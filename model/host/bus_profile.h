// What one host bus (PCI, PCI-X, PCIe) costs, as plain data; part of a controller's profile (disks/controllers/*.json).
#pragma once

#include <cstdint>

#include "model/sim/time.h"

namespace ncqlab::host {

struct BusProfile {
  // A register read: issued at t, sampled by the controller at t + request, answered at t + request + reply.
  sim::Time register_read_request = 0;
  sim::Time register_read_reply = 0;
  // A register write is posted: it takes effect so much later, and the processor does not wait.
  sim::Time register_write = 0;
  // Bus mastering: time from the request to the first byte, on top of the transfer itself. Pipelined: the latency of
  // one transfer does not delay the next.
  sim::Time dma_read_latency = 0;
  sim::Time dma_write_latency = 0;
  // Raw rate of the data phase, without the overhead below; must not be 0.
  std::uint64_t bandwidth_bytes_per_second = 1'000'000'000;
  // A transfer is cut into bursts of at most max_burst_bytes (PCIe: maximum payload); each costs burst_overhead_bytes
  // of the rate (PCIe: header, sequence number, LCRC, framing; PCI: address phase and turn-around).
  std::uint32_t max_burst_bytes = 128;
  std::uint32_t burst_overhead_bytes = 0;
  // True where reads and writes do not hinder each other (PCIe has a link a direction), false on a shared bus.
  bool full_duplex = true;
};

}  // namespace ncqlab::host
