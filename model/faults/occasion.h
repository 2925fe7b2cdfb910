// One event at a hook as rules see it: the objects that it shows, the program's variables, and what the rules decide.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "model/sim/time.h"

namespace ncqlab::faults {

inline constexpr std::size_t kMostObjects = 32;

// What the rules together make of an event; who has the hook carries it out.
struct Verdict {
  sim::Time delay = 0;  // the sum
  struct Failure {
    std::optional<std::uint8_t> status;
    std::optional<std::uint8_t> error;
    std::optional<std::uint64_t> lba;
    bool abort_all = true;
  };
  std::optional<Failure> failure;  // the first
  std::uint32_t skips = 0;         // bit n: the n-th of the hook's skips
};

struct Occasion {
  std::array<void*, kMostObjects> objects{};  // by place in the directory; null: the hook does not show it
  std::int64_t* variables = nullptr;
  Verdict verdict;
};

}  // namespace ncqlab::faults
