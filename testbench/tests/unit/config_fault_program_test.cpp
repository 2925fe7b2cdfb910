// Fault programs as files: what is said of a wrong one, and that nothing a file holds breaks the loader.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/config/error.h"
#include "model/config/fault_program.h"
#include "model/sim/random.h"

namespace ncqlab::config {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string program_text(const std::string& rules, const std::string& vars = "{}") {
  return R"({"title": "t", "source": "s", "evidence": "made up", "vars": )" + vars + R"(, "rules": [)" + rules + "]}";
}

// The lines without the file's name.
std::vector<std::string> errors_of(const std::string& text) {
  try {
    read_fault_program(Document::parse(text, "f.json"), "f");
  } catch (const ConfigError& error) {
    std::vector<std::string> lines;
    for (const std::string& line : error.lines()) {
      EXPECT_EQ(line.rfind("f.json:", 0), 0U) << line;
      lines.push_back(line.substr(std::min<std::size_t>(line.size(), 8)));
    }
    return lines;
  }
  return {};
}
std::vector<std::string> errors_of_rule(const std::string& rule, const std::string& vars = "{}") {
  return errors_of(program_text(rule, vars));
}

TEST(FaultProgram, EveryMemberIsRead) {
  const auto program = read_fault_program(
      Document::parse(program_text(R"({"id": "a", "on": "cmd.exec", "if": "cmd.fua", "every": 3, "limit": 7, "p": 0.25,
                                       "do": [{"skip": {"what": "fua"}}, {"delay": {"time_ms": 2}}]},
                                      {"on": "cmd.done", "nth": 4, "do": [{"fail": {}}]})",
                                   R"({"seen": -3})"),
                      "f.json"),
      "f");
  EXPECT_EQ(program.id(), "f");
  EXPECT_EQ(program.title(), "t");
  ASSERT_EQ(program.variables().size(), 1U);
  EXPECT_EQ(program.variables()[0].name, "seen");
  EXPECT_EQ(program.variables()[0].value, -3);
  ASSERT_EQ(program.rules().size(), 2U);
  const faults::Rule& first = program.rules()[0];
  EXPECT_EQ(first.id, "a");
  EXPECT_STREQ(first.hook->name, "cmd.exec");
  EXPECT_TRUE(first.condition.has_value());
  EXPECT_EQ(first.every, 3U);
  EXPECT_EQ(first.limit, 7U);
  EXPECT_EQ(first.p, 0.25);
  EXPECT_EQ(first.actions.size(), 2U);
  EXPECT_EQ(program.rules()[1].id, "rule 2");
  EXPECT_EQ(program.rules()[1].nth, 4U);
}

// ---- what is wrong with names

TEST(FaultProgram, AnUnknownHookIsNamedWithTheNearest) {
  EXPECT_THAT(
      errors_of_rule(R"({"on": "cmd.exex", "do": [{"fail": {}}]})"),
      ElementsAre(testing::AllOf(testing::StartsWith("/rules/0/on: found \"cmd.exex\", expected one of cmd.rx, "),
                                 testing::EndsWith("(nearest known name: \"cmd.exec\")"))));
}

TEST(FaultProgram, AnUnknownNameInAConditionIsNamedWithColumnAndNearest) {
  EXPECT_THAT(errors_of_rule(R"({"on": "cmd.exec", "if": "cmd.fua and cmd.opcod == 1", "do": [{"fail": {}}]})"),
              ElementsAre("/rules/0/if: \"cmd.fua and cmd.opcod == 1\": column 13: found unknown name 'cmd.opcod', "
                          "expected a name that cmd.exec shows (nearest known name: \"cmd.opcode\")"));
}

TEST(FaultProgram, AnUnknownPathToSetIsNamedWithTheNearestThatCanBeSet) {
  EXPECT_THAT(errors_of_rule(R"({"on": "cmd.exec", "do": [{"set": {"path": "cache.enable", "v": true}}]})"),
              ElementsAre("/rules/0/do/0/set/path: found unknown name 'cache.enable', expected a name that cmd.exec "
                          "shows (nearest known name: \"cache.enabled\")"));
}

