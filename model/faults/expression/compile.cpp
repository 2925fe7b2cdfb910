// From the tree to the steps, with the types checked on the way.
#include <algorithm>
#include <string>

#include "model/faults/expression/code.h"
#include "model/faults/expression/error.h"
#include "model/faults/expression/feasible.h"
#include "model/faults/expression/syntax.h"

namespace ncqlab::faults {

namespace {

using Node = Syntax::Node;

constexpr std::size_t kLongest_characters = 1000;

struct Typed {
  Type type;
  const Field* field = nullptr;  // of a state
};

std::string called(const Typed& typed) {
  switch (typed.type) {
    case Type::integer:
      return "an integer";
    case Type::flag:
      return "true or false";
    case Type::state:
      break;
  }
  std::string text = "a state, " + values_of(*typed.field);
  return text;
}

std::int64_t state_value(const Field& field, std::size_t column, const std::string& name) {
  const auto found = std::find(field.states.begin(), field.states.end(), name);
  if (found != field.states.end()) return found - field.states.begin();
  throw ExpressionError(column, "'" + name + "'", values_of(field), {field.states.begin(), field.states.end()}, name);
}

class Compiler {
 public:
  Compiler(const Syntax& syntax, const Scope& scope) : syntax_(syntax), scope_(scope) {}

  Code take(Type wanted, const Field* state) {
    const Node& root = syntax_.root();
    const Typed typed = step_for(root, state);
    if (typed.type != wanted || (wanted == Type::state && typed.field != state)) {
      std::string expected = called({wanted, state});
      if (wanted == Type::flag) expected = "a condition, such as cmd.opcode == 0xEA";
      throw ExpressionError(begin_of(root), called(typed), expected);
    }
    return std::move(code_);
  }

 private:
  const Node& node(std::size_t place) const { return syntax_.nodes[place]; }
  std::size_t begin_of(const Node& of) const {
    return of.kind == Node::Kind::binary ? begin_of(node(of.left)) : of.column;
  }

  void add(const Code::Step& step, int grows) {
    code_.steps.push_back(step);
    depth_ += grows;
    if (depth_ > static_cast<int>(Code::kDeepest)) throw ExpressionError(1, "too long an expression", "a simpler one");
  }

  // `state`: a bare name may be one of its states.
  Typed step_for(const Node& of, const Field* state = nullptr) {
    switch (of.kind) {
      case Node::Kind::number:
        add({Code::Op::push, 0, {}, of.value}, 1);
        return {Type::integer};
      case Node::Kind::boolean:
        add({Code::Op::push, 0, {}, of.value}, 1);
        return {Type::flag};
      case Node::Kind::name:
        return name(of, state);
      case Node::Kind::negative:
        need(node(of.left), Type::integer);
        add({Code::Op::negate}, 0);
        return {Type::integer};
      case Node::Kind::logical_not:
        need(node(of.left), Type::flag);
        add({Code::Op::logical_not}, 0);
        return {Type::flag};
      case Node::Kind::binary:
        return binary(of);
      case Node::Kind::in_set:
        return in_set(of);
    }
    return {Type::integer};
  }

  void need(const Node& of, Type type) {
    const Typed typed = step_for(of);
    if (typed.type != type) throw ExpressionError(begin_of(of), called(typed), called({type, nullptr}));
  }

  Typed name(const Node& of, const Field* state) {
    if (of.name.find('.') == std::string::npos) {
      if (state != nullptr) {
        add({Code::Op::push, 0, {}, state_value(*state, of.column, of.name)}, 1);
        return {Type::state, state};
      }
      for (const auto& [constant_name, value] : scope_.constants) {
        if (constant_name != of.name) continue;
        add({Code::Op::push, 0, {}, value}, 1);
        return {Type::integer};
      }
      std::vector<std::string> known = paths_of(scope_);
      for (const auto& one : scope_.constants) known.push_back(one.first);
      throw ExpressionError(of.column, "unknown name '" + of.name + "'",
                            "a number or a name that " + std::string(scope_.hook->name) + " shows", known, of.name);
    }
    const Reference reference = resolve(scope_, of.column, of.name);
    const auto place = static_cast<std::uint8_t>(reference.place);
    if (reference.field == nullptr) {
      add({Code::Op::variable, place}, 1);
      return {Type::integer};
    }
    add({Code::Op::load, place, {}, 0, reference.field->get}, 1);
    return {reference.field->type, reference.field};
  }

