// Which of the waiting commands the arm serves next.
#include <gtest/gtest.h>

#include <vector>

#include "model/drive/pick/waiting_commands.h"
#include "testbench/tests/unit/drive_small_profile.h"

namespace ncqlab::drive {
namespace {

class DrivePick : public testing::Test {
 protected:
  // The index chosen among reads (or writes) at these LBAs, for a movement that starts at `start` with the arm at LBA
  // 0.
  std::size_t pick(const Queue& queue, std::vector<std::uint64_t> lbas, sim::Time start = 0, bool write = false) {
    const auto policy = make_pick_policy(queue, {});
    std::vector<Candidate> candidates;
    for (const std::uint64_t lba : lbas) candidates.push_back(candidate(lba, 0, write));
    return policy->pick({mechanism, start, 0}, candidates.data(), candidates.size());
  }
  Candidate candidate(std::uint64_t lba, sim::Time since, bool write = false) const {
    return {lba, mechanism.geometry().locate(lba), write, 0, since, 0};
  }
  static Queue named(const char* policy) {
    Queue queue;
    queue.pick_policy = policy;
    return queue;
  }
  // The index chosen by an elevator that stands at `at`.
  std::size_t elevator(std::uint64_t at, std::vector<std::uint64_t> lbas) {
    const auto policy = make_pick_policy(named("elevator"), {});
    std::vector<Candidate> candidates;
    for (const std::uint64_t lba : lbas) candidates.push_back(candidate(lba, 0));
    return policy->pick({mechanism, 0, at}, candidates.data(), candidates.size());
  }
  // The index chosen at time `start` among LBA 50 (5 ms away at time 0 and every 10 ms) that has waited since 0, and
  // LBA 10 (1 ms away) that has just come.
  std::size_t aged(double weight, sim::Time start) {
    const auto policy = make_pick_policy(named("aged-shortest-positioning-time"), {weight});
    const Candidate both[] = {candidate(50, 0), candidate(10, start)};
    return policy->pick({mechanism, start, 0}, both, 2);
  }
  static Queue shortest(unsigned window = 32, sim::Time guard = 0) {
    Queue queue;
    queue.window = window;
    queue.rotational_guard = guard;
    return queue;
  }

