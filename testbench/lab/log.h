// What the lab says to people, on standard error: one wrapper around spdlog. Nobody else includes spdlog.
//
// A line carries the simulated time, never the wall clock.
#pragma once

#include <string_view>

#include "model/sim/time.h"

namespace ncqlab::lab {

enum class Level { debug, info, warning, error, silent };

// Lines below this level are dropped; `warning` at first.
void set_log_level(Level level);
bool logs(Level level);
void log(Level level, sim::Time now, std::string_view who, std::string_view text);

}  // namespace ncqlab::lab
