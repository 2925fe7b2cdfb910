// What a drive has promised to keep survives a loss of power: 10,000 random histories.
#include <gtest/gtest.h>

#include "model/config/fault_program.h"
#include "model/faults/drive_faults.h"
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

// How many of the first thousand histories show a loss when the drive has that bug.
unsigned losses_with(const std::string& bug) {
  const faults::Program program = config::load_fault_program(bug);
  unsigned losses = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const DurabilityHistory history{seed, steps_of_history(seed), [&](Drive& drive) {
                                      auto faults = std::make_shared<faults::DriveFaults>(std::vector{program}, seed);
                                      faults->attach(drive);
                                      return faults;
                                    }};
    if (!run_history(history).empty()) ++losses;
  }
  return losses;
}

TEST(DriveDurabilityOfABuggyDrive, ADriveThatIgnoresFlushIsFoundOut) { EXPECT_GT(losses_with("ignores-flush"), 100U); }

TEST(DriveDurabilityOfABuggyDrive, ADriveThatIgnoresFuaIsFoundOut) { EXPECT_GT(losses_with("ignores-fua"), 20U); }

TEST(DriveDurabilityOfABuggyDrive, ADriveThatIgnoresTheCacheBeingSwitchedOffIsFoundOut) {
  EXPECT_GT(losses_with("ignores-write-cache-off"), 20U);
}

INSTANTIATE_TEST_SUITE_P(Thousands, DriveDurability, testing::Range(0U, 10U));

}  // namespace
}  // namespace ncqlab::drive
