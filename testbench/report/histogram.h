// A histogram of latencies: 64 sub-buckets per octave, so that a percentile is exact within 1/64 (1.6 %) at any
// magnitude, in 30 KiB at most. Values under 64 ps are exact.
#pragma once

#include <cstdint>
#include <vector>

#include "model/sim/time.h"

namespace ncqlab::report {

class Histogram {
 public:
  static constexpr unsigned kSubBuckets = 64;

  // A negative value throws std::invalid_argument.
  void add(sim::Time value);
  void merge(const Histogram& other);

  std::uint64_t count() const { return count_; }
  // Exact; 0 when empty.
  sim::Time min() const { return count_ == 0 ? 0 : min_; }
  sim::Time max() const { return max_; }
  double mean() const;

  // The value that `percent` of all values don't exceed (0 < percent <= 100): for the k-th smallest value v,
  // k = ceil(percent/100 * count), the result r has v <= r <= v + v/64, and r <= max(). 0 when empty.
  sim::Time percentile(double percent) const;

 private:
  std::vector<std::uint64_t> buckets_;
  std::uint64_t count_ = 0;
  sim::Time min_ = sim::kNever;
  sim::Time max_ = 0;
  unsigned __int128 sum_ = 0;
};

}  // namespace ncqlab::report
