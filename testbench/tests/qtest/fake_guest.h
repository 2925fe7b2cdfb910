// A guest that notes what was asked of it: 64 KiB of memory, nothing else.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "testbench/frontend/qtest/guest.h"

namespace ncqlab::qtest {

class FakeGuest final : public Guest {
 public:
  static constexpr std::size_t kMemory = 0x10000;

  std::uint32_t port_read(std::uint16_t port, unsigned bytes) override {
    note("in", port, bytes);
    return port_value;
  }
  void port_write(std::uint16_t port, std::uint32_t value, unsigned bytes) override {
    note("out", port, bytes);
    port_value = value;
  }
  void memory_read(std::uint64_t address, std::uint8_t* to, std::size_t bytes) override {
    for (std::size_t i = 0; i < bytes; ++i) to[i] = memory[(address + i) % kMemory];
  }
  void memory_write(std::uint64_t address, const std::uint8_t* from, std::size_t bytes) override {
    for (std::size_t i = 0; i < bytes; ++i) memory[(address + i) % kMemory] = from[i];
  }
  sim::Time now() const override { return time; }
  sim::Time next_event() const override { return event; }
  void run_until(sim::Time when) override {
    if (when > time) time = when;
  }
  std::vector<IrqEdge> take_irq_edges() override { return std::exchange(edges, {}); }

  std::string port_accesses;  // "out 3320/4 in 3324/1 "
  std::uint32_t port_value = 0;
  std::vector<std::uint8_t> memory = std::vector<std::uint8_t>(kMemory);
  sim::Time time = 0;
  sim::Time event = sim::kNever;
  std::vector<IrqEdge> edges;

 private:
  void note(const char* what, std::uint16_t port, unsigned bytes) {
    port_accesses += std::string(what) + ' ' + std::to_string(port) + '/' + std::to_string(bytes) + ' ';
  }
};

}  // namespace ncqlab::qtest
