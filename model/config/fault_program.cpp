#include "model/config/fault_program.h"

#include <string>
#include <utility>
#include <vector>

#include "model/config/error.h"
#include "model/config/files.h"
#include "model/config/nearest_name.h"

namespace ncqlab::config {

namespace {

// Keys of times lose their unit: "time_ms" is "time".
faults::Argument read_argument(const std::string& key, const Value& value) {
  faults::Argument argument{key, value.pointer(), false};
  const std::size_t unit = key.rfind('_');
  const bool time = unit != std::string::npos && value.is_number() && key.compare(0, unit, "time") == 0;
  if (time) {
    argument.key = key.substr(0, unit);
    argument.value = faults::Argument::Duration{value.time()};
  } else if (value.is_bool()) {
    argument.value = value.flag();
  } else if (value.is_string()) {
    argument.value = value.text();
  } else {
    argument.value = value.integer();
  }
  return argument;
}

faults::ActionSource read_action(const Value& item) {
  faults::ActionSource action;
  for (const auto& [name, arguments] : item.members()) {
    action.name = name;
    action.pointer = arguments.pointer();
    for (const auto& [key, value] : arguments.members()) action.arguments.push_back(read_argument(key, value));
  }
  return action;
}

faults::RuleSource read_rule(const Value& value) {
  faults::RuleSource rule;
  rule.pointer = value.pointer();
  rule.id = value.text_or("id", "");
  rule.on = value.at("on").text();
  if (value.has("if")) rule.condition = value.at("if").text();
  for (const auto& [key, to] : {std::pair{"nth", &rule.nth}, {"every", &rule.every}, {"limit", &rule.limit}}) {
    if (value.has(key)) *to = value.at(key).count();
  }
  if (value.has("p")) rule.p = value.at("p").number();
  for (const Value& item : value.at("do").items()) rule.actions.push_back(read_action(item));
  return rule;
}

}  // namespace

faults::Program read_fault_program(const Document& document, std::string_view name) {
  document.validate(data_folder() / kFaultFiles.schema);
  const Value root = document.root();
  faults::ProgramSource source;
  source.id = name;
  source.title = root.at("title").text();
  if (root.has("vars")) {
    for (const auto& [key, value] : root.at("vars").members()) source.variables.emplace_back(key, value.integer());
  }
  for (const Value& rule : root.at("rules").items()) source.rules.push_back(read_rule(rule));

  std::vector<faults::Problem> problems;
  auto program = faults::make_program(source, problems);
  Findings findings(document.file());
  for (const faults::Problem& problem : problems) {
    const std::string nearest = problem.word.empty() ? "" : nearest_name(problem.word, problem.candidates);
    findings.add(problem.pointer, problem.found, problem.expected, nearest);
  }
  findings.throw_if_any();
  return *std::move(program);
}

faults::Program load_fault_program(std::string_view name_or_path) {
  const auto file = find_file(kFaultFiles, name_or_path);
  return read_fault_program(Document::load(file), file.stem().string());
}

}  // namespace ncqlab::config
