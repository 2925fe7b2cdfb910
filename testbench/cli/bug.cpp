// `ncqlab bug names|list|check`: what a fault program may use, the shipped ones, and what is wrong with one.
#include <cstdio>
#include <string>

#include "model/config/fault_program.h"
#include "model/config/files.h"
#include "model/faults/action.h"
#include "model/faults/directory.h"
#include "testbench/cli/commands.h"
#include "testbench/report/table.h"

namespace ncqlab::cli {

namespace {

using report::TextTable;

std::string joined(const std::vector<const char*>& words) {
  std::string text;
  for (const char* word : words) text += (text.empty() ? "" : ", ") + std::string(word);
  return text;
}

std::string type_of(const faults::Field& field) {
  switch (field.type) {
    case faults::Type::integer:
      return "integer " + faults::values_of(field);
    case faults::Type::flag:
      return "flag";
    case faults::Type::state:
      return "state " + joined(field.states);
  }
  return {};
}

int names() {
  const faults::Directory& directory = faults::Directory::get();
  constexpr auto kLeft = TextTable::Align::left;
  TextTable hooks({"hook", "shows", "can", "skips", "when"}, {kLeft, kLeft, kLeft, kLeft, kLeft});
  for (const faults::Hook& hook : directory.hooks()) {
    hooks.add_row({hook.name, joined(hook.objects), joined(hook.actions), joined(hook.skips), hook.meaning});
  }
  std::fputs((hooks.text() + "\n").c_str(), stdout);
  for (const faults::Object& object : directory.objects()) {
    TextTable fields({object.name, "type", "can be set at", object.meaning}, {kLeft, kLeft, kLeft, kLeft});
    for (const faults::Field& field : object.fields) {
      fields.add_row(
          {std::string(object.name) + "." + field.name, type_of(field), joined(field.settable_at), field.meaning});
    }
    std::fputs((fields.text() + "\n").c_str(), stdout);
  }
  TextTable actions({"action", "arguments", ""}, {kLeft, kLeft, kLeft});
  for (const faults::ActionKind& kind : faults::action_kinds()) {
    actions.add_row({kind.name, kind.arguments, kind.meaning});
  }
  std::fputs(actions.text().c_str(), stdout);
  return 0;
}

int list() {
  int status = 0;
  for (const config::Listed& listed : config::list_profiles(config::kFaultFiles)) {
    std::printf("%-24s %s\n", listed.name.c_str(), listed.title.c_str());
    for (const std::string& error : listed.errors) std::fprintf(stderr, "%s\n", error.c_str());
    if (!listed.errors.empty()) status = 2;
  }
  return status;
}

int check(const std::string& name) {
  const faults::Program program = config::load_fault_program(name);
  std::printf("%s: a valid fault program, %zu %s\n", name.c_str(), program.rules().size(),
              program.rules().size() == 1 ? "rule" : "rules");
  return 0;
}

}  // namespace

int bug(const BugOptions& options) {
  switch (options.action) {
    case BugOptions::Action::names:
      return names();
    case BugOptions::Action::list:
      return list();
    case BugOptions::Action::check:
      return check(options.name);
  }
  return 4;
}

}  // namespace ncqlab::cli
