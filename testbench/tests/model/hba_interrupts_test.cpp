// PxIS, IS, GHC.IE, and the interrupt: order, INTx level, MSI messages (AHCI 1.3.1, 10.7.2).
#include <gtest/gtest.h>

#include "testbench/tests/model/hba_rig.h"

namespace ncqlab::test {
namespace {

using namespace hba;

ControllerProfile with(InterruptKind kind) {
  ControllerProfile profile = HbaRig::default_profile();
  profile.interrupt = kind;
  return profile;
}

// Sets a bit of PxIS in port 0 by way of a completed command without data.
void complete_a_command(HbaRig& rig) {
  rig.build_command(0, command(0xE7), {});
  rig.issue(0);
  rig.run();
  rig.device.send_status(0x50, true);
  rig.run();
}

TEST(HbaInterrupts, PortStatusAndGlobalStatusAreSetBeforeTheInterrupt) {
  BareRig rig(with(InterruptKind::msi));
  rig.bring_up();
  std::uint32_t port_status = 0;
  std::uint32_t global_status = 0;
  std::uint8_t posted_fis = 0;
  std::uint32_t issued = 1;
  rig.interrupts.on_interrupt = [&] {
    port_status = rig.port(kPxIS);
    global_status = rig.read(kIS);
    issued = rig.port(kPxCI);
    posted_fis = rig.received_fis(kReceived_RFIS, 1)[0];
  };
  complete_a_command(rig);
  EXPECT_EQ(port_status, kPxIS_DHRS);
  EXPECT_EQ(global_status, 1U);
  EXPECT_EQ(issued, 0U);
  EXPECT_EQ(posted_fis, 0x34);
  EXPECT_EQ(rig.interrupts.messages.size(), 1U);
}

TEST(HbaInterrupts, AStatusThatIsNotEnabledShowsButDoesNotInterrupt) {
  BareRig rig(with(InterruptKind::msi));
  rig.bring_up();
  rig.set_port(kPxIE, ~kPxIS_DHRS);
  complete_a_command(rig);
  EXPECT_EQ(rig.port(kPxIS), kPxIS_DHRS);
  EXPECT_EQ(rig.read(kIS), 0U);
  EXPECT_TRUE(rig.interrupts.messages.empty());
}

TEST(HbaInterrupts, EnablingAStatusThatIsSetInterrupts) {
  BareRig rig(with(InterruptKind::msi));
  rig.bring_up();
  rig.set_port(kPxIE, 0);
  complete_a_command(rig);
  rig.set_port(kPxIE, kPxIS_DHRS);
  EXPECT_EQ(rig.read(kIS), 1U);
  EXPECT_EQ(rig.interrupts.messages.size(), 1U);
}

TEST(HbaInterrupts, WithoutGlobalEnableTheStatusIsLatchedOnly) {
  BareRig rig(with(InterruptKind::msi));
  rig.bring_up();
  rig.write(kGHC, kGHC_AE);
  complete_a_command(rig);
  EXPECT_EQ(rig.read(kIS), 1U);
  EXPECT_TRUE(rig.interrupts.messages.empty());
  rig.write(kGHC, kGHC_AE | kGHC_IE);
  EXPECT_EQ(rig.interrupts.messages.size(), 1U);
}

TEST(HbaInterrupts, GlobalStatusStaysWhenThePortsIsCleared) {
  BareRig rig(with(InterruptKind::msi));
  rig.bring_up();
  complete_a_command(rig);
  rig.set_port(kPxIS, kPxIS_DHRS);
  EXPECT_EQ(rig.read(kIS), 1U);
  rig.write(kIS, 1);
  EXPECT_EQ(rig.read(kIS), 0U);
  EXPECT_EQ(rig.interrupts.messages.size(), 1U);
}

TEST(HbaInterrupts, GlobalStatusClearedBeforeThePortsIsSetAgain) {
  BareRig rig(with(InterruptKind::msi));
  rig.bring_up();
  complete_a_command(rig);
  rig.write(kIS, 1);
  EXPECT_EQ(rig.read(kIS), 1U);
  EXPECT_EQ(rig.interrupts.messages.size(), 2U);
}

TEST(HbaInterrupts, ASecondStatusOfAPortThatIsPendingSendsNoMessage) {
  BareRig rig(with(InterruptKind::msi));
  rig.bring_up();
  complete_a_command(rig);
  rig.device.complete_tags(0);
  rig.run();
  EXPECT_EQ(rig.port(kPxIS), kPxIS_DHRS | kPxIS_SDBS);
  EXPECT_EQ(rig.interrupts.messages.size(), 1U);
}

TEST(HbaInterrupts, ClearingSomeButNotAllPortsSendsANewMessage) {
  BareRig rig(with(InterruptKind::msi));
  rig.bring_up();
  ScriptedDevice second(rig.pool);
  second.connect(&rig.controller().link(1).device_side());
  rig.write(0x100 + 0x80 + kPxIE, kPxIS_PCS);
  rig.controller().link(1).plug(&second);
  complete_a_command(rig);
  EXPECT_EQ(rig.read(kIS), 3U);
  EXPECT_EQ(rig.interrupts.messages.size(), 2U);
  rig.set_port(kPxIS, kPxIS_DHRS);
  rig.write(kIS, 1);
  EXPECT_EQ(rig.read(kIS), 2U);
  EXPECT_EQ(rig.interrupts.messages.size(), 3U);
}

TEST(HbaInterrupts, IntxIsALevelUntilTheGlobalStatusIsClear) {
  BareRig rig(with(InterruptKind::intx));
  rig.bring_up();
  complete_a_command(rig);
  EXPECT_TRUE(rig.interrupts.asserted);
  rig.set_port(kPxIS, kPxIS_DHRS);
  EXPECT_TRUE(rig.interrupts.asserted);
  rig.write(kIS, 1);
  EXPECT_FALSE(rig.interrupts.asserted);
  EXPECT_EQ(rig.interrupts.edges, (std::vector<bool>{true, false}));
  EXPECT_TRUE(rig.interrupts.messages.empty());
}

TEST(HbaInterrupts, IntxFollowsTheGlobalEnable) {
  BareRig rig(with(InterruptKind::intx));
  rig.bring_up();
  complete_a_command(rig);
  rig.write(kGHC, kGHC_AE);
  EXPECT_FALSE(rig.interrupts.asserted);
  rig.write(kGHC, kGHC_AE | kGHC_IE);
  EXPECT_TRUE(rig.interrupts.asserted);
}

TEST(HbaInterrupts, IntxClearedInTheWrongOrderStaysAsserted) {
  BareRig rig(with(InterruptKind::intx));
  rig.bring_up();
  complete_a_command(rig);
  rig.write(kIS, 1);
  EXPECT_TRUE(rig.interrupts.asserted);
  EXPECT_EQ(rig.interrupts.edges.size(), 1U);
}

TEST(HbaInterrupts, AStatusWithoutTheInterruptBitSetsNothing) {
  BareRig rig(with(InterruptKind::msi));
  rig.bring_up();
  rig.build_command(0, command(0xE7), {});
  rig.issue(0);
  rig.run();
  rig.device.send_status(0x50, false);
  rig.run();
  EXPECT_EQ(rig.port(kPxIS), 0U);
  EXPECT_EQ(rig.port(kPxCI), 0U);
}

TEST(HbaInterrupts, EachInterruptIsTraced) {
  BareRig rig(with(InterruptKind::intx));
  rig.bring_up();
  complete_a_command(rig);
  rig.set_port(kPxIS, kPxIS_DHRS);
  rig.write(kIS, 1);
  const auto seen = rig.records.of(sim::Kind::interrupt);
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(seen[0].b, 1U);
  EXPECT_EQ(seen[1].b, 0U);
}

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
