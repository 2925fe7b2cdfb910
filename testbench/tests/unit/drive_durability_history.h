// One random history of a drive: writes of all kinds, flushes, the cache switched, resets, and losses of power, after
// each of which every sector is read and held against the reference.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "testbench/tests/unit/drive_ata_host.h"

namespace ncqlab::drive {

struct DurabilityHistory {
  std::uint64_t seed = 0;
  unsigned steps = 0;  // so many of it
  // Called before the first command; what it returns lives as long as the drive.
  std::function<std::shared_ptr<void>(Drive&)> prepare;
};

// Empty, or what was found that must not be.
std::string run_history(const DurabilityHistory& history);

// How many steps the history with that seed has.
unsigned steps_of_history(std::uint64_t seed);

}  // namespace ncqlab::drive