TEST(FaultProgram, WhatCannotBeSetThereIsSaid) {
  EXPECT_THAT(
      errors_of_rule(R"({"on": "cmd.exec", "do": [{"set": {"path": "cmd.opcode", "v": 1}}]})"),
      ElementsAre("/rules/0/do/0/set/path: 'cmd.opcode', which cannot be set at cmd.exec, expected another hook: "
                  "it can be set at cmd.rx"));
  EXPECT_THAT(
      errors_of_rule(R"({"on": "cmd.exec", "do": [{"set": {"path": "drive.queued", "v": 1}}]})"),
      ElementsAre("/rules/0/do/0/set/path: 'drive.queued', which cannot be set at cmd.exec, expected a name that "
                  "can be set there"));
}

TEST(FaultProgram, AnUndeclaredVariableIsNamed) {
  EXPECT_THAT(errors_of_rule(R"({"on": "cmd.exec", "do": [{"set": {"path": "var.sen", "v": 1}}]})", R"({"seen": 0})"),
              ElementsAre("/rules/0/do/0/set/path: found 'var.sen', expected a variable of the program's \"vars\" "
                          "(nearest known name: \"var.seen\")"));
}

TEST(FaultProgram, WhatAHookCannotSkipOrDoIsSaid) {
  EXPECT_THAT(errors_of_rule(R"({"on": "cmd.exec", "do": [{"skip": {"what": "flsh"}}]})"),
              ElementsAre("/rules/0/do/0/skip/what: found 'flsh', expected what cmd.exec can skip: flush fua media "
                          "feature (nearest known name: \"flush\")"));
  EXPECT_THAT(
      errors_of_rule(R"({"on": "cmd.done", "do": [{"skip": {"what": "flush"}}]})"),
      ElementsAre("/rules/0/do/0/skip: found \"skip\", expected an action that cmd.done offers: set, fail, delay"));
}

// ---- types

TEST(FaultProgram, ValuesHaveTheTypeOfWhatIsSet) {
  EXPECT_THAT(errors_of_rule(R"({"on": "cmd.exec", "do": [{"set": {"path": "cache.enabled", "v": 1}}]})"),
              ElementsAre("/rules/0/do/0/set/v: a value of another kind, expected true, false or a condition"));
  EXPECT_THAT(errors_of_rule(R"({"on": "cmd.exec", "do": [{"set": {"path": "cmd.lba", "v": "cmd.fua"}}]})"),
              ElementsAre("/rules/0/do/0/set/v: \"cmd.fua\": column 1: found true or false, expected an integer"));
  EXPECT_THAT(
      errors_of_rule(R"({"on": "cmd.exec", "do": [{"set": {"path": "cache.enabled", "op": "xor", "v": true}}]})"),
      ElementsAre("/rules/0/do/0/set/op: 'xor' of what is no integer, expected ="));
}

TEST(FaultProgram, BitsOfStatusAndErrorHaveNames) {
  EXPECT_THAT(errors_of_rule(R"({"on": "cmd.exec", "do": [{"fail": {"status": "ERR | DF", "error": "UNC"}}]})"),
              ElementsAre());
  EXPECT_THAT(
      errors_of_rule(R"({"on": "cmd.exec", "do": [{"fail": {"error": "UNK"}}]})"),
      ElementsAre("/rules/0/do/0/fail/error: \"UNK\": column 1: found unknown name 'UNK', expected a number or a "
                  "name that cmd.exec shows (nearest known name: \"UNC\")"));
}

TEST(FaultProgram, TheSchemaNamesUnknownKeys) {
  EXPECT_THAT(errors_of_rule(R"({"on": "cmd.exec", "do": [{"delay": {"time_ms": 1}}], "limt": 3})"),
              ElementsAre(HasSubstr("/rules/0/limt: unknown key")));
  EXPECT_THAT(errors_of_rule(R"({"on": "cmd.exec", "do": [{"dely": {}}]})"),
              ElementsAre(HasSubstr("/rules/0/do/0/dely: unknown key")));
}

