// Plain text tables.
#include <gtest/gtest.h>

#include <stdexcept>

#include "testbench/report/table.h"

namespace ncqlab::report {
namespace {

TEST(TextTable, AlignsColumnsToTheRight) {
  TextTable table({"P", "published"});
  table.add_row({"1", "133"});
  table.add_row({"500", "8708462123"});
  EXPECT_EQ(table.text(),
            "  P   published\n"
            "---  ----------\n"
            "  1         133\n"
            "500  8708462123\n");
}

TEST(TextTable, AlignsTextToTheLeftWithoutBlanksAtTheEndOfALine) {
  TextTable table({"what", "n", "note"}, {TextTable::Align::left, TextTable::Align::right, TextTable::Align::left});
  table.add_row({"a", "1", "x"});
  table.add_rule();
  table.add_row({"total", "10", ""});
  EXPECT_EQ(table.text(),
            "what    n  note\n"
            "-----  --  ----\n"
            "a       1  x\n"
            "-----  --  ----\n"
            "total  10\n");
}

TEST(TextTable, RefusesARowOfAnotherWidth) {
  TextTable table({"a", "b"});
  EXPECT_THROW(table.add_row({"1"}), std::invalid_argument);
}

TEST(Numbers, FixedNeverPrintsANegativeZero) {
  EXPECT_EQ(fixed(12.3, 2), "12.30");
  EXPECT_EQ(fixed(-0.004, 2), "0.00");
  EXPECT_EQ(fixed(-0.006, 2), "-0.01");
}

TEST(Numbers, PercentHasItsSignUnlessItIsZero) {
  EXPECT_EQ(signed_percent(1.23), "+1.2 %");
  EXPECT_EQ(signed_percent(-1.25), "-1.2 %");
  EXPECT_EQ(signed_percent(0.04), "0.0 %");
  EXPECT_EQ(signed_percent(-0.04), "0.0 %");
}

}  // namespace
}  // namespace ncqlab::report