  Typed binary(const Node& of) {
    const bool logical = of.op == Operator::logical_or || of.op == Operator::logical_and;
    if (logical || !is_comparison(of.op)) {
      const Type type = logical ? Type::flag : Type::integer;
      need(node(of.left), type);
      need(node(of.right), type);
      if (!logical) check_right(of);
      add({Code::Op::binary, 0, of.op}, -1);
      return {type};
    }
    const Typed left = step_for(node(of.left));
    const Typed right = step_for(node(of.right), left.type == Type::state ? left.field : nullptr);
    if (left.type != right.type || (left.type == Type::state && left.field != right.field)) {
      throw ExpressionError(begin_of(node(of.right)), called(right), called(left));
    }
    const bool ordered = of.op != Operator::equal && of.op != Operator::not_equal;
    if (ordered && left.type != Type::integer) {
      throw ExpressionError(of.column, "an order of what has none", "== or !=");
    }
    add({Code::Op::binary, 0, of.op}, -1);
    return {Type::flag};
  }

  // What could fail when it is evaluated must be a constant.
  void check_right(const Node& of) const {
    const Node& right = node(of.right);
    const bool number = right.kind == Node::Kind::number;
    if (of.op == Operator::modulo && (!number || right.value < 1)) {
      throw ExpressionError(begin_of(right), "a right side of %", "a number above 0");
    }
    const bool shift = of.op == Operator::shift_left || of.op == Operator::shift_right;
    if (shift && (!number || right.value > 63)) {
      throw ExpressionError(begin_of(right), "a right side of << or >>", "a number from 0 to 63");
    }
  }

  Typed in_set(const Node& of) {
    const Typed typed = step_for(node(of.left));
    const std::size_t first = code_.ranges.size();
    for (const auto& [low, high] : of.set) {
      code_.ranges.push_back({bound(low, typed), bound(high, typed)});
      if (code_.ranges.back().first > code_.ranges.back().last) {
        throw ExpressionError(low.column, "an empty range", "the smaller end first");
      }
    }
    if (of.set.size() > 255) throw ExpressionError(of.column, "a set of over 255 ranges", "a smaller one");
    add({Code::Op::in_set, static_cast<std::uint8_t>(of.set.size()), {}, static_cast<std::int64_t>(first)}, 0);
    return {Type::flag};
  }

  static std::int64_t bound(const Syntax::Bound& bound, const Typed& typed) {
    if (typed.type == Type::flag) throw ExpressionError(bound.column, "a set of flags", "the flag itself, or 'not'");
    if (typed.type == Type::state) {
      if (bound.name.empty()) throw ExpressionError(bound.column, "a number", values_of(*typed.field));
      return state_value(*typed.field, bound.column, bound.name);
    }
    if (!bound.name.empty()) throw ExpressionError(bound.column, "'" + bound.name + "'", "a number");
    return bound.value;
  }

  const Syntax& syntax_;
  const Scope& scope_;
  Code code_;
  int depth_ = 0;
};

}  // namespace

Code compile(std::string_view text, const Scope& scope, Type wanted, const Field* state) {
  if (text.size() > kLongest_characters)
    throw ExpressionError(kLongest_characters, "a longer text", "at most 1000 characters");
  const Syntax syntax = parse(text);
  Code code = Compiler(syntax, scope).take(wanted, state);
  if (wanted == Type::flag && state == nullptr) check_feasible(syntax, scope);
  return code;
}

}  // namespace ncqlab::faults
