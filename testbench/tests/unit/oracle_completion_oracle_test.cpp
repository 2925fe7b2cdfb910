// Exactly one answer for each request.
#include <gtest/gtest.h>

#include "testbench/oracle/completion_oracle.h"

namespace ncqlab::oracle {
namespace {

TEST(CompletionOracle, OneAnswerEachInAnyOrderIsFine) {
  CompletionOracle oracle;
  const auto a = oracle.submitted(1);
  const auto b = oracle.submitted(2);
  const auto c = oracle.submitted(3);
  oracle.completed(b, 10);
  oracle.completed(c, 11);
  oracle.completed(a, 12);
  oracle.finish(20);
  EXPECT_EQ(oracle.outstanding(), 0U);
  EXPECT_EQ(oracle.error_count(), 0U);
}

TEST(CompletionOracle, ASecondAnswerIsAnErrorWhetherOlderOnesAreOpenOrNot) {
  CompletionOracle oracle;
  const auto open = oracle.submitted(0);
  const auto answered = oracle.submitted(0);
  oracle.completed(answered, 1);
  oracle.completed(answered, 2 * sim::kMillisecond);
  EXPECT_EQ(oracle.errors().back(), "request 1 was answered before; again at 2.000000 ms");
  oracle.completed(open, 3);
  oracle.completed(answered, 4);
  EXPECT_EQ(oracle.error_count(), 2U);
}

TEST(CompletionOracle, AnAnswerToNothingIsAnError) {
  CompletionOracle oracle;
  oracle.completed(0, 1);
  EXPECT_EQ(oracle.error_count(), 1U);
}

TEST(CompletionOracle, WhatIsOutstandingAtTheEndIsNamed) {
  CompletionOracle oracle;
  const auto first = oracle.submitted(0);
  oracle.submitted(1 * sim::kMillisecond);
  oracle.completed(first, 2);
  oracle.finish(5 * sim::kMillisecond);
  EXPECT_EQ(oracle.outstanding(), 1U);
  ASSERT_EQ(oracle.errors().size(), 1U);
  EXPECT_EQ(oracle.errors()[0],
            "request 1, submitted at 1.000000 ms, has no answer at the end, which is at 5.000000 ms");
}

}  // namespace
}  // namespace ncqlab::oracle
