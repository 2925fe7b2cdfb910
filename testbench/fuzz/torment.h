// A controller under an input that a fuzzer made: register and configuration accesses of any kind, guest memory with
// lists, tables and PRDs that point anywhere, frames and damage on the link, plugging and pulling, power, time.
//
// What must hold whatever the input:
//   no crash, no undefined behaviour, no exception          the sanitizers' business
//   nothing goes round in circles                           Machine::pass()
//   memory is written only where somebody said so           GuestMemory
//   no command is lost                                      CommandWatch
//   registers agree with each other                         Machine::check()
//   a port that is stopped comes to rest, an HBA reset ends, and after a reset of the function every port
//   comes up and moves data as if nothing had been          here
#pragma once

#include <cstddef>
#include <cstdint>

#include "model/sim/trace.h"

namespace ncqlab::fuzz {

// Runs one input and gives the fingerprint of the run. Says what broke and aborts when something did. `observer`
// sees the trace.
std::uint64_t torment(const std::uint8_t* bytes, std::size_t count, sim::Observer* observer = nullptr);

}  // namespace ncqlab::fuzz
