// The expressions of fault programs: what they mean, and what is said of those that mean nothing.
#include <gtest/gtest.h>

#include <functional>

#include "model/drive/ata/command_hooks.h"
#include "model/faults/expression/code.h"
#include "model/faults/expression/error.h"
#include "model/sim/random.h"

namespace ncqlab::faults {
namespace {

// A queued write of 8 sectors at LBA 1000 with tag 5 and FUA, at cmd.exec; var.seen is 3, var.minus -7.
class Expression : public testing::Test {
 protected:
  Expression() {
    event_.hook = drive::CommandHook::execute;
    event_.fis.command = 0x61;
    event_.fis.count = 5 << 3 | 0x8000;
    event_.entry = drive::find_command(0x61, 0);
    event_.tag = 5;
    event_.lba = 1000;
    event_.sectors = 8;
    event_.force_unit_access = true;
    occasion_.objects[Directory::get().find_object("cmd")] = &event_;
    occasion_.variables = values_;
  }
  Scope scope() const { return {Directory::get().find_hook("cmd.exec"), &names_}; }
  std::int64_t value(const std::string& text) { return compile(text, scope(), Type::integer).value(occasion_); }
  bool holds(const std::string& text) { return compile(text, scope(), Type::flag).value(occasion_) != 0; }
  // "column: found; expected", and the word that no known name is.
  std::string refusal(const std::string& text, Type wanted = Type::flag) {
    try {
      compile(text, scope(), wanted);
    } catch (const ExpressionError& error) {
      const std::string word = error.word.empty() ? "" : " [" + error.word + "]";
      return std::to_string(error.column) + ": " + error.found + "; " + error.expected + word;
    }
    return "none";
  }

