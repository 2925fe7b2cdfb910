// A controller as PCI function, with a device that keeps no rule on its first port and a disk on its second, under an
// input that a fuzzer made: register and configuration accesses of any kind, guest memory with lists, tables and PRDs
// that point anywhere, frames, damage and power requests on the link, plugging and pulling, time.
//
// What must hold whatever the input: no crash and no undefined behaviour (the sanitizers' business), a bounded number
// of events for each step, and a machine that an HBA reset makes whole: both ports come up and read what they should.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ncqlab::fuzz {

// Runs one input and gives the fingerprint of the run. Says what broke and aborts when something did.
std::uint64_t torment(const std::uint8_t* bytes, std::size_t count);

}  // namespace ncqlab::fuzz
