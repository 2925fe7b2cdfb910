// What a rule does. Each action is a file of its own in actions/ with its arguments; a new one adds that file, a line
// in actions/kinds.cpp, and its name at the hooks that offer it (names/).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/faults/directory.h"
#include "model/faults/expression/code.h"
#include "model/faults/expression/scope.h"
#include "model/faults/occasion.h"
#include "model/faults/source.h"

namespace ncqlab::faults {

class Action {
 public:
  virtual ~Action() = default;
  virtual void act(Occasion& occasion) const = 0;
};

// The arguments of one action while it is made: each is asked for by its key, and what is wrong becomes a problem.
class Arguments {
 public:
  Arguments(const ActionSource& source, const Hook& hook, const std::vector<std::string>& variables,
            std::vector<Problem>& problems)
      : source_(source), hook_(hook), variables_(variables), problems_(problems) {}

  const Hook& hook() const { return hook_; }
  Scope scope() const { return {&hook_, &variables_, {}}; }
  bool has(const char* key) const { return find(key) != nullptr; }

  // An expression, or a literal value; nothing when it is wrong, or missing though needed.
  std::unique_ptr<Code> expression(const char* key, const Scope& scope, Type wanted, const Field* state = nullptr);
  // A name; empty when it is missing.
  std::string name(const char* key);
  bool flag(const char* key, bool otherwise);
  sim::Time time(const char* key);

  void wrong(const char* key, std::string found, std::string expected, std::string word = {},
             std::vector<std::string> candidates = {});

 private:
  const Argument* find(const char* key) const;
  const Argument* need(const char* key, const char* expected);

  const ActionSource& source_;
  const Hook& hook_;
  const std::vector<std::string>& variables_;
  std::vector<Problem>& problems_;
};

struct ActionKind {
  const char* name;
  const char* arguments;
  const char* meaning;
  std::shared_ptr<const Action> (*make)(Arguments& arguments);  // null when there were problems
};

const std::vector<ActionKind>& action_kinds();

// actions/
ActionKind set_action();
ActionKind fail_action();
ActionKind skip_action();
ActionKind delay_action();

}  // namespace ncqlab::faults
