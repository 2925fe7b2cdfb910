// The bytes of a fuzzer's input, taken one after another; when they are used up everything reads as 0.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ncqlab::fuzz {

class Input {
 public:
  Input(const std::uint8_t* bytes, std::size_t count) : at_(bytes), end_(bytes + count) {}

  bool empty() const { return at_ == end_; }
  std::uint8_t byte() { return empty() ? 0 : *at_++; }
  std::uint64_t little_endian(unsigned bytes) {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < bytes; ++i) value |= std::uint64_t{byte()} << (8 * i);
    return value;
  }
  std::uint32_t dword() { return static_cast<std::uint32_t>(little_endian(4)); }
  std::uint32_t below(std::uint32_t limit) {
    return static_cast<std::uint32_t>(little_endian(limit > 256 ? 2 : 1)) % limit;
  }

 private:
  const std::uint8_t* at_;
  const std::uint8_t* end_;
};

}  // namespace ncqlab::fuzz
