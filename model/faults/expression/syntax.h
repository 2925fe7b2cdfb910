// An expression as a tree. Nodes stand in one vector, children before their parents.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ncqlab::faults {

enum class Operator : std::uint8_t {
  logical_or,
  logical_and,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  add,
  subtract,
  bit_or,
  bit_xor,
  multiply,
  modulo,
  bit_and,
  shift_left,
  shift_right,
};

inline bool is_comparison(Operator op) { return op >= Operator::equal && op <= Operator::greater_equal; }

struct Syntax {
  struct Bound {  // an end of a range in a set: a number, or a state's name
    std::size_t column = 0;
    std::string name;
    std::int64_t value = 0;
  };
  struct Node {
    enum class Kind : std::uint8_t { number, boolean, name, negative, logical_not, binary, in_set };
    Node(Kind of_kind, std::size_t at) : kind(of_kind), column(at) {}

    Kind kind;
    std::size_t column;      // where it begins; of binary: of its operator
    std::int64_t value = 0;  // number, boolean
    std::string name;        // a path, a state, a constant
    Operator op = Operator::add;
    std::size_t left = 0;   // the operand of negative, logical_not and in_set, too
    std::size_t right = 0;  // of binary
    std::vector<std::pair<Bound, Bound>> set;
  };
  std::vector<Node> nodes;

  const Node& root() const { return nodes.back(); }
};

// Throws ExpressionError.
Syntax parse(std::string_view text);

}  // namespace ncqlab::faults
