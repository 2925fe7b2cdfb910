// A fault program: rules that say at which hook, when, and what. Made once, shared by all drives that have it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/faults/action.h"
#include "model/faults/expression/code.h"
#include "model/faults/source.h"

namespace ncqlab::faults {

struct Rule {
  std::string id;              // "rule 3" when the program gives none
  const Hook* hook = nullptr;  // in the directory
  std::optional<Code> condition;
  // Of the events that meet the condition: the nth, every so-manieth, each with probability p; at most `limit` in all.
  std::uint64_t nth = 0;    // 0: all
  std::uint64_t every = 1;  //
  std::uint64_t limit = ~std::uint64_t{0};
  double p = 1;
  std::vector<std::shared_ptr<const Action>> actions;
};

struct Variable {
  std::string name;
  std::int64_t value;  // at first
};

// Cheap to copy.
class Program {
 public:
  const std::string& id() const { return data_->id; }
  const std::string& title() const { return data_->title; }
  const std::vector<Variable>& variables() const { return data_->variables; }
  const std::vector<Rule>& rules() const { return data_->rules; }

 private:
  friend std::optional<Program> make_program(const ProgramSource&, std::vector<Problem>&);
  struct Data {
    std::string id, title;
    std::vector<Variable> variables;
    std::vector<Rule> rules;
  };
  explicit Program(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  std::shared_ptr<const Data> data_;
};

// Nothing when there were problems: an unknown name, a wrong type, a rule that can never fire.
std::optional<Program> make_program(const ProgramSource& source, std::vector<Problem>& problems);

}  // namespace ncqlab::faults