  drive::CommandEvent event_;
  Occasion occasion_;
  std::vector<std::string> names_ = {"seen", "minus"};
  std::int64_t values_[2] = {3, -7};
};

// ---- meaning

TEST_F(Expression, NumbersAreDecimalOrHexadecimal) {
  EXPECT_EQ(value("12"), 12);
  EXPECT_EQ(value("0xEa"), 234);
  EXPECT_EQ(value("9223372036854775807"), INT64_MAX);
  EXPECT_EQ(value("-0x7FFFFFFFFFFFFFFF - 1"), INT64_MIN);
}

TEST_F(Expression, PathsAreFieldsAndVariables) {
  EXPECT_EQ(value("cmd.opcode"), 0x61);
  EXPECT_EQ(value("cmd.lba + cmd.sectors"), 1008);
  EXPECT_EQ(value("var.seen"), 3);
}

TEST_F(Expression, ProductsBindTighterThanSumsAndBothToTheLeft) {
  EXPECT_EQ(value("2 + 3 * 4"), 14);
  EXPECT_EQ(value("(2 + 3) * 4"), 20);
  EXPECT_EQ(value("10 - 4 - 3"), 3);
  EXPECT_EQ(value("1 | 6 & 3"), 3);
  EXPECT_EQ(value("1 << 4 >> 2"), 4);
}

TEST_F(Expression, TheRestOfADivisionIsNeverNegative) {
  EXPECT_EQ(value("7 % 4"), 3);
  EXPECT_EQ(value("var.minus % 4"), 1);
  EXPECT_EQ(value("-8 % 4"), 0);
}

TEST_F(Expression, ArithmeticWraps) {
  EXPECT_EQ(value("9223372036854775807 + 1"), INT64_MIN);
  EXPECT_EQ(value("-9223372036854775807 - 2"), INT64_MAX);
  EXPECT_EQ(value("-(-9223372036854775807 - 1)"), INT64_MIN);
}

TEST_F(Expression, AMaskPicksAField) { EXPECT_EQ(value("cmd.count >> 3 & 0x1F"), 5); }

TEST_F(Expression, ComparisonsAreSigned) {
  EXPECT_TRUE(holds("var.minus < 0"));
  EXPECT_TRUE(holds("var.seen >= 3"));
  EXPECT_FALSE(holds("var.seen > 3"));
  EXPECT_TRUE(holds("var.seen <= 3"));
  EXPECT_TRUE(holds("cmd.tag != 4"));
}

TEST_F(Expression, AndBindsTighterThanOrAndNotTighterThanBoth) {
  EXPECT_TRUE(holds("cmd.fua or cmd.fua and cmd.tag == 4"));
  EXPECT_TRUE(holds("not cmd.tag == 4 and cmd.fua"));
  EXPECT_FALSE(holds("not (cmd.tag == 4 or cmd.fua)"));
}

TEST_F(Expression, SetsHaveMembersAndRanges) {
  EXPECT_TRUE(holds("cmd.opcode in {0x60, 0x61}"));
  EXPECT_TRUE(holds("cmd.lba in {0, 900..1000}"));
  EXPECT_FALSE(holds("cmd.lba in {0, 900..999}"));
  EXPECT_TRUE(holds("cmd.lba not in {0, 1001..2000}"));
  EXPECT_TRUE(holds("var.minus in {-10..-7}"));
}

TEST_F(Expression, StatesHaveNames) {
  EXPECT_TRUE(holds("cmd.class == write"));
  EXPECT_TRUE(holds("cmd.class in {read, write}"));
  EXPECT_TRUE(holds("cmd.class != read"));
}

TEST_F(Expression, FlagsStandForThemselvesAndCompare) {
  EXPECT_TRUE(holds("cmd.fua"));
  EXPECT_TRUE(holds("cmd.fua == true"));
  EXPECT_TRUE(holds("cmd.fua == cmd.queued"));
}

// ---- what is no expression

TEST_F(Expression, ErrorsOfTheTextPointAtTheColumn) {
  EXPECT_EQ(refusal(""), "1: the end; a number, a name or '('");
  EXPECT_EQ(refusal("cmd.tag =="), "11: the end; a number, a name or '('");
  EXPECT_EQ(refusal("cmd.tag == 1 2"), "14: '2'; an operator or the end");
  EXPECT_EQ(refusal("(cmd.tag == 1"), "14: the end; ')'");
  EXPECT_EQ(refusal("cmd.tag in {1, 2"), "17: the end; ',', '..' or '}'");
  EXPECT_EQ(refusal("cmd.tag in {}"), "13: '}'; a number or a state");
  EXPECT_EQ(refusal("cmd.tag not 3"), "13: '3'; 'in'");
  EXPECT_EQ(refusal("cmd.tag = 1"), "9: '='; a number, a name, or one of == != < <= > >= + - * % & | ^");
  EXPECT_EQ(refusal("cmd.tag == \x01"), "12: byte 0x01; a number, a name, or one of == != < <= > >= + - * % & | ^");
  EXPECT_EQ(refusal("a < b < c"), "7: '<'; an operator or the end");
}

TEST_F(Expression, NumbersHave63Bits) {
  EXPECT_EQ(refusal("cmd.lba == 9223372036854775808"),
            "12: '9223372036854775808'; a number such as 12 or 0xEA, below 2 to the power of 63");
  EXPECT_EQ(refusal("cmd.lba == 0x"), "12: '0x'; a number such as 12 or 0xEA, below 2 to the power of 63");
  EXPECT_EQ(refusal("cmd.lba == 12ab"), "12: '12ab'; a number such as 12 or 0xEA, below 2 to the power of 63");
}

TEST_F(Expression, UnknownNamesAreNamed) {
  EXPECT_EQ(refusal("cmd.opcod == 1"), "1: unknown name 'cmd.opcod'; a name that cmd.exec shows [cmd.opcod]");
  EXPECT_EQ(refusal("true and opcode == 1"),
            "10: unknown name 'opcode'; a number or a name that cmd.exec shows [opcode]");
  EXPECT_EQ(refusal("var.sen == 1"), "1: 'var.sen'; a variable of the program's \"vars\" [var.sen]");
  EXPECT_EQ(refusal("cmd.class == wrote"),
            "14: 'wrote'; one of other, read, write, verify, flush, trim, settings, identify, log, power [wrote]");
}

TEST_F(Expression, TypesMustFit) {
  EXPECT_EQ(refusal("cmd.tag"), "1: an integer; a condition, such as cmd.opcode == 0xEA");
  EXPECT_EQ(refusal("cmd.tag and cmd.fua"), "1: an integer; true or false");
  EXPECT_EQ(refusal("cmd.fua + 1", Type::integer), "1: true or false; an integer");
  EXPECT_EQ(refusal("cmd.tag == cmd.fua"), "12: true or false; an integer");
  EXPECT_EQ(refusal("cmd.class < write"), "11: an order of what has none; == or !=");
  EXPECT_EQ(refusal("cmd.fua in {1}"), "13: a set of flags; the flag itself, or 'not'");
  EXPECT_EQ(refusal("cmd.tag in {read}"), "13: 'read'; a number");
  EXPECT_EQ(refusal("cmd.fua", Type::integer), "1: true or false; an integer");
}

TEST_F(Expression, WhatCouldFailLaterFailsNow) {
  EXPECT_EQ(refusal("cmd.lba % 0 == 1"), "11: a right side of %; a number above 0");
  EXPECT_EQ(refusal("cmd.lba % cmd.tag == 1"), "11: a right side of %; a number above 0");
  EXPECT_EQ(refusal("cmd.lba >> 64 == 1"), "12: a right side of << or >>; a number from 0 to 63");
}

TEST_F(Expression, DepthAndLengthHaveLimits) {
  const auto nested = [](std::size_t levels) {
    return std::string(levels, '(') + "cmd.fua" + std::string(levels, ')');
  };
  EXPECT_TRUE(holds(nested(32)));
  EXPECT_EQ(refusal(nested(33)), "33: nesting; at most 32 levels");
  std::string right = "1";
  for (int i = 0; i < 32; ++i) right = "1 | 2 & (" + right + ")";
  EXPECT_EQ(refusal(right + " == 1").substr(0, 25), "1: too long an expression");
  EXPECT_EQ(refusal(std::string(1001, ' ')), "1000: a longer text; at most 1000 characters");
}

// ---- conditions that nothing meets

TEST_F(Expression, AConditionBeyondAFieldsLimitsNeverHolds) {
  const auto never = [](const std::string& limits) {
    return "1: a condition that never holds; one that some event meets; " + limits;
  };
  EXPECT_EQ(refusal("cmd.tag > 32"), never("cmd.tag is from 0 to 32"));
  EXPECT_EQ(refusal("cmd.tag >= 32"), "none");
  EXPECT_EQ(refusal("cmd.opcode == 0x100"), never("cmd.opcode is from 0 to 255"));
  EXPECT_EQ(refusal("cmd.opcode in {256..300}"), never("cmd.opcode is from 0 to 255"));
  EXPECT_EQ(refusal("cmd.tag < 0"), never("cmd.tag is from 0 to 32"));
  EXPECT_EQ(refusal("not cmd.tag <= 32"), never("cmd.tag is from 0 to 32"));
}

TEST_F(Expression, AContradictionNeverHolds) {
  const auto contradicts = [this](const std::string& text) {
    return refusal(text).rfind("1: a condition that never holds", 0) == 0;
  };
  EXPECT_TRUE(contradicts("cmd.opcode == 0xE7 and cmd.opcode == 0xEA"));
  EXPECT_TRUE(contradicts("cmd.fua and not cmd.fua"));
  EXPECT_TRUE(contradicts("cmd.class == read and cmd.class == write"));
  EXPECT_TRUE(contradicts("cmd.lba > 100 and cmd.tag == 1 and cmd.lba < 101"));
  EXPECT_TRUE(contradicts("cmd.lba in {1..5, 9} and not cmd.lba in {0..10}"));
  EXPECT_TRUE(contradicts("false"));
  EXPECT_TRUE(contradicts("cmd.fua and false"));
  EXPECT_TRUE(contradicts("1 == 2"));
  EXPECT_TRUE(contradicts("cmd.lba % 4 == 4"));
  EXPECT_TRUE(contradicts("cmd.count & 0xF > 15"));
  EXPECT_TRUE(contradicts("(cmd.tag == 1 or cmd.tag == 2) and cmd.tag == 3"));
  EXPECT_TRUE(contradicts("not (cmd.tag != 1 or cmd.tag != 2)"));
  EXPECT_FALSE(contradicts("cmd.lba > 100 and cmd.lba < 102"));
  EXPECT_FALSE(contradicts("cmd.opcode == 0xE7 or cmd.opcode == 0x100"));
  EXPECT_FALSE(contradicts("(cmd.tag == 1 or cmd.fua) and cmd.tag == 3"));
  EXPECT_FALSE(contradicts("var.seen > 100 and var.minus == 5"));
}

// ---- random expressions against a reading of their own

// Builds an expression and its value at once.
class Grower {
 public:
  explicit Grower(std::uint64_t seed) : stream_(seed, "expressions") {}

