#include <utility>

#include "model/faults/action.h"
#include "model/faults/expression/error.h"

namespace ncqlab::faults {

const Argument* Arguments::find(const char* key) const {
  for (const Argument& argument : source_.arguments) {
    if (argument.key == key) return &argument;
  }
  return nullptr;
}

const Argument* Arguments::need(const char* key, const char* expected) {
  const Argument* argument = find(key);
  if (argument == nullptr) problems_.push_back({source_.pointer, "no \"" + std::string(key) + '"', expected, {}, {}});
  return argument;
}

void Arguments::wrong(const char* key, std::string found, std::string expected, std::string word,
                      std::vector<std::string> candidates) {
  const Argument* argument = find(key);
  problems_.push_back({argument == nullptr ? source_.pointer : argument->pointer, std::move(found), std::move(expected),
                       std::move(word), std::move(candidates)});
}

std::unique_ptr<Code> Arguments::expression(const char* key, const Scope& scope, Type wanted, const Field* state) {
  const Argument* argument = need(key, "a value");
  if (argument == nullptr) return nullptr;
  if (const auto* integer = std::get_if<std::int64_t>(&argument->value);
      integer != nullptr && wanted == Type::integer) {
    return std::make_unique<Code>(constant(*integer));
  }
  if (const auto* flag = std::get_if<bool>(&argument->value); flag != nullptr && wanted == Type::flag) {
    return std::make_unique<Code>(constant(*flag ? 1 : 0));
  }
  const auto* text = std::get_if<std::string>(&argument->value);
  if (text == nullptr) {
    const char* expected = wanted == Type::integer ? "an integer or an expression"
                           : wanted == Type::flag  ? "true, false or a condition"
                                                   : "the name of a state";
    wrong(key, "a value of another kind", expected);
    return nullptr;
  }
  try {
    return std::make_unique<Code>(compile(*text, scope, wanted, state));
  } catch (const ExpressionError& error) {
    wrong(key, "\"" + *text + "\": column " + std::to_string(error.column) + ": found " + error.found, error.expected,
          error.word, error.candidates);
    return nullptr;
  }
}

std::string Arguments::name(const char* key) {
  const Argument* argument = need(key, "a name");
  if (argument == nullptr) return {};
  if (const auto* text = std::get_if<std::string>(&argument->value)) return *text;
  wrong(key, "a value of another kind", "a name");
  return {};
}

bool Arguments::flag(const char* key, bool otherwise) {
  const Argument* argument = find(key);
  if (argument == nullptr) return otherwise;
  if (const auto* value = std::get_if<bool>(&argument->value)) return *value;
  wrong(key, "a value of another kind", "true or false");
  return otherwise;
}

sim::Time Arguments::time(const char* key) {
  const Argument* argument = need(key, "time_s, time_ms, time_us or time_ns");
  if (argument == nullptr) return 0;
  const auto* value = std::get_if<Argument::Duration>(&argument->value);
  if (value == nullptr || value->time <= 0) {
    wrong(key, value == nullptr ? "no time" : "no time at all", "a time above 0");
    return 0;
  }
  return value->time;
}

}  // namespace ncqlab::faults
