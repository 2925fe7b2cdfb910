// Command completion coalescing alone: hCccComplete and hCccTimer to the last completion and the last picosecond
// (AHCI 1.3.1, clause 11).
#include <gtest/gtest.h>

#include "model/hba/ccc.h"
#include "testbench/tests/model/hba_rig.h"

namespace ncqlab::test {
namespace {

using namespace hba;

constexpr sim::Time kTimeout = 5 * sim::kMillisecond;
constexpr unsigned kInterrupt = 31;
constexpr std::uint32_t kPorts = 0x3;

// Coalescing alone, port 0 and 1 selected, four completions or 5 ms; interrupts as single messages.
class Coalescing : public testing::Test {
 protected:
  Coalescing() {
    trace.add_observer(&records);
    host_interrupts.set_enabled(true);
  }

  void enable(unsigned completions = 4, sim::Time timeout = kTimeout, std::uint32_t outstanding = 0) {
    ccc.enable(kPorts, completions, timeout, outstanding);
  }
  void wait(sim::Time duration) {
    const sim::Time end = queue.now() + duration;
    while (queue.next_time() <= end) queue.run_one();
    queue.advance_to(end);
  }
  std::size_t interrupts() const { return records.of(sim::Kind::controller).size(); }
  bool status() const { return (host_interrupts.status() >> kInterrupt & 1) != 0; }

