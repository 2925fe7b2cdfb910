#include "model/sim/random.h"

namespace ncqlab::sim {

Stream::Stream(std::uint64_t seed, std::string_view name) : key_(mix64(seed ^ 0x6E63716C61620000ULL)) {
  for (const char c : name) key_ = mix64(key_ ^ static_cast<unsigned char>(c)) + 0x9E3779B97F4A7C15ULL;
}

std::uint64_t Stream::below(std::uint64_t bound) {
  // Lemire 2019: multiply, keep the high half, reject the short first part of each interval.
  auto product = static_cast<unsigned __int128>(next()) * bound;
  if (static_cast<std::uint64_t>(product) < bound) {
    const std::uint64_t threshold = (0 - bound) % bound;
    while (static_cast<std::uint64_t>(product) < threshold) product = static_cast<unsigned __int128>(next()) * bound;
  }
  return static_cast<std::uint64_t>(product >> 64);
}

}  // namespace ncqlab::sim
