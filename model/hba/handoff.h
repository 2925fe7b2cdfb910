// Hand-off of the controller from firmware to the operating system: BOHC (AHCI 1.3.1, 3.1.11 and 10.6).
//
// The bits of BOHC are plain semaphores. What answers them is the firmware of the machine: a small model of it, that
// owns the controller once it has claimed it and gives it away when asked. Without a claim nobody answers.
//
//   OS: OOS = 1 --> OOC = 1, SMI --> after response_time: OOC = 0, BB = 1 --> after clean_up_time: BOS = 0, BB = 0
//
// With clean_up_time 0 it releases at once, without BB. An OS waits 25 ms for BOS = 0, and 2 s more when it finds BB.
#pragma once

#include <cstdint>

#include "model/sim/actor.h"
#include "model/sim/trace.h"

namespace ncqlab::hba {

struct Firmware {
  sim::Time response_time = 0;  // from OOS = 1 to the first thing that it does
  sim::Time clean_up_time = 0;  // what it takes to end its commands
};

class Handoff final : private sim::Actor {
 public:
  // `bohc` is the register's value; it outlives this.
  Handoff(sim::EventQueue& queue, sim::Trace& trace, std::uint32_t& bohc)
      : Actor(queue), trace_(&trace), bohc_(&bohc) {}

  // The firmware owns the controller: BOS and SOOE are 1, the rest is 0.
  void claim(const Firmware& firmware);
  // Software wrote BOHC; `before` is what it was.
  void written(std::uint32_t before);
  // RST#: whatever the firmware was about is forgotten.
  void forget();

 private:
  void respond(std::uint64_t);
  void release(std::uint64_t);

  sim::Trace* trace_;
  std::uint32_t* bohc_;
  Firmware firmware_;
  bool claimed_ = false;
};

}  // namespace ncqlab::hba
