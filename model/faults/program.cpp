#include "model/faults/program.h"

#include <algorithm>

#include "model/faults/expression/error.h"

namespace ncqlab::faults {

namespace {

template <class Named>
std::vector<std::string> names_of(const std::vector<Named>& all) {
  std::vector<std::string> names;
  for (const Named& one : all) names.emplace_back(one.name);
  return names;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

class Maker {
 public:
  Maker(const std::vector<std::string>& variables, std::vector<Problem>& problems)
      : variables_(variables), problems_(problems) {}

  Rule rule(const RuleSource& source, std::size_t number) {
    Rule rule;
    rule.id = source.id.empty() ? "rule " + std::to_string(number) : source.id;
    trigger(source, rule);
    rule.hook = Directory::get().find_hook(source.on);
    if (rule.hook == nullptr) {
      const auto hooks = names_of(Directory::get().hooks());
      problem(source.pointer + "/on", "found \"" + source.on + "\"", "one of " + joined(hooks), source.on, hooks);
      return rule;
    }
    if (source.condition) {
      try {
        rule.condition = compile(*source.condition, {rule.hook, &variables_}, Type::flag);
      } catch (const ExpressionError& error) {
        problem(source.pointer + "/if",
                "\"" + *source.condition + "\": column " + std::to_string(error.column) + ": found " + error.found,
                error.expected, error.word, error.candidates);
      }
    }
    if (source.actions.empty()) problem(source.pointer + "/do", "no action", "at least one");
    for (const ActionSource& one : source.actions) action(one, rule);
    return rule;
  }

 private:
  void problem(std::string pointer, std::string found, std::string expected, std::string word = {},
               std::vector<std::string> candidates = {}) {
    problems_.push_back(
        {std::move(pointer), std::move(found), std::move(expected), std::move(word), std::move(candidates)});
  }

  void trigger(const RuleSource& source, Rule& rule) {
    for (const auto& [key, value] : {std::pair{"nth", source.nth}, {"every", source.every}, {"limit", source.limit}}) {
      if (value == std::uint64_t{0}) problem(source.pointer + "/" + key, "found 0: the rule never fires", "at least 1");
    }
    if (source.p && !(*source.p > 0 && *source.p <= 1)) {
      problem(source.pointer + "/p", "found a probability outside 0 to 1, or 0", "above 0, at most 1");
    }
    if (source.nth && source.every) {
      problem(source.pointer, "both \"nth\" and \"every\"", "one of them");
    }
    if (source.p && source.id.empty()) {
      problem(source.pointer, "\"p\" without \"id\"", "an id: the rule's chances hang on its name, not on its place");
    }
    rule.nth = source.nth.value_or(0);
    rule.every = source.every.value_or(1);
    rule.limit = source.limit.value_or(~std::uint64_t{0});
    rule.p = source.p.value_or(1);
  }

  void action(const ActionSource& source, Rule& rule) {
    const auto& offered = rule.hook->actions;
    const auto kind = std::find_if(action_kinds().begin(), action_kinds().end(),
                                   [&](const ActionKind& one) { return source.name == one.name; });
    const bool offers =
        std::any_of(offered.begin(), offered.end(), [&](const char* name) { return source.name == name; });
    if (kind == action_kinds().end() || !offers) {
      const std::vector<std::string> names(offered.begin(), offered.end());
      problem(source.pointer, "found \"" + source.name + "\"",
              "an action that " + std::string(rule.hook->name) + " offers: " + joined(names), source.name, names);
      return;
    }
    Arguments arguments(source, *rule.hook, variables_, problems_);
    if (auto made = kind->make(arguments)) rule.actions.push_back(std::move(made));
  }

  const std::vector<std::string>& variables_;
  std::vector<Problem>& problems_;
};

constexpr std::size_t kMostVariables = 256;

}  // namespace

std::optional<Program> make_program(const ProgramSource& source, std::vector<Problem>& problems) {
  auto data = std::make_shared<Program::Data>();
  data->id = source.id;
  data->title = source.title;
  for (const auto& [name, value] : source.variables) data->variables.push_back({name, value});
  if (source.variables.size() > kMostVariables) problems.push_back({"/vars", "over 256 variables", "fewer", {}, {}});
  const std::vector<std::string> variables = names_of(data->variables);
  Maker maker(variables, problems);
  for (std::size_t i = 0; i < source.rules.size(); ++i) {
    const RuleSource& rule = source.rules[i];
    data->rules.push_back(maker.rule(rule, i + 1));
    for (std::size_t other = 0; other < i; ++other) {
      if (data->rules[other].id == data->rules[i].id) {
        problems.push_back({rule.pointer + "/id", "\"" + rule.id + "\" again", "an id of its own", {}, {}});
      }
    }
  }
  if (data->rules.empty()) problems.push_back({"/rules", "no rule", "at least one", {}, {}});
  if (!problems.empty()) return std::nullopt;
  return Program(std::move(data));
}

}  // namespace ncqlab::faults
