// Power states and reset of the function (AHCI 1.3.1, 2.2.3 and 8.3; PCI Power Management 1.2, clauses 3 and 5).
#include <gtest/gtest.h>

#include "testbench/tests/model/pci_rig.h"

namespace ncqlab::test {
namespace {

using namespace hba;

constexpr std::uint32_t kPmcs = 0x74;

TEST(PciPower, OnlyD0AndD3AreTaken) {
  PciRig rig;
  rig.set_config(kPmcs, 1);
  EXPECT_EQ(rig.config(kPmcs), 0U);
  rig.set_config(kPmcs, 2);
  EXPECT_EQ(rig.config(kPmcs), 0U);
  rig.set_config(kPmcs, 3);
  EXPECT_EQ(rig.config(kPmcs), 3U);
  rig.set_config(kPmcs, 2);
  EXPECT_EQ(rig.config(kPmcs), 3U);
  rig.set_config(kPmcs, 0);
  EXPECT_EQ(rig.config(kPmcs), 0U);
}

TEST(PciPower, InD3OnlyConfigurationSpaceAnswers) {
  PciRig rig;
  rig.enable();
  rig.set_config(kPmcs, 3);
  EXPECT_EQ(rig.config(0x00), 0x56781234U);
  EXPECT_FALSE(rig.function.memory_target(PciRig::kRegisters, 4).has_value());
  EXPECT_FALSE(rig.function.io_target(PciRig::kIo, 4).has_value());
  EXPECT_EQ(rig.function.read({5, 0}, 4), 0xFFFFFFFFU);
}

TEST(PciPower, InD3TheLineIsInactive) {
  PciRig rig;
  rig.enable();
  rig.bring_up();
  rig.complete_a_command();
  rig.set_config(kPmcs, 3);
  EXPECT_FALSE(rig.notes.asserted());
}

TEST(PciPower, InD3NoTransferIsMadeAndNoMessageSent) {
  PciRig rig;
  rig.enable();
  rig.set_config(0x82, 0x0001, 2);
  rig.bring_up();
  rig.build_command(0, command(0xE7), {});
  rig.issue(0);
  rig.set_config(kPmcs, 3);
  rig.run();
  EXPECT_TRUE(rig.device.received.empty());
  EXPECT_TRUE(rig.notes.messages.empty());
}

TEST(PciPower, TheWayBackToD0ResetsTheFunction) {
  PciRig rig;
  rig.enable();
  rig.bring_up();
  rig.complete_a_command();
  rig.set_config(kPmcs, 3);
  EXPECT_EQ(rig.config(0x24), PciRig::kRegisters);
  rig.set_config(kPmcs, 0);
  rig.run();
  EXPECT_EQ(rig.config(0x24), 0U);
  EXPECT_EQ(rig.config(0x04), 0x00100000U);
  EXPECT_EQ(rig.read(kGHC), kGHC_AE);
  EXPECT_EQ(rig.read(kIS), 0U);
  EXPECT_EQ(rig.port(kPxCMD) & kPxCMD_ST, 0U);
  EXPECT_EQ(rig.port(kPxCLB), 0U);
  EXPECT_EQ(rig.device.resets, 2U) << "once more than by power-on";
}

TEST(PciPower, ResetOfTheFunctionForgetsWhatHbaResetKeeps) {
  PciRig rig;
  rig.enable();
  rig.bring_up();
  rig.write(kGHC, kGHC_HR);
  rig.run();
  EXPECT_NE(rig.port(kPxFB), 0U);
  rig.function.reset();
  EXPECT_EQ(rig.read(kGHC) & kGHC_HR, kGHC_HR);
  rig.run();
  EXPECT_EQ(rig.read(kGHC), kGHC_AE);
  for (const std::uint32_t offset : {kPxCLB, kPxCLBU, kPxFB, kPxFBU}) EXPECT_EQ(rig.port(offset), 0U);
}

TEST(PciPower, ResetDuringAnHbaResetEndsWithIt) {
  PciRig rig;
  rig.enable();
  rig.bring_up();
  rig.write(kGHC, kGHC_HR);
  rig.run_for(rig.profile.latencies.reset / 2);
  rig.function.reset();
  rig.run_for(rig.profile.latencies.reset / 2);
  EXPECT_EQ(rig.read(kGHC), kGHC_AE);
  EXPECT_EQ(rig.port(kPxFB), 0U);
}

TEST(PciPower, ResetClearsTheIndexOfTheIndexDataPair) {
  PciRig rig;
  rig.enable();
  rig.function.write({4, 16}, 0x114, 4);
  rig.function.reset();
  rig.enable();
  EXPECT_EQ(rig.function.read({4, 16}, 4), 0U);
}

TEST(PciPower, ResetReleasesTheLine) {
  PciRig rig;
  rig.enable();
  rig.bring_up();
  rig.complete_a_command();
  rig.function.reset();
  EXPECT_EQ(rig.notes.edges, (std::vector<bool>{true, false}));
}

}  // namespace
}  // namespace ncqlab::test
