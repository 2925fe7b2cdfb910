// How qtest writes things down: words, numbers as C does, bytes as hexadecimal digits or Base64.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ncqlab::qtest {

using Bytes = std::vector<std::uint8_t>;

// Separated by single or several blanks; a carriage return at the end is none of the last word's.
std::vector<std::string_view> words_of(std::string_view line);

// Without a sign: 0x for hexadecimal, a leading 0 for octal, else decimal, as strtoull with base 0. Nothing for
// anything else and for what 64 bits can't hold.
std::optional<std::uint64_t> parse_number(std::string_view text);

// Lower case: libqtest reads no other.
std::string to_hex(const Bytes& bytes);
// Pairs of digits of either case; nothing for an odd digit or another character.
std::optional<Bytes> from_hex(std::string_view digits);

// RFC 4648, clause 4, with padding.
std::string to_base64(const Bytes& bytes);
std::optional<Bytes> from_base64(std::string_view text);

// For answers: cut when long, and nothing but printable characters.
std::string shown(std::string_view word);

}  // namespace ncqlab::qtest