// ---- rules that can never fire

TEST(FaultProgram, ATriggerThatNeverComesIsRefused) {
  EXPECT_THAT(errors_of_rule(R"({"on": "cmd.exec", "limit": 0, "do": [{"fail": {}}]})"),
              ElementsAre("/rules/0/limit: found 0, expected an integer of at least 1"));
  EXPECT_THAT(errors_of_rule(R"({"on": "cmd.exec", "nth": 0, "do": [{"fail": {}}]})"),
              ElementsAre("/rules/0/nth: found 0, expected an integer of at least 1"));
  EXPECT_THAT(errors_of_rule(R"({"id": "a", "on": "cmd.exec", "p": 0, "do": [{"fail": {}}]})"),
              ElementsAre("/rules/0/p: found 0, expected a number above 0, at most 1"));
}

TEST(FaultProgram, AConditionThatNeverHoldsIsRefused) {
  EXPECT_THAT(
      errors_of_rule(R"({"on": "cmd.exec", "if": "cmd.tag > 32", "do": [{"fail": {}}]})"),
      ElementsAre("/rules/0/if: \"cmd.tag > 32\": column 1: found a condition that never holds, expected one that "
                  "some event meets; cmd.tag is from 0 to 32"));
}

TEST(FaultProgram, AProbabilityNeedsTheRulesName) {
  EXPECT_THAT(errors_of_rule(R"({"on": "cmd.exec", "p": 0.5, "do": [{"fail": {}}]})"),
              ElementsAre("/rules/0: \"p\" without \"id\", expected an id: the rule's chances hang on its name, not on "
                          "its place"));
}

TEST(FaultProgram, NthAndEveryTogetherAreRefused) {
  EXPECT_THAT(errors_of_rule(R"({"on": "cmd.exec", "nth": 2, "every": 3, "do": [{"fail": {}}]})"),
              ElementsAre("/rules/0: both \"nth\" and \"every\", expected one of them"));
}

TEST(FaultProgram, TwoRulesOfOneNameAreRefused) {
  const std::string rule = R"({"id": "a", "on": "cmd.exec", "do": [{"fail": {}}]})";
  EXPECT_THAT(errors_of_rule(rule + "," + rule), ElementsAre("/rules/1/id: \"a\" again, expected an id of its own"));
}

TEST(FaultProgram, AllErrorsComeAtOnce) {
  EXPECT_EQ(errors_of_rule(R"({"on": "cmd.exec", "if": "cmd.x", "do": [{"skip": {"what": "x"}}]},
                              {"on": "x", "do": [{"fail": {}}]})")
                .size(),
            3U);
}

// ---- anything

TEST(FaultProgram, ChangedBytesAndMovedPiecesLoadOrAreRefused) {
  const std::string text =
      program_text(R"({"id": "a", "on": "cmd.exec", "if": "cmd.class == write and cmd.lba % 8 in {0, 3..5}", "every": 3,
                       "do": [{"set": {"path": "cmd.lba", "op": "add", "v": "var.seen << 3"}},
                              {"delay": {"time_ms": 2}}]},
                      {"on": "cmd.done", "nth": 4, "do": [{"fail": {"error": "UNC", "abort_all": false}}]})",
                   R"({"seen": 1})");
  ASSERT_THAT(errors_of(text), ElementsAre());
  sim::Stream stream(1, "fault program bytes");
  std::size_t refused = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string changed = text;
    const auto at = stream.below(text.size());
    if (i % 2 == 0) {
      changed[at] = static_cast<char>(stream.below(256));
    } else {
      const auto from = stream.below(text.size());
      const auto length = stream.below(20);
      changed.insert(at, text.substr(from, length));
    }
    if (!errors_of(changed).empty()) ++refused;
  }
  EXPECT_GT(refused, 1500U);
}

}  // namespace
}  // namespace ncqlab::config
