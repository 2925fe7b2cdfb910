// What a drive has promised to keep survives a loss of power: 10,000 random histories.
#include <gtest/gtest.h>

#include "testbench/tests/unit/drive_durability_history.h"

namespace ncqlab::drive {
namespace {

// The fewest steps of a history that show what it found.
std::string shortest(DurabilityHistory history) {
  const unsigned all = history.steps;
  for (history.steps = 0; history.steps < all; ++history.steps) {
    const std::string found = run_history(history);
    if (!found.empty()) break;
  }
  return "seed " + std::to_string(history.seed) + ", " + std::to_string(history.steps) +
         " steps: " + run_history(history);
}

class DriveDurability : public testing::TestWithParam<unsigned> {};

TEST_P(DriveDurability, NothingThatWasPromisedIsLost) {
  for (std::uint64_t seed = GetParam() * 1000; seed < (GetParam() + 1) * 1000; ++seed) {
    const DurabilityHistory history{seed, steps_of_history(seed), {}};
    if (!run_history(history).empty()) FAIL() << shortest(history);
  }
}

INSTANTIATE_TEST_SUITE_P(Thousands, DriveDurability, testing::Range(0U, 10U));

}  // namespace
}  // namespace ncqlab::drive
