#include "model/faults/expression/lexer.h"

#include <cstdlib>

#include "model/faults/expression/error.h"

namespace ncqlab::faults {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// The value of a hexadecimal digit; 16 for any other character.
unsigned hex_value(char c) {
  if (is_digit(c)) return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A' + 10);
  return 16;
}

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Token> all() {
    std::vector<Token> tokens;
    do {
      tokens.push_back(next());
    } while (tokens.back().kind != Token::Kind::end);
    return tokens;
  }

 private:
  char at(std::size_t place) const { return place < text_.size() ? text_[place] : '\0'; }

  Token next() {
    while (at(at_) == ' ' || at(at_) == '\t' || at(at_) == '\n' || at(at_) == '\r') ++at_;
    Token token;
    token.column = at_ + 1;
    if (at_ >= text_.size()) return token;
    if (is_digit(at(at_))) return number(token);
    if (is_letter(at(at_))) return word(token);
    return symbol(token);
  }

  Token number(Token token) {
    const std::size_t start = at_;
    const bool hex = at(at_) == '0' && (at(at_ + 1) == 'x' || at(at_ + 1) == 'X');
    const std::uint64_t base = hex ? 16 : 10;
    if (hex) at_ += 2;
    const std::size_t first_digit = at_;
    std::uint64_t value = 0;
    bool fits = true;
    for (; hex_value(at(at_)) < base; ++at_) {
      fits = fits && value <= (static_cast<std::uint64_t>(INT64_MAX) - hex_value(at(at_))) / base;
      if (fits) value = value * base + hex_value(at(at_));
    }
    while (is_letter(at(at_)) || is_digit(at(at_))) ++at_;
    token.kind = Token::Kind::number;
    token.text = std::string(text_.substr(start, at_ - start));
    for (std::size_t i = first_digit; i < at_; ++i) fits = fits && hex_value(at(i)) < base;
    if (!fits || first_digit == at_) {
      throw ExpressionError(token.column, "'" + token.text.substr(0, 40) + "'",
                            "a number such as 12 or 0xEA, below 2 to the power of 63");
    }
    token.number = static_cast<std::int64_t>(value);
    return token;
  }

  Token word(Token token) {
    const std::size_t start = at_;
    const auto part = [this] {
      while (is_letter(at(at_)) || is_digit(at(at_))) ++at_;
    };
    part();
    while (at(at_) == '.' && is_letter(at(at_ + 1))) {
      ++at_;
      part();
    }
    token.kind = Token::Kind::word;
    token.text = std::string(text_.substr(start, at_ - start));
    return token;
  }

  Token symbol(Token token) {
    token.kind = Token::Kind::symbol;
    for (const std::string_view known : {"==", "!=", "<=", ">=", "<<", ">>", "..", "<", ">", "+", "-",
                                         "*",  "%",  "&",  "|",  "^",  "(",  ")",  "{", "}", ","}) {
      if (text_.substr(at_, known.size()) != known) continue;
      at_ += known.size();
      token.text = known;
      return token;
    }
    throw ExpressionError(token.column, shown(at(at_)), "a number, a name, or one of == != < <= > >= + - * % & | ^");
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<Token> tokens_of(std::string_view text) { return Lexer(text).all(); }

std::string shown(char character) {
  constexpr char kHex[] = "0123456789ABCDEF";
  const auto byte = static_cast<unsigned char>(character);
  if (byte >= 0x20 && byte < 0x7F) return std::string("'") + character + "'";
  return std::string("byte 0x") + kHex[byte >> 4] + kHex[byte & 15];
}

}  // namespace ncqlab::faults
