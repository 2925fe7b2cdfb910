// One log line, put together without a formatting library. What doesn't fit is cut off.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ncqlab::driver {

class Text {
 public:
  Text& operator<<(const char* string);
  Text& operator<<(std::uint64_t decimal);
  Text& hex(std::uint32_t value);  // 8 digits
  const char* c_str() const { return characters_; }

 private:
  void put(char c);

  char characters_[120] = {};
  std::size_t length_ = 0;
};

}  // namespace ncqlab::driver