  struct Grown {
    std::string text;
    std::int64_t value;
  };

  Grown integer(unsigned depth) {
    const std::uint64_t kind = stream_.below(depth == 0 ? 3 : 9);
    if (kind == 0) return number();
    if (kind == 1) return {"cmd.lba", 1000};
    if (kind == 2) return {"var.minus", -7};
    const Grown left = integer(depth - 1);
    if (kind == 3) return {"-(" + left.text + ")", wrapped(0 - bits(left))};
    const Grown right = integer(depth - 1);
    const std::string both = "(" + left.text + ")";
    if (kind == 4) return {both + "+(" + right.text + ")", wrapped(bits(left) + bits(right))};
    if (kind == 5) return {both + " - (" + right.text + ")", wrapped(bits(left) - bits(right))};
    if (kind == 6) return {both + "*(" + right.text + ")", wrapped(bits(left) * bits(right))};
    if (kind == 7) return {both + "^ (" + right.text + ")", left.value ^ right.value};
    const auto divisor = static_cast<std::int64_t>(stream_.below(1000) + 1);
    const auto rest = static_cast<std::int64_t>(((static_cast<__int128>(left.value) % divisor) + divisor) % divisor);
    return {both + "%" + std::to_string(divisor), rest};
  }

  Grown condition(unsigned depth) {
    const std::uint64_t kind = stream_.below(depth == 0 ? 2 : 6);
    if (kind == 0) return {"cmd.fua", 1};
    const Grown left = kind < 3 ? integer(2) : condition(depth - 1);
    if (kind == 3) return {"not (" + left.text + ")", left.value == 0};
    const Grown right = kind < 3 ? integer(2) : condition(depth - 1);
    if (kind == 1) return {left.text + " < " + right.text, left.value < right.value};
    if (kind == 2) {
      const auto low = static_cast<std::int64_t>(stream_.below(2000)) - 1000;
      const bool in = left.value == 5 || (low <= left.value && left.value <= low + 500);
      return {left.text + " in {5," + std::to_string(low) + ".." + std::to_string(low + 500) + "}", in};
    }
    if (kind == 4) return {"(" + left.text + ") and (" + right.text + ")", left.value != 0 && right.value != 0};
    return {"(" + left.text + ") or (" + right.text + ")", left.value != 0 || right.value != 0};
  }

