// An expression's text as tokens (docs/FAULTS.md has the grammar).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ncqlab::faults {

struct Token {
  enum class Kind : std::uint8_t { end, number, word, symbol };
  Kind kind = Kind::end;
  std::size_t column = 1;  // from 1
  std::string text;        // of a word: a name or path; also the words of the language
  std::int64_t number = 0;
};

// Ends with a token `end`. Throws ExpressionError.
std::vector<Token> tokens_of(std::string_view text);

// For messages: a character as people can read it.
std::string shown(char character);

}  // namespace ncqlab::faults
