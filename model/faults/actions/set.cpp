// set: gives a field or a variable a new value, from its old one and an expression.
#include <algorithm>

#include "model/faults/action.h"
#include "model/faults/expression/error.h"

namespace ncqlab::faults {

namespace {

constexpr const char* kOperators[] = {"=", "or", "and", "andnot", "xor", "add", "sub"};
enum Change { kAssign, kOr, kAnd, kAndNot, kXor, kAdd, kSubtract };

class Set final : public Action {
 public:
  Set(const Reference& target, Change change, Code value)
      : target_(target), change_(change), value_(std::move(value)) {}

  // What does not fit the field loses its upper bits, as in a register; the limits of every settable integer are of the
  // form 0 to 2^n - 1 (a test over the directory).
  void act(Occasion& occasion) const override {
    const std::int64_t right = value_.value(occasion);
    if (target_.field == nullptr) {
      std::int64_t& variable = occasion.variables[target_.place];
      variable = changed(variable, right);
      return;
    }
    void* object = occasion.objects[target_.place];
    target_.field->set(object, changed(target_.field->get(object), right) & target_.field->most);
  }

 private:
  std::int64_t changed(std::int64_t old, std::int64_t right) const {
    switch (change_) {
      case kAssign:
        return right;
      case kOr:
        return old | right;
      case kAnd:
        return old & right;
      case kAndNot:
        return old & ~right;
      case kXor:
        return old ^ right;
      case kAdd:
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(old) + static_cast<std::uint64_t>(right));
      case kSubtract:
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(old) - static_cast<std::uint64_t>(right));
    }
    return old;
  }

  Reference target_;
  Change change_;
  Code value_;
};

std::vector<std::string> settable_names(const Scope& scope) {
  std::vector<std::string> names;
  for (const std::string& path : paths_of(scope)) {
    const Reference reference = resolve(scope, 1, path);
    if (reference.field == nullptr || is_settable_at(*reference.field, *scope.hook)) names.push_back(path);
  }
  return names;
}

std::shared_ptr<const Action> make(Arguments& arguments) {
  const Scope scope = arguments.scope();
  const std::string path = arguments.name("path");
  if (path.empty()) return nullptr;
  Reference target;
  try {
    target = resolve(scope, 1, path);
  } catch (const ExpressionError& error) {
    arguments.wrong("path", "found " + error.found, error.expected, error.word, settable_names(scope));
    return nullptr;
  }
  if (target.field != nullptr && !is_settable_at(*target.field, *scope.hook)) {
    std::string expected = "a name that can be set there";
    for (std::size_t i = 0; i < target.field->settable_at.size(); ++i) {
      expected = (i == 0 ? "another hook: it can be set at " : expected + ", ") + target.field->settable_at[i];
    }
    arguments.wrong("path", "'" + path + "', which cannot be set at " + scope.hook->name, expected);
    return nullptr;
  }
  const std::string name = arguments.has("op") ? arguments.name("op") : kOperators[kAssign];
  const auto* place = std::find(std::begin(kOperators), std::end(kOperators), name);
  if (place == std::end(kOperators)) {
    arguments.wrong("op", "found '" + name + "'", "one of =, or, and, andnot, xor, add, sub", name,
                    {std::begin(kOperators), std::end(kOperators)});
    return nullptr;
  }
  const auto change = static_cast<Change>(place - std::begin(kOperators));
  const Type type = target.field == nullptr ? Type::integer : target.field->type;
  if (type != Type::integer && change != kAssign) {
    arguments.wrong("op", "'" + name + "' of what is no integer", "=");
    return nullptr;
  }
  const auto value = arguments.expression("v", scope, type, type == Type::state ? target.field : nullptr);
  if (value == nullptr) return nullptr;
  return std::make_shared<Set>(target, change, *value);
}

}  // namespace

ActionKind set_action() {
  return {"set", "path, op (= or and andnot xor add sub), v", "gives a field or a variable a new value", make};
}

}  // namespace ncqlab::faults
