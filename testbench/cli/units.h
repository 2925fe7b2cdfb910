// Sizes and times as people type them: 4k, 1m, 2g (1024 each), 10s, 500ms, 2m, 1h.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "model/sim/time.h"

namespace ncqlab::cli {

// A whole number of bytes, with k, m, g or t (and an optional trailing "b" or "ib", any case). Nothing for anything
// else, for overflow and for a negative number.
std::optional<std::uint64_t> parse_bytes(std::string_view text);

// A whole number with us, ms, s, m or h; a bare number is seconds, as in fio. More than 0, at most sim::kTimeLimit.
std::optional<sim::Time> parse_time(std::string_view text);

}  // namespace ncqlab::cli
