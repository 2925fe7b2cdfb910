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

}  // namespace
}  // namespace ncqlab::test
