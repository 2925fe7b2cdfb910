// Mean and spread over layouts.
#include <gtest/gtest.h>

#include "testbench/workload/spread.h"

namespace ncqlab::workload {
namespace {

TEST(Spread, OfFourLayouts) {
  const Spread spread = spread_of({2, 4, 4, 6});
  EXPECT_EQ(spread.count, 4U);
  EXPECT_DOUBLE_EQ(spread.mean, 4);
  EXPECT_DOUBLE_EQ(spread.min, 2);
  EXPECT_DOUBLE_EQ(spread.max, 6);
  EXPECT_NEAR(spread.standard_deviation, 1.6330, 0.0001);  // sqrt(8 / 3)
}

TEST(Spread, OfOneLayoutHasNoDeviation) {
  const Spread spread = spread_of({7});
  EXPECT_DOUBLE_EQ(spread.mean, 7);
  EXPECT_DOUBLE_EQ(spread.standard_deviation, 0);
}

TEST(Spread, OfNothingIsZero) { EXPECT_EQ(spread_of({}).count, 0U); }

}  // namespace
}  // namespace ncqlab::workload
