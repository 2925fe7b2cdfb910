// MSI with several messages: which one is sent when, and when the controller reverts to one
// (AHCI 1.3.1, 3.1.2, 10.7.2).
#include <gtest/gtest.h>

#include "model/hba/interrupts.h"
#include "testbench/tests/model/hba_rig.h"

namespace ncqlab::test {
namespace {

using namespace hba;

using Messages = std::vector<std::uint32_t>;

// IS and the interrupt output alone, as MSI with the given number of messages.
class ManyMessages : public testing::Test {
 protected:
  void grant(unsigned granted, unsigned requested = 4) {
    out.configure(InterruptKind::msi, requested, granted);
    out.set_enabled(true);
  }
  sim::EventQueue queue;
  sim::Trace trace;
  InterruptNotes notes;
  HostInterrupts out{queue, trace, InterruptKind::intx, notes};
};

TEST_F(ManyMessages, EachPortHasItsOwn) {
  grant(4);
  for (const unsigned port : {2U, 0U, 1U, 3U}) out.set_port(port, true);
  EXPECT_EQ(notes.messages, (Messages{2, 0, 1, 3}));
}

TEST_F(ManyMessages, PortsBeyondTheLastShareIt) {
  grant(4);
  for (const unsigned port : {3U, 4U, 31U}) out.set_port(port, true);
  EXPECT_EQ(notes.messages, (Messages{3, 3, 3}));
}

TEST_F(ManyMessages, APortThatIsPendingSendsNoSecond) {
  grant(4);
  out.set_port(1, true);
  out.set_port(1, true);
  EXPECT_EQ(notes.messages, (Messages{1}));
}

TEST_F(ManyMessages, TheGlobalBitGoesWithThePortsStatus) {
  grant(4);
  out.set_port(1, true);
  EXPECT_EQ(out.status(), 2U);
  out.set_port(1, false);
  EXPECT_EQ(out.status(), 0U);
  out.set_port(1, true);
  EXPECT_EQ(notes.messages, (Messages{1, 1}));
}

TEST_F(ManyMessages, ABitClearedWhileItsPortIsPendingSendsItsMessageAgain) {
  grant(4);
  out.set_port(1, true);
  out.set_port(2, true);
  out.clear(1U << 1);
  EXPECT_EQ(out.status(), 6U);
  EXPECT_EQ(notes.messages, (Messages{1, 2, 1}));
}

TEST_F(ManyMessages, ClearingOnePortSendsNothingForTheOthers) {
  grant(4);
  out.set_port(1, true);
  out.set_port(2, true);
  out.set_port(1, false);
  out.clear(1U << 1);
  EXPECT_EQ(notes.messages, (Messages{1, 2}));
}

TEST_F(ManyMessages, GlobalEnableSendsWhatIsPendingOnceEach) {
  grant(4);
  out.set_enabled(false);
  for (const unsigned port : {0U, 2U, 5U, 6U}) out.set_port(port, true);
  EXPECT_TRUE(notes.messages.empty());
  out.set_enabled(true);
  EXPECT_EQ(notes.messages, (Messages{0, 2, 3}));
}

TEST_F(ManyMessages, AnEventThatIsNotAcknowledgedSendsItsMessageAgain) {
  grant(4);
  out.raise(31);
  out.raise(31);
  EXPECT_EQ(out.status(), 1U << 31);
  EXPECT_EQ(notes.messages, (Messages{3, 3}));
  out.clear(1U << 31);
  EXPECT_EQ(out.status(), 0U);
}

TEST_F(ManyMessages, WithOneMessageAnEventThatIsPendingSendsNone) {
  grant(1, 1);
  out.raise(31);
  out.raise(31);
  EXPECT_EQ(notes.messages, (Messages{0}));
  out.clear(1U << 31);
  out.raise(31);
  EXPECT_EQ(notes.messages, (Messages{0, 0}));
}

TEST_F(ManyMessages, FewerThanAskedForAreOne) {
  grant(2);
  EXPECT_TRUE(out.reverted());
  out.set_port(1, true);
  out.set_port(3, true);
  EXPECT_EQ(notes.messages, (Messages{0, 0}));
  out.set_port(1, false);
  EXPECT_EQ(out.status(), 0xAU) << "software clears IS, as with a single message";
}

TEST_F(ManyMessages, OneGrantedOrAllGrantedIsNoRevert) {
  grant(1);
  EXPECT_FALSE(out.reverted());
  grant(4);
  EXPECT_FALSE(out.reverted());
  grant(2);
  out.configure(InterruptKind::intx, 4, 2);
  EXPECT_FALSE(out.reverted()) << "MSIE = 0";
}

TEST_F(ManyMessages, TheMessagesNumberIsTraced) {
  RecordList records;
  trace.add_observer(&records);
  grant(4);
  out.set_port(2, true);
  const auto seen = records.of(sim::Kind::interrupt);
  ASSERT_EQ(seen.size(), 1U);
  EXPECT_EQ(seen[0].a, 2U);
}

}  // namespace
}  // namespace ncqlab::test
