#include "model/faults/expression/code.h"

namespace ncqlab::faults {

namespace {

std::int64_t apply(Operator op, std::int64_t left, std::int64_t right) {
  const auto a = static_cast<std::uint64_t>(left);
  const auto b = static_cast<std::uint64_t>(right);
  switch (op) {
    case Operator::logical_or:
      return left | right;
    case Operator::logical_and:
      return left & right;
    case Operator::equal:
      return left == right ? 1 : 0;
    case Operator::not_equal:
      return left != right ? 1 : 0;
    case Operator::less:
      return left < right ? 1 : 0;
    case Operator::less_equal:
      return left <= right ? 1 : 0;
    case Operator::greater:
      return left > right ? 1 : 0;
    case Operator::greater_equal:
      return left >= right ? 1 : 0;
    case Operator::add:
      return static_cast<std::int64_t>(a + b);
    case Operator::subtract:
      return static_cast<std::int64_t>(a - b);
    case Operator::bit_or:
      return static_cast<std::int64_t>(a | b);
    case Operator::bit_xor:
      return static_cast<std::int64_t>(a ^ b);
    case Operator::multiply:
      return static_cast<std::int64_t>(a * b);
    case Operator::modulo: {
      const std::int64_t rest = left % right;  // right is a constant above 0
      return rest < 0 ? rest + right : rest;
    }
    case Operator::bit_and:
      return static_cast<std::int64_t>(a & b);
    case Operator::shift_left:
      return static_cast<std::int64_t>(a << b);  // b is a constant below 64
    case Operator::shift_right:
      return static_cast<std::int64_t>(a >> b);
  }
  return 0;
}

}  // namespace

std::int64_t Code::value(const Occasion& occasion) const {
  std::int64_t stack[kDeepest];
  std::size_t top = 0;  // the first free place
  for (const Step& step : steps) {
    switch (step.op) {
      case Op::push:
        stack[top++] = step.value;
        break;
      case Op::load:
        stack[top++] = step.get(occasion.objects[step.place]);
        break;
      case Op::variable:
        stack[top++] = occasion.variables[step.place];
        break;
      case Op::negate:
        stack[top - 1] = static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(stack[top - 1]));
        break;
      case Op::logical_not:
        stack[top - 1] = stack[top - 1] == 0 ? 1 : 0;
        break;
      case Op::in_set: {
        bool in = false;
        const Range* range = ranges.data() + step.value;
        for (unsigned i = 0; i < step.place; ++i)
          in = in || (range[i].first <= stack[top - 1] && stack[top - 1] <= range[i].last);
        stack[top - 1] = in ? 1 : 0;
        break;
      }
      case Op::binary:
        --top;
        stack[top - 1] = apply(step.binary, stack[top - 1], stack[top]);
        break;
    }
  }
  return stack[0];
}

Code constant(std::int64_t value) {
  Code code;
  code.steps.push_back({Code::Op::push, 0, Operator::add, value, nullptr});
  return code;
}

}  // namespace ncqlab::faults
