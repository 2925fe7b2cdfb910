// A program at work in one object of the machine: its variables, and what each rule has come to.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/faults/occasion.h"
#include "model/faults/program.h"
#include "model/sim/random.h"

namespace ncqlab::faults {

// What one rule has done so far.
struct Firings {
  std::string program;
  std::string rule;
  std::string hook;
  std::uint64_t met = 0;    // events that met the condition
  std::uint64_t fired = 0;  // that triggers and limit let through
};

class RunningProgram {
 public:
  // A rule draws its chances from the stream (seed, program/rule), one for each event that meets its condition.
  RunningProgram(Program program, std::uint64_t seed);

  bool has_rules_at(const Hook& hook) const;
  // All rules of the hook, in their order: what one has set, the next one sees.
  void occur(const Hook& hook, Occasion& occasion);
  std::vector<Firings> firings() const;

 private:
  struct State {
    std::uint64_t met = 0;
    std::uint64_t fired = 0;
    sim::Stream chances;
  };
  static bool fires(const Rule& rule, State& state);

  Program program_;
  std::vector<std::int64_t> variables_;
  std::vector<State> states_;  // of the rules
};

}  // namespace ncqlab::faults