 private:
  Grown number() {
    const auto value = static_cast<std::int64_t>(stream_.next() >> (1 + stream_.below(62)));
    return {std::to_string(value), value};
  }
  static std::uint64_t bits(const Grown& grown) { return static_cast<std::uint64_t>(grown.value); }
  static std::int64_t wrapped(std::uint64_t value) { return static_cast<std::int64_t>(value); }

  sim::Stream stream_;
};

TEST_F(Expression, RandomIntegersHaveTheirValue) {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const Grower::Grown grown = Grower(seed).integer(4);
    EXPECT_EQ(value(grown.text), grown.value) << grown.text << ", seed " << seed;
  }
}

// One that is said never to hold must not hold here either.
TEST_F(Expression, RandomConditionsHoldOrAreRightlyRefused) {
  unsigned refused = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const Grower::Grown grown = Grower(seed).condition(4);
    if (grown.text.size() > 1000) continue;
    if (const std::string why = refusal(grown.text); why != "none") {
      ++refused;
      EXPECT_EQ(why.rfind("1: a condition that never holds", 0), 0U) << why << ": " << grown.text;
      EXPECT_EQ(grown.value, 0) << grown.text << ", seed " << seed;
    } else {
      EXPECT_EQ(holds(grown.text) ? 1 : 0, grown.value) << grown.text << ", seed " << seed;
    }
  }
  EXPECT_LT(refused, 1500U);
}

TEST_F(Expression, AnyBytesAreAnExpressionOrAnError) {
  sim::Stream stream(1, "expression bytes");
  const std::string pieces[] = {"cmd.tag", "cmd.fua", "var.seen", "==", "<",    "in", "{",     "}",        "..",
                                ",",       "not",     "and",      "or", "(",    ")",  "-",     "+",        "%",
                                "7",       "0x",      ">>",       ".",  "\xFF", " ",  "write", "cmd.class"};
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    const std::uint64_t length = stream.below(12);
    for (std::uint64_t piece = 0; piece < length; ++piece) {
      const std::uint64_t which = stream.below(std::size(pieces));
      text += pieces[which];
      if (stream.below(2) == 0) text += ' ';
    }
    try {
      compile(text, scope(), Type::flag);
    } catch (const ExpressionError& error) {
      EXPECT_GE(error.column, 1U) << text;
      EXPECT_LE(error.column, text.size() + 1) << text;
      EXPECT_FALSE(error.expected.empty()) << text;
    }
  }
}

}  // namespace
}  // namespace ncqlab::faults
