#include "model/faults/expression/feasible.h"

#include <algorithm>
#include <map>
#include <optional>

#include "model/faults/expression/error.h"
#include "model/faults/expression/ranges.h"

namespace ncqlab::faults {

namespace {

using Node = Syntax::Node;
using Kind = Node::Kind;

// What each name may be; a name that is not there may be anything.
using Possible = std::map<std::string, Ranges>;

class Feasibility {
 public:
  Feasibility(const Syntax& syntax, const Scope& scope) : syntax_(syntax), scope_(scope) {}

  // Nothing: the node is never `wanted`.
  std::optional<Possible> when(const Node& node, bool wanted) {
    switch (node.kind) {
      case Kind::logical_not:
        return when(at(node.left), !wanted);
      case Kind::binary:
        if (node.op == Operator::logical_and) return wanted ? both(node, wanted) : either(node, wanted);
        if (node.op == Operator::logical_or) return wanted ? either(node, wanted) : both(node, wanted);
        return comparison(node, wanted);
      case Kind::in_set: {
        Ranges set;
        for (const auto& [low, high] : node.set) set = set.either({value(low, node), value(high, node)});
        return within(at(node.left), set, wanted);
      }
      case Kind::boolean:
        if ((node.value != 0) != wanted) return std::nullopt;
        return Possible{};
      case Kind::name:
        return within(node, {1, 1}, wanted);
      case Kind::number:
      case Kind::negative:
        break;  // of no condition
    }
    return Possible{};
  }

  // For the message: the first name whose limits alone, or with what else is asked of it, rule the condition out.
  const std::string& culprit() const { return culprit_; }

 private:
  const Node& at(std::size_t place) const { return syntax_.nodes[place]; }

  std::optional<Possible> both(const Node& node, bool wanted) {
    std::optional<Possible> left = when(at(node.left), wanted);
    const std::optional<Possible> right = when(at(node.right), wanted);
    if (!left || !right) return std::nullopt;
    for (const auto& [name, ranges] : *right) {
      const auto [place, is_new] = left->emplace(name, ranges);
      if (!is_new) place->second = place->second.both(ranges);
      if (place->second.empty()) return never(name);
    }
    return left;
  }

  std::optional<Possible> either(const Node& node, bool wanted) {
    const std::optional<Possible> left = when(at(node.left), wanted);
    const std::optional<Possible> right = when(at(node.right), wanted);
    if (!left) return right;
    if (!right) return left;
    Possible result;
    for (const auto& [name, ranges] : *left) {
      const auto other = right->find(name);
      if (other != right->end()) result.emplace(name, ranges.either(other->second));
    }
    return result;
  }

  std::optional<Possible> comparison(const Node& node, bool wanted) {
    const Ranges right = limits(at(node.right), &at(node.left));
    if (right.first() == right.last()) return within(at(node.left), meeting(node.op, right.first()), wanted);
    const Ranges left = limits(at(node.left));
    const bool apart = left.both(right).empty();
    const bool below = left.last() < right.first();
    const bool above = left.first() > right.last();
    const bool not_above = left.last() <= right.first();
    const bool not_below = left.first() >= right.last();
    const auto decided = [&](bool always, bool never_holds) -> std::optional<Possible> {
      if ((wanted && never_holds) || (!wanted && always)) return std::nullopt;
      return Possible{};
    };
    switch (node.op) {
      case Operator::equal:
        return decided(false, apart);
      case Operator::not_equal:
        return decided(apart, false);
      case Operator::less:
        return decided(below, not_below);
      case Operator::less_equal:
        return decided(not_above, above);
      case Operator::greater:
        return decided(above, not_above);
      default:
        return decided(not_below, below);
    }
  }

  // The values that compare so with `constant`.
  static Ranges meeting(Operator op, std::int64_t constant) {
    const Ranges same{constant, constant};
    const Ranges below = constant == INT64_MIN ? Ranges() : Ranges(INT64_MIN, constant - 1);
    const Ranges above = constant == INT64_MAX ? Ranges() : Ranges(constant + 1, INT64_MAX);
    switch (op) {
      case Operator::equal:
        return same;
      case Operator::not_equal:
        return below.either(above);
      case Operator::less:
        return below;
      case Operator::less_equal:
        return below.either(same);
      case Operator::greater:
        return above;
      default:
        return above.either(same);
    }
  }

  // The node's value lies in the set, or when not `wanted` outside.
  std::optional<Possible> within(const Node& node, const Ranges& set, bool wanted) {
    const Ranges all = limits(node);
    const Ranges left = all.both(wanted ? set : set.rest_of(INT64_MIN, INT64_MAX));
    if (left.empty()) return never(node.kind == Kind::name ? node.name : std::string());
    if (node.kind != Kind::name) return Possible{};
    return Possible{{node.name, left}};
  }

  std::nullopt_t never(const std::string& name) {
    if (culprit_.empty()) culprit_ = name;
    return std::nullopt;
  }

  // `context`: whose states a bare name is one of.
  Ranges limits(const Node& node, const Node* context = nullptr) const {
    const Ranges any{INT64_MIN, INT64_MAX};
    if (node.kind == Kind::number || node.kind == Kind::boolean) return {node.value, node.value};
    if (node.kind == Kind::name && node.name.find('.') != std::string::npos) {
      const Reference reference = resolve(scope_, node.column, node.name);
      if (reference.field == nullptr) return any;
      return {reference.field->least, reference.field->most};
    }
    if (node.kind == Kind::name) {
      for (const auto& [name, constant] : scope_.constants) {
        if (name == node.name) return {constant, constant};
      }
      const std::int64_t state = context == nullptr ? 0 : state_of(*context, node.name);
      return {state, state};
    }
    if (node.kind == Kind::negative && at(node.left).kind == Kind::number) {
      return {-at(node.left).value, -at(node.left).value};
    }
    if (node.kind != Kind::binary) return node.kind == Kind::negative ? any : Ranges(0, 1);
    if (is_comparison(node.op) || node.op == Operator::logical_or || node.op == Operator::logical_and) return {0, 1};
    if (node.op == Operator::modulo) return {0, at(node.right).value - 1};
    const Node& right = at(node.right);
    if (node.op == Operator::bit_and && right.kind == Kind::number) return {0, right.value};
    return any;
  }

  std::int64_t state_of(const Node& context, const std::string& name) const {
    if (context.kind != Kind::name) return 0;
    const auto& states = resolve(scope_, context.column, context.name).field->states;
    return std::find(states.begin(), states.end(), name) - states.begin();
  }
  std::int64_t value(const Syntax::Bound& bound, const Node& node) const {
    return bound.name.empty() ? bound.value : state_of(at(node.left), bound.name);
  }

  const Syntax& syntax_;
  const Scope& scope_;
  std::string culprit_;
};

}  // namespace

void check_feasible(const Syntax& syntax, const Scope& scope) {
  Feasibility feasibility(syntax, scope);
  if (feasibility.when(syntax.root(), true)) return;
  std::string expected = "one that some event meets";
  if (!feasibility.culprit().empty()) {
    const Reference reference = resolve(scope, 1, feasibility.culprit());
    if (reference.field != nullptr) expected += "; " + feasibility.culprit() + " is " + values_of(*reference.field);
  }
  throw ExpressionError(1, "a condition that never holds", expected);
}

}  // namespace ncqlab::faults
