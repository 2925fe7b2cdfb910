#include "testbench/report/histogram.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace ncqlab::report {

namespace {

constexpr unsigned kSubBits = 6;
static_assert(1U << kSubBits == Histogram::kSubBuckets);

// Buckets 0..63 hold one value each; from there on each octave [2^n, 2^(n+1)) has 64 of equal width.
std::size_t bucket_of(std::uint64_t value) {
  if (value < Histogram::kSubBuckets) return value;
  const unsigned top_bit = 63 - static_cast<unsigned>(__builtin_clzll(value));
  const unsigned shift = top_bit - kSubBits;
  return (std::size_t{shift} << kSubBits) + (value >> shift);
}

std::uint64_t highest_in(std::size_t bucket) {
  if (bucket < 2 * Histogram::kSubBuckets) return bucket;
  const std::size_t shift = (bucket >> kSubBits) - 1;
  const std::uint64_t leading = bucket - (shift << kSubBits);
  return ((leading + 1) << shift) - 1;
}

}  // namespace

void Histogram::add(sim::Time value) {
  if (value < 0) throw std::invalid_argument("a latency must not be negative");
  const std::size_t bucket = bucket_of(static_cast<std::uint64_t>(value));
  if (bucket >= buckets_.size()) buckets_.resize(bucket + 1);
  ++buckets_[bucket];
  ++count_;
  sum_ += static_cast<std::uint64_t>(value);
  min_ = std::min(min_, value);
  max_ = std::max(max_, value);
}

void Histogram::merge(const Histogram& other) {
  if (other.buckets_.size() > buckets_.size()) buckets_.resize(other.buckets_.size());
  for (std::size_t i = 0; i < other.buckets_.size(); ++i) buckets_[i] += other.buckets_[i];
  count_ += other.count_;
  sum_ += other.sum_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
}

double Histogram::mean() const { return count_ == 0 ? 0 : static_cast<double>(sum_) / static_cast<double>(count_); }

sim::Time Histogram::percentile(double percent) const {
  if (count_ == 0) return 0;
  const double wanted = std::ceil(percent / 100 * static_cast<double>(count_));
  const auto rank = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(std::max(wanted, 1.0)), 1, count_);
  std::uint64_t seen = 0;
  for (std::size_t bucket = 0; bucket < buckets_.size(); ++bucket) {
    seen += buckets_[bucket];
    if (seen >= rank) return std::min(static_cast<sim::Time>(highest_in(bucket)), max_);
  }
  return max_;
}

}  // namespace ncqlab::report
