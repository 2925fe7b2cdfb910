// The machine as the qtest protocol sees it: an address space, I/O ports, a clock that only the client moves, and the
// inputs of the I/O APIC. Protocol tests put a simple one of their own here.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "model/sim/time.h"

namespace ncqlab::qtest {

// An input of the I/O APIC changed.
struct IrqEdge {
  unsigned line = 0;
  bool raised = false;
};

class Guest {
 public:
  virtual ~Guest() = default;

  // `bytes` is 1, 2 or 4. What nobody decodes reads as ones.
  virtual std::uint32_t port_read(std::uint16_t port, unsigned bytes) = 0;
  virtual void port_write(std::uint16_t port, std::uint32_t value, unsigned bytes) = 0;
  // Any address and length; they wrap around at 2^64. What nobody decodes reads as 0.
  virtual void memory_read(std::uint64_t address, std::uint8_t* to, std::size_t bytes) = 0;
  virtual void memory_write(std::uint64_t address, const std::uint8_t* from, std::size_t bytes) = 0;

  virtual sim::Time now() const = 0;
  // When something will happen by itself; sim::kNever when nothing.
  virtual sim::Time next_event() const = 0;
  // Lets time pass until `when`, unless that lies in the past. A stopped machine's time stands still.
  virtual void run_until(sim::Time when) = 0;

  // What has happened at the I/O APIC since the last call, in order.
  virtual std::vector<IrqEdge> take_irq_edges() = 0;
};

}  // namespace ncqlab::qtest
