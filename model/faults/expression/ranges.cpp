#include "model/faults/expression/ranges.h"

#include <algorithm>

namespace ncqlab::faults {

Ranges Ranges::both(const Ranges& other) const {
  Ranges result;
  for (const Range& a : ranges_) {
    for (const Range& b : other.ranges_) {
      const Range common{std::max(a.first, b.first), std::min(a.last, b.last)};
      if (common.first <= common.last) result.ranges_.push_back(common);
    }
  }
  return result;
}

Ranges Ranges::either(const Ranges& other) const {
  std::vector<Range> all = ranges_;
  all.insert(all.end(), other.ranges_.begin(), other.ranges_.end());
  std::sort(all.begin(), all.end(), [](const Range& a, const Range& b) { return a.first < b.first; });
  Ranges result;
  for (const Range& one : all) {
    std::vector<Range>& so_far = result.ranges_;
    if (!so_far.empty() && (so_far.back().last == INT64_MAX || one.first <= so_far.back().last + 1)) {
      so_far.back().last = std::max(so_far.back().last, one.last);
    } else {
      so_far.push_back(one);
    }
  }
  return result;
}

Ranges Ranges::rest_of(std::int64_t first, std::int64_t last) const {
  Ranges result;
  for (const Range& one : ranges_) {
    if (one.first > last || one.last < first) continue;
    if (one.first > first) result.ranges_.push_back({first, one.first - 1});
    if (one.last >= last) return result;
    first = one.last + 1;
  }
  if (first <= last) result.ranges_.push_back({first, last});
  return result;
}

}  // namespace ncqlab::faults
