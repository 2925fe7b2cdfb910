#include "testbench/cli/units.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string>

namespace ncqlab::cli {

namespace {

// Splits "12ms" into the number and the lower-case unit.
std::optional<std::uint64_t> number_and_unit(std::string_view text, std::string& unit) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end == text.data()) return std::nullopt;
  unit.assign(end, text.data() + text.size());
  std::transform(unit.begin(), unit.end(), unit.begin(), [](unsigned char c) { return std::tolower(c); });
  return number;
}

std::optional<std::uint64_t> times(std::uint64_t number, std::uint64_t factor, std::uint64_t limit) {
  const auto product = static_cast<unsigned __int128>(number) * factor;
  if (product > limit) return std::nullopt;
  return static_cast<std::uint64_t>(product);
}

}  // namespace

std::optional<std::uint64_t> parse_bytes(std::string_view text) {
  std::string unit;
  const auto number = number_and_unit(text, unit);
  if (!number) return std::nullopt;
  for (const char* suffix : {"ib", "b"}) {
    const std::string_view end(suffix);
    if (unit.size() > end.size() && unit.compare(unit.size() - end.size(), end.size(), end) == 0) {
      unit.resize(unit.size() - end.size());
      break;
    }
  }
  static constexpr std::string_view kUnits[] = {"", "k", "m", "g", "t"};
  for (std::size_t power = 0; power < std::size(kUnits); ++power) {
    if (unit == kUnits[power]) return times(*number, 1ULL << (10 * power), INT64_MAX);
  }
  return std::nullopt;
}

std::optional<sim::Time> parse_time(std::string_view text) {
  std::string unit;
  const auto number = number_and_unit(text, unit);
  if (!number || *number == 0) return std::nullopt;
  struct Unit {
    std::string_view name;
    sim::Time time;
  };
  static constexpr Unit kUnits[] = {{"us", sim::kMicrosecond}, {"ms", sim::kMillisecond}, {"s", sim::kSecond},
                                    {"", sim::kSecond},        {"m", 60 * sim::kSecond},  {"h", sim::kHour}};
  for (const Unit& known : kUnits) {
    if (unit != known.name) continue;
    const auto time = times(*number, static_cast<std::uint64_t>(known.time), sim::kTimeLimit);
    return time ? std::optional<sim::Time>(static_cast<sim::Time>(*time)) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace ncqlab::cli
