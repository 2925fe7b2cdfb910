// Inside the library: one value of a JSON text. It keeps the order of an object's keys, which the JSON library does
// not, so that errors come in the order of the file; and it keeps the JSON library's header, which takes seconds to
// compile, in one source file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ncqlab::config {

struct Node {
  enum class Kind { null, boolean, integer, real, string, array, object };

  Kind kind = Kind::null;
  bool boolean = false;
  std::int64_t integer = 0;  // integers beyond 63 bits are kept as real
  double real = 0;           // set for integer, too
  std::string string;        // for real the text of the number
  std::vector<Node> items;
  std::vector<std::pair<std::string, Node>> members;  // in the order of the text
  std::size_t position = 0;                           // counts the values of the text

  bool is_number() const { return kind == Kind::integer || kind == Kind::real; }
  const Node* member(std::string_view key) const;
  // By JSON pointer; nullptr when there is no such value.
  const Node* find(std::string_view pointer) const;
  std::vector<std::string> keys() const;
};

// One step of a JSON pointer, with ~ and / escaped (RFC 6901 section 3), and back.
std::string pointer_step(std::string_view key);
std::vector<std::string> pointer_steps(std::string_view pointer);

// The value as an error message shows it: a string in quotes, cut when long; {...} and [...] for objects and arrays.
std::string shown(const Node& node);
std::string shown(double number);

}  // namespace ncqlab::config
