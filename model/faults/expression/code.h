// An expression in the form in which it is evaluated: steps on a small stack, nothing allocated, nothing that can fail.
// Arithmetic is that of 64-bit two's complement, wrapping.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/faults/directory.h"
#include "model/faults/expression/scope.h"
#include "model/faults/expression/syntax.h"
#include "model/faults/occasion.h"

namespace ncqlab::faults {

class Code {
 public:
  static constexpr std::size_t kDeepest = 64;

  enum class Op : std::uint8_t {
    push,
    load,      // a field
    variable,  //
    negate,
    logical_not,
    in_set,
    binary,
  };
  struct Step {
    Op op;
    std::uint8_t place = 0;  // of the object or the variable; of in_set: how many ranges
    Operator binary = Operator::add;
    std::int64_t value = 0;  // of push; of in_set: the first range
    std::int64_t (*get)(const void*) = nullptr;
  };
  struct Range {
    std::int64_t first, last;
  };

  std::int64_t value(const Occasion& occasion) const;

  std::vector<Step> steps;
  std::vector<Range> ranges;
};

// Throws ExpressionError when the text is no expression, or not of that type. `state` is the field whose states a bare
// name may be, when a state is wanted.
Code compile(std::string_view text, const Scope& scope, Type wanted, const Field* state = nullptr);
Code constant(std::int64_t value);

}  // namespace ncqlab::faults
