// A set of integers as sorted ranges that do not touch: what a name may be for a condition to hold.
#pragma once

#include <cstdint>
#include <vector>

namespace ncqlab::faults {

class Ranges {
 public:
  struct Range {
    std::int64_t first, last;
  };
  Ranges() = default;
  Ranges(std::int64_t first, std::int64_t last) {
    if (first <= last) ranges_.push_back({first, last});
  }

  bool empty() const { return ranges_.empty(); }
  std::int64_t first() const { return ranges_.front().first; }
  std::int64_t last() const { return ranges_.back().last; }

  Ranges both(const Ranges& other) const;
  Ranges either(const Ranges& other) const;
  // What of [first, last] is not in it.
  Ranges rest_of(std::int64_t first, std::int64_t last) const;

 private:
  std::vector<Range> ranges_;
};

}  // namespace ncqlab::faults
