#include "driver/text.h"

namespace ncqlab::driver {

void Text::put(char c) {
  if (length_ + 1 < sizeof(characters_)) characters_[length_++] = c;
}

Text& Text::operator<<(const char* string) {
  while (*string != '\0') put(*string++);
  return *this;
}

// By subtraction: a 64-bit division would call the compiler's run-time library on 32-bit machines.
Text& Text::operator<<(std::uint64_t decimal) {
  std::uint64_t powers[20] = {1};
  for (unsigned i = 1; i < 20; ++i) powers[i] = powers[i - 1] * 10;
  bool leading = true;
  for (unsigned i = 20; i-- > 0;) {
    char digit = '0';
    while (decimal >= powers[i]) {
      decimal -= powers[i];
      ++digit;
    }
    leading = leading && digit == '0' && i != 0;
    if (!leading) put(digit);
  }
  return *this;
}

Text& Text::hex(std::uint32_t value) {
  for (unsigned shift = 32; shift != 0;) {
    shift -= 4;
    put("0123456789ABCDEF"[value >> shift & 0xF]);
  }
  return *this;
}

}  // namespace ncqlab::driver
