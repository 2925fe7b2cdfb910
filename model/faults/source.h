// A fault program as it was read, before names and types are checked: made by model/config/fault_program.h from a file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "model/sim/time.h"

namespace ncqlab::faults {

// A time has had the unit of its key, which the key here lacks: {"time_ms": 3} is time, 3 ms.
struct Argument {
  std::string key;
  std::string pointer;  // of its place in the file, for messages
  struct Duration {
    sim::Time time;
  };
  std::variant<bool, std::int64_t, Duration, std::string> value;  // a text: an expression or a name
};

struct ActionSource {
  std::string name;
  std::string pointer;
  std::vector<Argument> arguments;
};

struct RuleSource {
  std::string id;  // empty: none
  std::string on;
  std::optional<std::string> condition;
  std::optional<std::uint64_t> nth, every, limit;
  std::optional<double> p;
  std::vector<ActionSource> actions;
  std::string pointer;
};

struct ProgramSource {
  std::string id;
  std::string title;
  std::vector<std::pair<std::string, std::int64_t>> variables;
  std::vector<RuleSource> rules;
};

// What is wrong with it, for people: `word` is the wrong name and `candidates` those that there are.
struct Problem {
  std::string pointer;
  std::string found;
  std::string expected;
  std::string word;
  std::vector<std::string> candidates;
};

}  // namespace ncqlab::faults
