// Which of the waiting commands the arm serves next.
#include <gtest/gtest.h>

#include <vector>

#include "model/drive/pick/pick_policy.h"
#include "testbench/tests/unit/drive_small_profile.h"

namespace ncqlab::drive {
namespace {

class DrivePick : public testing::Test {
 protected:
  // The index chosen among reads (or writes) at these LBAs, for a movement that starts at `start` with the arm at LBA
  // 0.
  std::size_t pick(const Queue& queue, std::vector<std::uint64_t> lbas, sim::Time start = 0, bool write = false) {
    const auto policy = make_pick_policy(queue);
    std::vector<Candidate> candidates;
    for (const std::uint64_t lba : lbas) candidates.push_back({lba, mechanism.geometry().locate(lba), write, 0});
    return policy->pick(mechanism, start, candidates.data(), candidates.size());
  }
  static Queue shortest(unsigned window = 32, sim::Time guard = 0) {
    Queue queue;
    queue.window = window;
    queue.rotational_guard = guard;
    return queue;
  }

  Mechanism mechanism{tables_of(small_profile())};
};

TEST_F(DrivePick, AnUnknownPolicyIsNull) {
  Queue queue;
  queue.pick_policy = "astrology";
  EXPECT_EQ(make_pick_policy(queue), nullptr);
}

TEST_F(DrivePick, FifoTakesTheOldest) {
  Queue queue;
  queue.pick_policy = "fifo";
  EXPECT_EQ(pick(queue, {39'999, 0, 50}), 0U);
}

// From LBA 0 at angle 0: sector 50 of the track comes after 5 ms; cylinder 60 is reached after 4 ms, at sector 40, so
// its sector 42 is read 4.2 ms from now and its sector 39 only after 13.9 ms.
TEST_F(DrivePick, AFarSectorThatIsJustReachedBeatsANearOneThatComesLater) {
  EXPECT_EQ(pick(shortest(), {50, 12'042}), 1U);
}
TEST_F(DrivePick, AFarSectorThatIsJustMissedLoses) { EXPECT_EQ(pick(shortest(), {50, 12'039}), 0U); }

TEST_F(DrivePick, TheChoiceDependsOnWhenTheMovementStarts) {
  EXPECT_EQ(pick(shortest(), {50, 12'042}, 200 * kUs), 1U);  // sector 42 comes exactly then
  EXPECT_EQ(pick(shortest(), {50, 12'042}, 200 * kUs + sim::kNanosecond + 1), 0U);
}

TEST_F(DrivePick, AWritesSettlingCounts) {
  EXPECT_EQ(pick(shortest(), {50, 12'042}, 0, true), 0U);  // 4.25 ms are too long for sector 42
  EXPECT_EQ(pick(shortest(), {50, 12'043}, 0, true), 1U);
}

TEST_F(DrivePick, TheGuardTakesANearTargetForMissed) {
  EXPECT_EQ(pick(shortest(32, 200 * kUs), {50, 12'042}), 1U);
  EXPECT_EQ(pick(shortest(32, 200 * kUs + 1), {50, 12'042}), 0U);
}

TEST_F(DrivePick, OfEqualTimesTheOldestIsTaken) { EXPECT_EQ(pick(shortest(), {60, 50, 50}), 1U); }

TEST_F(DrivePick, TheLastOfTheWindowIsSeen) { EXPECT_EQ(pick(shortest(3), {60, 50, 10, 5}), 2U); }
TEST_F(DrivePick, WhatLiesBehindTheWindowIsNotSeen) { EXPECT_EQ(pick(shortest(2), {60, 50, 10, 5}), 1U); }
TEST_F(DrivePick, AWindowOfOneIsFifo) { EXPECT_EQ(pick(shortest(1), {60, 50, 10}), 0U); }

}  // namespace
}  // namespace ncqlab::drive