  sim::EventQueue queue;
  sim::Trace trace;
  RecordList records;
  InterruptNotes notes;
  HostInterrupts host_interrupts{queue, trace, InterruptKind::msi, notes};
  CommandCompletion ccc{queue, trace, host_interrupts, kInterrupt};
};

TEST_F(Coalescing, InterruptsAtTheCountAndNotOneBefore) {
  enable();
  for (unsigned i = 0; i < 3; ++i) ccc.completed(0);
  EXPECT_EQ(interrupts(), 0U);
  EXPECT_FALSE(status());
  ccc.completed(0);
  EXPECT_EQ(interrupts(), 1U);
  EXPECT_TRUE(status());
  EXPECT_EQ(notes.messages.size(), 1U);
}

TEST_F(Coalescing, TheCountBeginsAnewAfterEachInterrupt) {
  enable();
  for (unsigned i = 0; i < 7; ++i) ccc.completed(0);
  EXPECT_EQ(interrupts(), 1U);
  ccc.completed(0);
  EXPECT_EQ(interrupts(), 2U);
}

TEST_F(Coalescing, SelectedPortsShareOneCount) {
  enable();
  ccc.completed(0, 2);
  ccc.completed(1);
  EXPECT_EQ(interrupts(), 0U);
  ccc.completed(1);
  EXPECT_EQ(interrupts(), 1U);
}

TEST_F(Coalescing, OtherPortsDoNotCount) {
  enable(1);
  ccc.completed(2);
  EXPECT_EQ(interrupts(), 0U);
  ccc.completed(1);
  EXPECT_EQ(interrupts(), 1U);
}

TEST_F(Coalescing, CompletionsOfOneFisBeyondTheCountRemain) {
  enable();
  ccc.completed(0, 6);
  EXPECT_EQ(interrupts(), 1U);
  ccc.completed(0);
  EXPECT_EQ(interrupts(), 1U);
  ccc.completed(0);
  EXPECT_EQ(interrupts(), 2U);
}

TEST_F(Coalescing, InterruptsAtTheTimeoutAndNotOnePicosecondBefore) {
  enable();
  ccc.outstanding(0, true);
  wait(kTimeout - 1);
  EXPECT_EQ(interrupts(), 0U);
  wait(1);
  EXPECT_EQ(interrupts(), 1U);
  EXPECT_TRUE(status());
}

TEST_F(Coalescing, TheTimerRunsAgainAfterItsInterrupt) {
  enable();
  ccc.outstanding(0, true);
  wait(2 * kTimeout - 1);
  EXPECT_EQ(interrupts(), 1U);
  wait(1);
  EXPECT_EQ(interrupts(), 2U);
}

TEST_F(Coalescing, AnInterruptByCountLoadsTheTimer) {
  enable(1);
  ccc.outstanding(0, true);
  wait(kTimeout - 1);
  ccc.completed(0);
  EXPECT_EQ(interrupts(), 1U);
  wait(kTimeout - 1);
  EXPECT_EQ(interrupts(), 1U);
  wait(1);
  EXPECT_EQ(interrupts(), 2U);
}

TEST_F(Coalescing, AnInterruptByCountLoadsATimerThatStandsStill) {
  enable(1);
  ccc.outstanding(0, true);
  wait(kTimeout - 1);
  ccc.outstanding(0, false);
  ccc.completed(0);
  EXPECT_EQ(interrupts(), 1U);
  ccc.outstanding(0, true);
  wait(kTimeout - 1);
  EXPECT_EQ(interrupts(), 1U);
  wait(1);
  EXPECT_EQ(interrupts(), 2U);
}

TEST_F(Coalescing, AnInterruptByTimeClearsTheCount) {
  enable();
  ccc.outstanding(0, true);
  ccc.completed(0, 3);
  wait(kTimeout);
  EXPECT_EQ(interrupts(), 1U);
  ccc.completed(0, 3);
  EXPECT_EQ(interrupts(), 1U);
  ccc.completed(0);
  EXPECT_EQ(interrupts(), 2U);
}

TEST_F(Coalescing, WithCountZeroTheTimerAloneInterrupts) {
  enable(0);
  ccc.outstanding(0, true);
  ccc.completed(0, 1000);
  EXPECT_EQ(interrupts(), 0U);
  wait(kTimeout - 1);
  EXPECT_EQ(interrupts(), 0U);
  wait(1);
  EXPECT_EQ(interrupts(), 1U);
}

TEST_F(Coalescing, WithoutCommandsTheTimerStandsStill) {
  enable();
  wait(10 * kTimeout);
  EXPECT_EQ(interrupts(), 0U);
  ccc.outstanding(0, true);
  wait(kTimeout - 1);
  EXPECT_EQ(interrupts(), 0U);
  wait(1);
  EXPECT_EQ(interrupts(), 1U);
}

TEST_F(Coalescing, TheTimerGoesOnWhereItStoodStill) {
  enable(0);
  ccc.outstanding(0, true);
  wait(2 * sim::kMillisecond);
  ccc.outstanding(0, false);
  wait(10 * kTimeout);
  ccc.outstanding(1, true);
  wait(3 * sim::kMillisecond - 1);
  EXPECT_EQ(interrupts(), 0U);
  wait(1);
  EXPECT_EQ(interrupts(), 1U);
}

TEST_F(Coalescing, TheTimerRunsAsLongAsOneSelectedPortHasCommands) {
  enable(0);
  ccc.outstanding(0, true);
  ccc.outstanding(1, true);
  ccc.outstanding(0, false);
  wait(kTimeout - 1);
  EXPECT_EQ(interrupts(), 0U);
  wait(1);
  EXPECT_EQ(interrupts(), 1U);
}

TEST_F(Coalescing, CommandsOfOtherPortsDoNotRunTheTimer) {
  enable();
  ccc.outstanding(2, true);
  wait(10 * kTimeout);
  EXPECT_EQ(interrupts(), 0U);
}

TEST_F(Coalescing, CompletionsThatWaitAreReportedByTimeWhenNothingFollows) {
  enable();
  ccc.outstanding(0, true);
  wait(sim::kMillisecond);
  ccc.completed(0);
  ccc.outstanding(0, false);
  wait(kTimeout - sim::kMillisecond - 1);
  EXPECT_EQ(interrupts(), 0U);
  wait(1);
  EXPECT_EQ(interrupts(), 1U);
  wait(10 * kTimeout);
  EXPECT_EQ(interrupts(), 1U) << "nothing waits any more";
}

TEST_F(Coalescing, CommandsThatAreOutstandingWhenItIsEnabledRunTheTimer) {
  enable(4, kTimeout, 0x1);
  wait(kTimeout - 1);
  EXPECT_EQ(interrupts(), 0U);
  wait(1);
  EXPECT_EQ(interrupts(), 1U);
}

TEST_F(Coalescing, DisablingForgetsCountAndTimer) {
  enable();
  ccc.outstanding(0, true);
  ccc.completed(0, 3);
  wait(kTimeout - 1);
  ccc.disable();
  ccc.completed(0);
  wait(kTimeout);
  EXPECT_EQ(interrupts(), 0U);
  enable();
  ccc.completed(0);
  wait(kTimeout - 1);
  EXPECT_EQ(interrupts(), 0U);
  wait(1);
  EXPECT_EQ(interrupts(), 1U);
}

TEST_F(Coalescing, AShorterTimeoutTakesEffectWithTheNextEnable) {
  enable(0, 100 * sim::kMillisecond, 0x1);
  wait(sim::kMillisecond);
  ccc.disable();
  enable(0, sim::kMillisecond, 0x1);
  wait(sim::kMillisecond - 1);
  EXPECT_EQ(interrupts(), 0U);
  wait(1);
  EXPECT_EQ(interrupts(), 1U);
}

TEST_F(Coalescing, APortThatIsDeselectedDoesNotCount) {
  enable();
  ccc.completed(1, 3);
  ccc.select(0x1, 0);
  ccc.completed(1);
  EXPECT_EQ(interrupts(), 0U);
  ccc.completed(0);
  EXPECT_EQ(interrupts(), 1U);
}

TEST_F(Coalescing, TheReservedTimeoutOfZeroNeverExpires) {
  enable(4, 0, 0x1);
  wait(sim::kSecond);
  EXPECT_EQ(interrupts(), 0U);
  ccc.completed(0, 4);
  EXPECT_EQ(interrupts(), 1U);
}

}  // namespace
}  // namespace ncqlab::test
