// INTx and MSI as the PCI side hands them on (AHCI 1.3.1, 2.1.2, 2.1.3, 2.3 and 10.7.2; PCI 3.0, 6.2.2 and 6.8).
#include <gtest/gtest.h>

#include "testbench/tests/model/pci_rig.h"

namespace ncqlab::test {
namespace {

using namespace hba;

using Message = PciHostNotes::Message;

bool status(PciRig& rig) { return (rig.config(0x06, 2) & 0x0008) != 0; }

void enable_messages(PciRig& rig, unsigned exponent = 0) {
  rig.set_config(0x84, 0xFEE00000);
  rig.set_config(0x88, 0x00000001);
  rig.set_config(0x8C, 0x4140);
  rig.set_config(0x82, 0x0001 | exponent << 4, 2);
}

ControllerProfile with_messages(unsigned messages) {
  ControllerProfile profile = PciRig::profile_with_everything();
  profile.messages = messages;
  return profile;
}

TEST(PciInterrupt, WithoutMessagesItIsALevelUntilAcknowledged) {
  PciRig rig;
  rig.enable();
  rig.bring_up();
  rig.complete_a_command();
  EXPECT_TRUE(rig.notes.asserted());
  EXPECT_TRUE(status(rig));
  rig.acknowledge();
  EXPECT_EQ(rig.notes.edges, (std::vector<bool>{true, false}));
  EXPECT_FALSE(status(rig));
  EXPECT_TRUE(rig.notes.messages.empty());
}

TEST(PciInterrupt, InterruptDisableHoldsTheLineButNotItsStatus) {
  PciRig rig;
  rig.enable();
  rig.bring_up();
  rig.set_config(0x04, 0x0407, 2);
  rig.complete_a_command();
  EXPECT_TRUE(rig.notes.edges.empty());
  EXPECT_TRUE(status(rig));
  rig.set_config(0x04, 0x0007, 2);
  EXPECT_TRUE(rig.notes.asserted());
  rig.set_config(0x04, 0x0407, 2);
  EXPECT_FALSE(rig.notes.asserted());
  EXPECT_TRUE(status(rig));
}

TEST(PciInterrupt, TheLineNeedsNoBusMaster) {
  PciRig rig;
  rig.enable();
  rig.bring_up();
  rig.set_config(0x04, 0x0002, 2);
  rig.build_command(0, command(0xE7), {});
  rig.issue(0);
  rig.run();
  EXPECT_TRUE(rig.notes.asserted());
}

TEST(PciInterrupt, AMessageIsAWriteOfItsDataToItsAddress) {
  PciRig rig;
  rig.enable();
  enable_messages(rig);
  rig.bring_up();
  rig.complete_a_command();
  EXPECT_EQ(rig.notes.messages, (std::vector<Message>{{0x1'FEE0'0000, 0x4140}}));
  EXPECT_TRUE(rig.notes.edges.empty());
  EXPECT_FALSE(status(rig));
}

TEST(PciInterrupt, AMessageOf32BitsHasNoUpperAddress) {
  ControllerProfile profile = PciRig::profile_with_everything();
  profile.capabilities.addresses_64bit = false;
  PciRig rig(profile);
  rig.enable();
  rig.set_config(0x84, 0xFEE00000);
  rig.set_config(0x88, 0x4140);
  rig.set_config(0x82, 0x0001, 2);
  rig.bring_up();
  rig.complete_a_command();
  EXPECT_EQ(rig.notes.messages, (std::vector<Message>{{0xFEE0'0000, 0x4140}}));
}

TEST(PciInterrupt, AMessageNeedsBusMasterEnable) {
  PciRig rig;
  rig.enable();
  enable_messages(rig);
  rig.bring_up();
  rig.set_config(0x04, 0x0002, 2);
  rig.build_command(0, command(0xE7), {});
  rig.issue(0);
  rig.run();
  EXPECT_NE(rig.read(kIS), 0U);
  EXPECT_TRUE(rig.notes.messages.empty());
}

TEST(PciInterrupt, EnablingMessagesReleasesTheLine) {
  PciRig rig;
  rig.enable();
  rig.bring_up();
  rig.complete_a_command();
  enable_messages(rig);
  EXPECT_FALSE(rig.notes.asserted());
  EXPECT_TRUE(rig.notes.messages.empty()) << "no bit of IS became 1";
  rig.set_config(0x82, 0, 2);
  EXPECT_TRUE(rig.notes.asserted());
}

TEST(PciInterrupt, EachPortHasItsMessageInTheLowBitsOfTheData) {
  PciRig rig(with_messages(4));
  rig.enable();
  enable_messages(rig, 2);
  rig.bring_up();
  rig.write(0x180 + kPxIE, kPxIS_PCS);
  ScriptedDevice second(rig.pool);
  second.connect(&rig.controller().link(1).device_side());
  rig.controller().link(1).plug(&second);
  rig.run();
  EXPECT_EQ(rig.notes.messages, (std::vector<Message>{{0x1'FEE0'0000, 0x4141}}));
  rig.complete_a_command();
  EXPECT_EQ(rig.notes.messages.back(), (Message{0x1'FEE0'0000, 0x4140}));
}

TEST(PciInterrupt, TheNumberReplacesTheLowBitsThatSoftwareWrote) {
  PciRig rig(with_messages(4));
  rig.enable();
  enable_messages(rig, 2);
  rig.set_config(0x8C, 0x4147);
  rig.bring_up();
  rig.complete_a_command();
  EXPECT_EQ(rig.notes.messages, (std::vector<Message>{{0x1'FEE0'0000, 0x4144}}));
}

TEST(PciInterrupt, FewerMessagesThanAskedForRevertToOne) {
  PciRig rig(with_messages(4));
  rig.enable();
  for (const unsigned exponent : {0U, 1U, 2U, 3U}) {
    enable_messages(rig, exponent);
    EXPECT_EQ(rig.read(kGHC) & 0x4, exponent == 1 ? 0x4U : 0U) << exponent;
  }
  enable_messages(rig, 1);
  rig.set_config(0x82, 0x0010, 2);
  EXPECT_EQ(rig.read(kGHC) & 0x4, 0U) << "MSIE = 0";
}

TEST(PciInterrupt, AfterRevertingEveryPortHasMessageZero) {
  PciRig rig(with_messages(4));
  rig.enable();
  enable_messages(rig, 1);
  rig.bring_up();
  rig.write(0x180 + kPxIE, kPxIS_PCS);
  ScriptedDevice second(rig.pool);
  second.connect(&rig.controller().link(1).device_side());
  rig.controller().link(1).plug(&second);
  rig.run();
  EXPECT_EQ(rig.notes.messages, (std::vector<Message>{{0x1'FEE0'0000, 0x4140}}));
}

}  // namespace
}  // namespace ncqlab::test
