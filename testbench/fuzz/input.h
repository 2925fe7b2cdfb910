// The bytes of a fuzzer's input, taken one after another; when they are used up everything reads as 0.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ncqlab::fuzz {

inline constexpr unsigned kPorts = 3;  // of the machine that the input is for

class Input {
 public:
  Input(const std::uint8_t* bytes, std::size_t count) : at_(bytes), end_(bytes + count) {}

  bool empty() const { return at_ == end_; }
  std::uint8_t byte() { return empty() ? 0 : *at_++; }
  bool flag() { return (byte() & 1) != 0; }
  std::uint64_t little_endian(unsigned bytes) {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < bytes; ++i) value |= std::uint64_t{byte()} << (8 * i);
    return value;
  }
  std::uint16_t word() { return static_cast<std::uint16_t>(little_endian(2)); }
  std::uint32_t dword() { return static_cast<std::uint32_t>(little_endian(4)); }
  // Below `limit`, at most 65536: of one byte, or two.
  std::uint32_t below(std::uint32_t limit) { return (limit > 256 ? word() : std::uint32_t{byte()}) % limit; }

 private:
  const std::uint8_t* at_;
  const std::uint8_t* end_;
};

}  // namespace ncqlab::fuzz
