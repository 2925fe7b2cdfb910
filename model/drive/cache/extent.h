// A run of sectors.
#pragma once

#include <cstdint>

namespace ncqlab::drive {

struct Extent {
  std::uint64_t first = 0;
  std::uint64_t end = 0;  // exclusive
  std::uint64_t sectors() const { return end - first; }
};

}  // namespace ncqlab::drive
