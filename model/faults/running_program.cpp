#include "model/faults/running_program.h"

#include <algorithm>
#include <utility>

namespace ncqlab::faults {

RunningProgram::RunningProgram(Program program, std::uint64_t seed) : program_(std::move(program)) {
  for (const Variable& variable : program_.variables()) variables_.push_back(variable.value);
  for (const Rule& rule : program_.rules()) {
    states_.push_back({0, 0, sim::Stream(seed, "fault/" + program_.id() + "/" + rule.id)});
  }
}

bool RunningProgram::has_rules_at(const Hook& hook) const {
  return std::any_of(program_.rules().begin(), program_.rules().end(),
                     [&hook](const Rule& rule) { return rule.hook == &hook; });
}

void RunningProgram::occur(const Hook& hook, Occasion& occasion) {
  occasion.variables = variables_.data();
  for (std::size_t i = 0; i < states_.size(); ++i) {
    const Rule& rule = program_.rules()[i];
    if (rule.hook != &hook) continue;
    if (rule.condition && rule.condition->value(occasion) == 0) continue;
    if (!fires(rule, states_[i])) continue;
    for (const auto& action : rule.actions) action->act(occasion);
  }
}

bool RunningProgram::fires(const Rule& rule, State& state) {
  ++state.met;
  const bool chance = rule.p >= 1 || state.chances.unit() < rule.p;
  if (rule.nth != 0 && state.met != rule.nth) return false;
  if (state.met % rule.every != 0 || !chance || state.fired >= rule.limit) return false;
  ++state.fired;
  return true;
}

std::vector<Firings> RunningProgram::firings() const {
  std::vector<Firings> all;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    const Rule& rule = program_.rules()[i];
    all.push_back({program_.id(), rule.id, rule.hook->name, states_[i].met, states_[i].fired});
  }
  return all;
}

}  // namespace ncqlab::faults
