// Named random streams. Every draw is a pure function of (seed, stream name, index of the draw), so that adding a
// stream or a draw elsewhere never shifts another. std:: distributions differ between libraries and are not used.
// One draw per statement: the order in which arguments are evaluated is not specified.
#pragma once

#include <cstdint>
#include <string_view>

namespace ncqlab::sim {

// SplitMix64's finaliser (Steele, Lea, Flood 2014): a bijection of 64 bits with full avalanche.
constexpr std::uint64_t mix64(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xBF58476D1CE4E5B9ULL;
  x ^= x >> 27;
  x *= 0x94D049BB133111EBULL;
  x ^= x >> 31;
  return x;
}

class Stream {
 public:
  Stream(std::uint64_t seed, std::string_view name);

  std::uint64_t next() { return mix64(key_ + ++index_ * 0x9E3779B97F4A7C15ULL); }
  // Uniform in [0, bound), bound > 0; exact by rejection.
  std::uint64_t below(std::uint64_t bound);
  // Uniform in [0, 1), 53 bits.
  double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

 private:
  std::uint64_t key_;
  std::uint64_t index_ = 0;
};

}  // namespace ncqlab::sim
