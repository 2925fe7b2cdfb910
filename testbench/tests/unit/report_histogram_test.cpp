// The latency histogram against sorted values.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "model/sim/random.h"
#include "testbench/report/histogram.h"

namespace ncqlab::report {
namespace {

// Values of every magnitude from 1 ps to beyond an hour.
std::vector<sim::Time> values_of(std::uint64_t seed) {
  sim::Stream stream(seed, "test/histogram");
  const std::uint64_t count = 1 + stream.below(300);
  std::vector<sim::Time> values;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t magnitude = stream.below(52);
    const std::uint64_t value = stream.below(std::uint64_t{1} << magnitude);
    values.push_back(static_cast<sim::Time>(value));
  }
  return values;
}

Histogram histogram_of(const std::vector<sim::Time>& values) {
  Histogram histogram;
  for (const sim::Time value : values) histogram.add(value);
  return histogram;
}

TEST(Histogram, EveryPercentileIsWithinASixtyFourthAboveTheExactValue) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    std::vector<sim::Time> values = values_of(seed);
    const Histogram histogram = histogram_of(values);
    std::sort(values.begin(), values.end());
    for (const double percent : {0.1, 1.0, 25.0, 50.0, 90.0, 99.0, 99.9, 100.0}) {
      const double rank = std::max(std::ceil(percent / 100 * static_cast<double>(values.size())), 1.0);
      const sim::Time exact = values[static_cast<std::size_t>(rank) - 1];
      const sim::Time answer = histogram.percentile(percent);
      EXPECT_GE(answer, exact) << "seed " << seed << ", percentile " << percent;
      EXPECT_LE(answer, exact + exact / 64) << "seed " << seed << ", percentile " << percent;
    }
  }
}

TEST(Histogram, CountMinimumMaximumAndMeanAreExact) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const std::vector<sim::Time> values = values_of(seed);
    const Histogram histogram = histogram_of(values);
    double sum = 0;
    for (const sim::Time value : values) sum += static_cast<double>(value);
    EXPECT_EQ(histogram.count(), values.size());
    EXPECT_EQ(histogram.min(), *std::min_element(values.begin(), values.end()));
    EXPECT_EQ(histogram.max(), *std::max_element(values.begin(), values.end()));
    EXPECT_NEAR(histogram.mean(), sum / static_cast<double>(values.size()), 1e-9 * sum);
  }
}

TEST(Histogram, MergedHalvesEqualTheWhole) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const std::vector<sim::Time> values = values_of(seed);
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    Histogram merged = histogram_of({values.begin(), middle});
    merged.merge(histogram_of({middle, values.end()}));
    const Histogram whole = histogram_of(values);
    EXPECT_EQ(merged.count(), whole.count());
    EXPECT_EQ(merged.min(), whole.min());
    for (double percent = 5; percent <= 100; percent += 5) {
      EXPECT_EQ(merged.percentile(percent), whole.percentile(percent));
    }
  }
}

TEST(Histogram, PercentilesDoNotFall) {
  const Histogram histogram = histogram_of(values_of(7));
  sim::Time before = 0;
  for (double percent = 1; percent <= 100; percent += 1) {
    EXPECT_GE(histogram.percentile(percent), before);
    before = histogram.percentile(percent);
  }
}

TEST(Histogram, ValuesUpTo127AreExact) {
  for (sim::Time value = 0; value < 128; ++value) {
    const Histogram histogram = histogram_of({value, 1000});
    EXPECT_EQ(histogram.percentile(50), value);
  }
}

TEST(Histogram, AnOctaveHas64BucketsOfEqualWidth) {
  // [128, 256) in steps of 2: 128 and 129 can't be told apart, 130 can.
  EXPECT_EQ(histogram_of({128, 1000}).percentile(50), 129);
  EXPECT_EQ(histogram_of({129, 1000}).percentile(50), 129);
  EXPECT_EQ(histogram_of({130, 1000}).percentile(50), 131);
}

TEST(Histogram, TheLongestTimeThatCanBeSimulatedFits) {
  const Histogram histogram = histogram_of({sim::kTimeLimit});
  EXPECT_EQ(histogram.percentile(100), sim::kTimeLimit);
}

TEST(Histogram, AnEmptyOneIsAllZero) {
  const Histogram histogram;
  EXPECT_EQ(histogram.percentile(50), 0);
  EXPECT_EQ(histogram.min(), 0);
  EXPECT_EQ(histogram.mean(), 0);
}

TEST(Histogram, ANegativeLatencyIsRefused) {
  Histogram histogram;
  EXPECT_THROW(histogram.add(-1), std::invalid_argument);
}

}  // namespace
}  // namespace ncqlab::report
