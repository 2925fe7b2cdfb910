// Which accesses the function claims, and where they lead (PCI 3.0, 6.2.2 and 6.2.5; AHCI 1.3.1, 2.1.10 and 2.4).
#include <gtest/gtest.h>

#include "testbench/tests/model/pci_rig.h"

namespace ncqlab::test {
namespace {

using namespace hba;

constexpr std::uint64_t kBase = PciRig::kRegisters;
constexpr std::uint32_t kIo = PciRig::kIo;

TEST(PciDecode, ABarsSizeIsWhatReadsBackAsZeroOfAllOnes) {
  PciRig rig;
  const std::uint32_t sizes[] = {8, 4, 8, 4, 32};
  for (unsigned bar = 0; bar < 5; ++bar) {
    rig.set_config(0x10 + 4 * bar, 0xFFFFFFFF);
    EXPECT_EQ(~(rig.config(0x10 + 4 * bar) & ~3U) + 1, sizes[bar]) << bar;
  }
  rig.set_config(0x24, 0xFFFFFFFF);
  EXPECT_EQ(~(rig.config(0x24) & ~0xFU) + 1, 0x2000U);
}

TEST(PciDecode, MemoryIsClaimedFromTheFirstToTheLastByteOfAbar) {
  PciRig rig;
  rig.enable();
  EXPECT_FALSE(rig.function.memory_target(kBase - 1, 1).has_value());
  ASSERT_TRUE(rig.function.memory_target(kBase, 1).has_value());
  ASSERT_TRUE(rig.function.memory_target(kBase + 0x1FFF, 1).has_value());
  EXPECT_FALSE(rig.function.memory_target(kBase + 0x2000, 1).has_value());
  EXPECT_EQ(rig.function.memory_target(kBase + 0x118, 4)->bar, 5U);
  EXPECT_EQ(rig.function.memory_target(kBase + 0x118, 4)->offset, 0x118U);
}

TEST(PciDecode, AnAccessThatLeavesTheBarIsNotClaimed) {
  PciRig rig;
  rig.enable();
  EXPECT_TRUE(rig.function.memory_target(kBase + 0x1FFC, 4).has_value());
  EXPECT_FALSE(rig.function.memory_target(kBase + 0x1FFD, 4).has_value());
  EXPECT_FALSE(rig.function.memory_target(0xFFFF'FFFF'FFFF'FFFF, 8).has_value());
}

TEST(PciDecode, MemoryIsNotClaimedWithoutMemorySpaceEnable) {
  PciRig rig;
  rig.enable();
  rig.set_config(0x04, 0x0005, 2);
  EXPECT_FALSE(rig.function.memory_target(kBase, 4).has_value());
  EXPECT_EQ(rig.function.read({5, 0}, 4), 0xFFFFFFFFU);
  rig.set_config(0x04, 0x0002, 2);
  EXPECT_TRUE(rig.function.memory_target(kBase, 4).has_value());
}

TEST(PciDecode, IoIsNotClaimedWithoutIoSpaceEnable) {
  PciRig rig;
  rig.enable();
  EXPECT_TRUE(rig.function.io_target(kIo, 4).has_value());
  rig.set_config(0x04, 0x0006, 2);
  EXPECT_FALSE(rig.function.io_target(kIo, 4).has_value());
}

TEST(PciDecode, EachIoBarClaimsItsOwnBytes) {
  PciRig rig;
  rig.enable();
  const std::uint32_t sizes[] = {8, 4, 8, 4, 32};
  for (unsigned bar = 0; bar < 5; ++bar) {
    const std::uint32_t base = 0x1000 + 0x100 * bar;
    rig.set_config(0x10 + 4 * bar, base);
    EXPECT_FALSE(rig.function.io_target(base - 1, 1).has_value());
    ASSERT_TRUE(rig.function.io_target(base, 1).has_value());
    EXPECT_EQ(rig.function.io_target(base + sizes[bar] - 1, 1)->bar, bar);
    EXPECT_EQ(rig.function.io_target(base + sizes[bar] - 1, 1)->offset, sizes[bar] - 1);
    EXPECT_FALSE(rig.function.io_target(base + sizes[bar], 1).has_value());
  }
}

TEST(PciDecode, AbarLeadsToTheRegisters) {
  PciRig rig;
  rig.enable();
  EXPECT_EQ(rig.function.read({5, 0x10}, 4), 0x00010301U);
  rig.function.write({5, 0x114}, 0x1, 4);
  EXPECT_EQ(rig.read(0x114), 1U);
  EXPECT_EQ(rig.function.read({5, 0x0C}, 8), 0x0001'0301'0000'0003U);
}

TEST(PciDecode, TheIndexChoosesTheRegisterOfTheDataPort) {
  PciRig rig;
  rig.enable();
  rig.function.write({4, 16}, 0x10, 4);
  EXPECT_EQ(rig.function.read({4, 16}, 4), 0x10U);
  EXPECT_EQ(rig.function.read({4, 20}, 4), 0x00010301U);
  rig.function.write({4, 16}, 0x114, 4);
  rig.function.write({4, 20}, 0x5, 4);
  EXPECT_EQ(rig.read(0x114), 5U);
}

TEST(PciDecode, TheIndexHoldsDwordsOfTheRegisterSpace) {
  PciRig rig;
  rig.enable();
  rig.function.write({4, 16}, 0xFFFFFFFF, 4);
  EXPECT_EQ(rig.function.read({4, 16}, 4), 0x1FFCU);
  rig.function.write({4, 17}, 0x01, 1);
  EXPECT_EQ(rig.function.read({4, 16}, 4), 0x01FCU);
}

TEST(PciDecode, BytesOfTheDataPortAreBytesOfTheRegister) {
  PciRig rig;
  rig.enable();
  rig.function.write({4, 16}, 0x100, 4);
  rig.function.write({4, 20}, 0x11223400, 4);
  rig.function.write({4, 22}, 0xAB, 1);
  EXPECT_EQ(rig.read(0x100), 0x11AB3400U);
  EXPECT_EQ(rig.function.read({4, 21}, 1), 0x34U);
  EXPECT_EQ(rig.function.read({4, 22}, 2), 0x11ABU);
}

TEST(PciDecode, TheIndexDataPairMayLieInConfigurationSpace) {
  ControllerProfile profile = PciRig::profile_with_everything();
  profile.pci.io_bar_bytes = {};
  profile.pci.index_data_offset_bytes = 0;
  PciRig rig(profile);
  EXPECT_EQ(rig.config(0xAC), 0x0000000FU);
  rig.set_config(0xB0, 0x114);
  rig.set_config(0xB4, 0x41, 1);
  EXPECT_EQ(rig.config(0xB0), 0x114U);
  EXPECT_EQ(rig.config(0xB4), 0x41U);
  EXPECT_EQ(rig.read(0x114), 0x41U);
}

TEST(PciDecode, TheLegacyInterfaceIsSwitchedOff) {
  PciRig rig;
  rig.enable();
  for (unsigned bar = 0; bar < 4; ++bar) {
    rig.function.write({bar, 0}, 0xEC, 1);
    EXPECT_EQ(rig.function.read({bar, 0}, 1), 0xFFU);
  }
  rig.function.write({4, 0}, 0xFF, 1);
  EXPECT_EQ(rig.function.read({4, 0}, 1), 0U);
  EXPECT_EQ(rig.function.read({4, 24}, 4), 0U);
}

TEST(PciDecode, PlacesOutsideOfABarReadAsOnes) {
  PciRig rig;
  rig.enable();
  EXPECT_EQ(rig.function.read({4, 32}, 1), 0xFFU);
  EXPECT_EQ(rig.function.read({5, 0x2000}, 4), 0xFFFFFFFFU);
  EXPECT_EQ(rig.function.read({6, 0}, 8), 0xFFFF'FFFF'FFFF'FFFFU);
  rig.function.write({4, 0xFFFFFFFE}, 0, 4);
  rig.function.write({6, 0}, 0, 4);
}

TEST(PciDecode, WithoutBusMasterEnableEveryTransferEndsInAnError) {
  PciRig rig;
  rig.enable();
  rig.bring_up();
  rig.build_command(0, command(0xE7), {});
  rig.set_config(0x04, 0x0003, 2);
  rig.issue(0);
  rig.run();
  EXPECT_TRUE(rig.device.received.empty());
  EXPECT_EQ(rig.port(kPxIS), kPxIS_HBFS);
  EXPECT_EQ(rig.config(0x06, 2) & 0x2000U, 0U) << "no access went out, so no master abort came back";
}

}  // namespace
}  // namespace ncqlab::test
