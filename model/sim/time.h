// Simulated time: a signed 64-bit count of picoseconds, and the only ways to make one.
//
// Durations are computed from totals (bits times period) and rounded once, so that sums of rounded units never
// drift: a dword at 6 Gb/s lasts 6666.67 ps. Simulated time is limited to kTimeLimit (2,500 h); SystemC's own
// limit at 1 ps resolution is 2,562 h as a signed count.
#pragma once

#include <cstdint>
#include <stdexcept>

namespace ncqlab::sim {

using Time = std::int64_t;  // picoseconds since the machine was made

inline constexpr Time kPicosecond = 1;
inline constexpr Time kNanosecond = 1'000;
inline constexpr Time kMicrosecond = 1'000'000;
inline constexpr Time kMillisecond = 1'000'000'000;
inline constexpr Time kSecond = 1'000'000'000'000;
inline constexpr Time kHour = 3600 * kSecond;
inline constexpr Time kTimeLimit = 2500 * kHour;
inline constexpr Time kNever = INT64_MAX;

// Thrown by EventQueue when something is scheduled beyond kTimeLimit.
class TimeLimitError : public std::runtime_error {
 public:
  explicit TimeLimitError(Time when);
};

// The time that `bits` take at `bits_per_second`, rounded to the nearest picosecond once.
constexpr Time transfer_time(std::uint64_t bits, std::uint64_t bits_per_second) {
  if (bits < 9'000'000 && bits_per_second < (1ULL << 63)) {  // the same in 64 bits, for what is called all the time
    return static_cast<Time>((bits * static_cast<std::uint64_t>(kSecond) + bits_per_second / 2) / bits_per_second);
  }
  const auto numerator = static_cast<unsigned __int128>(bits) * static_cast<std::uint64_t>(kSecond);
  return static_cast<Time>((numerator + bits_per_second / 2) / bits_per_second);
}

// Configuration values arrive as decimal milliseconds, microseconds or nanoseconds; rounded to the nearest ps.
Time from_ms(double milliseconds);
Time from_us(double microseconds);
Time from_ns(double nanoseconds);

constexpr double to_ms(Time t) { return static_cast<double>(t) / static_cast<double>(kMillisecond); }
constexpr double to_us(Time t) { return static_cast<double>(t) / static_cast<double>(kMicrosecond); }
constexpr double to_seconds(Time t) { return static_cast<double>(t) / static_cast<double>(kSecond); }

}  // namespace ncqlab::sim