  Mechanism mechanism{tables_of(small_profile())};
};

TEST_F(DrivePick, AnUnknownPolicyIsNull) { EXPECT_EQ(make_pick_policy(named("astrology"), {}), nullptr); }

TEST_F(DrivePick, FifoTakesTheOldest) { EXPECT_EQ(pick(named("fifo"), {39'999, 0, 50}), 0U); }

// ---- elevator

TEST_F(DrivePick, TheElevatorTakesTheNextLbaUpwards) { EXPECT_EQ(elevator(100, {300, 99, 200}), 2U); }
TEST_F(DrivePick, TheElevatorTakesWhatLiesRightBehindTheLastPass) { EXPECT_EQ(elevator(100, {101, 100}), 1U); }
TEST_F(DrivePick, AtTheTopTheElevatorReturnsToTheLowestLba) { EXPECT_EQ(elevator(100, {99, 20, 50}), 1U); }
TEST_F(DrivePick, TheElevatorTakesTheOlderOfTwoForOneLba) { EXPECT_EQ(elevator(100, {200, 150, 150}), 1U); }

// ---- nearest

TEST_F(DrivePick, NearestCountsCylindersAndNotRotation) {
  EXPECT_EQ(pick(named("nearest"), {2 * 200, 1 * 200 + 99}), 1U);
}
TEST_F(DrivePick, OfOneCylinderNearestTakesTheOldest) { EXPECT_EQ(pick(named("nearest"), {450, 199, 0, 50}), 1U); }
TEST_F(DrivePick, NearestLooksDownwardsToo) {
  mechanism.move_to({60, 0});
  EXPECT_EQ(pick(named("nearest"), {63 * 200, 58 * 200}), 1U);
}

// ---- aging: 4 ms of difference are made up for by 4 ms / weight of waiting

TEST_F(DrivePick, WaitingMakesUpForDistance) {
  EXPECT_EQ(aged(0.4, 10 * kMs - kUs), 1U);
  EXPECT_EQ(aged(0.4, 10 * kMs), 0U);
}
TEST_F(DrivePick, WithoutAWeightNothingAges) { EXPECT_EQ(aged(0, 1000 * kMs), 1U); }
TEST_F(DrivePick, AllTheWaitingCountsWithAWeightOfOne) { EXPECT_EQ(aged(1, 10 * kMs), 0U); }

// ---- shortest positioning time

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

TEST_F(DrivePick, EveryPolicyKeepsToItsWindow) {
  for (const char* name : {"elevator", "nearest", "shortest-positioning-time", "aged-shortest-positioning-time"}) {
    Queue queue = named(name);
    queue.window = 2;
    EXPECT_EQ(pick(queue, {1260, 1050, 0}), 1U) << name;
    queue.window = 3;
    EXPECT_EQ(pick(queue, {1260, 1050, 0}), 2U) << name;
  }
}

// ---- the commands that wait

class DriveWaiting : public testing::Test {
 protected:
  void add(unsigned tag, bool high_priority = false, sim::Time now = 0) {
    waiting.add(now, tag, {}, false, tag, high_priority);
  }
  unsigned next() {
    Queue fifo;
    fifo.pick_policy = "fifo";
    const Mechanism mechanism{tables_of(small_profile())};
    return waiting.take(0, waiting.pick(*make_pick_policy(fifo, {}), {mechanism, 0, 0})).tag;
  }

  WaitingCommands waiting;
};

TEST_F(DriveWaiting, HighPriorityGoesFirstAndKeepsItsOwnOrder) {
  add(1);
  add(2, true);
  add(3);
  add(4, true);
  EXPECT_EQ(next(), 2U);
  EXPECT_EQ(next(), 4U);
  EXPECT_EQ(next(), 1U);
  EXPECT_EQ(next(), 3U);
}

TEST_F(DriveWaiting, ThePolicySeesNothingElseWhileHighPriorityWaits) {
  add(1);
  add(2, true);
  add(3, true);
  const Mechanism mechanism{tables_of(small_profile())};
  Queue elevator;
  elevator.pick_policy = "elevator";
  EXPECT_EQ(waiting[waiting.pick(*make_pick_policy(elevator, {}), {mechanism, 0, 1})].tag, 2U);  // not tag 1 at LBA 1
}

TEST_F(DriveWaiting, OneThatIsGivenUpNoLongerCountsAsHighPriority) {
  add(1);
  add(2, true);
  waiting.remove(0);
  EXPECT_EQ(next(), 1U);
}

TEST_F(DriveWaiting, TheLongestWaitOfATagIsKept) {
  add(1, false, 100);
  waiting.take(150, 0);
  add(1, false, 200);
  waiting.take(230, 0);
  EXPECT_EQ(waiting.starvation(1).longest_wait, 50);
  EXPECT_EQ(waiting.starvation(2).longest_wait, 0);
}

TEST_F(DriveWaiting, OnlyYoungerOnesPassOver) {
  for (unsigned tag = 0; tag < 4; ++tag) add(tag);
  waiting.take(0, 0);
  waiting.take(0, 2);  // tag 3
  waiting.take(0, 0);  // tag 1
  EXPECT_EQ(waiting.starvation(0).most_passed_over, 0U);
  EXPECT_EQ(waiting.starvation(3).most_passed_over, 0U);
  EXPECT_EQ(waiting.starvation(1).most_passed_over, 1U);
}

TEST_F(DriveWaiting, HighPriorityPassesOverToo) {
  add(0);
  add(1, true);
  add(2, true);
  waiting.take(0, 0);
  waiting.take(0, 1);  // tag 0, with tag 2 waiting before it
  EXPECT_EQ(waiting.starvation(0).most_passed_over, 1U);
}

}  // namespace
}  // namespace ncqlab::drive
