// Command completion coalescing in a controller: its registers, and what counts as a completion
// (AHCI 1.3.1, 3.1.6, 3.1.7 and clause 11).
#include <gtest/gtest.h>

#include "testbench/tests/model/hba_rig.h"

namespace ncqlab::test {
namespace {

using namespace hba;

constexpr unsigned kInterrupt = 31;

ControllerProfile coalescing_profile() {
  ControllerProfile profile = HbaRig::default_profile();
  profile.capabilities.command_completion_coalescing = true;
  return profile;
}

TEST(HbaCoalescing, CountAndTimeoutChangeOnlyWhileDisabled) {
  BareRig rig(coalescing_profile());
  rig.write(kCCC_CTL, 0x00050401);
  EXPECT_EQ(rig.read(kCCC_CTL), 0x000504F9U);
  rig.write(kCCC_CTL, 0x00090801);
  EXPECT_EQ(rig.read(kCCC_CTL), 0x000504F9U);
  EXPECT_TRUE(rig.violated(Violation::coalescing_changed_while_enabled));
  rig.write(kCCC_CTL, 0x00090800);
  EXPECT_EQ(rig.read(kCCC_CTL), 0x000504F8U) << "still enabled when it was written";
  rig.write(kCCC_CTL, 0x00090800);
  EXPECT_EQ(rig.read(kCCC_CTL), 0x000908F8U);
}

TEST(HbaCoalescing, ClearingEnableAloneIsNoViolation) {
  BareRig rig(coalescing_profile());
  rig.write(kCCC_CTL, 0x00050401);
  rig.write(kCCC_CTL, 0x00050400);
  EXPECT_FALSE(rig.violated(Violation::coalescing_changed_while_enabled));
}

TEST(HbaCoalescing, TheReservedTimeoutIsAViolation) {
  BareRig rig(coalescing_profile());
  rig.write(kCCC_CTL, 0x00000401);
  EXPECT_TRUE(rig.violated(Violation::coalescing_without_timeout));
}

constexpr std::uint32_t kIs = 1U << kInterrupt;

// Port 0 started and selected; its completions are not enabled to interrupt by themselves.
class HbaCoalescingPort : public testing::Test {
 protected:
  HbaCoalescingPort() {
    rig.bring_up();
    rig.set_port(kPxIE, 0);
    rig.write(kCCC_PORTS, 0x1);
  }
  void enable(std::uint32_t timeout_ms, std::uint32_t completions) {
    rig.write(kCCC_CTL, timeout_ms << 16 | completions << 8);
    rig.write(kCCC_CTL, timeout_ms << 16 | completions << 8 | 1);
  }
  void issue(unsigned slot) {
    rig.build_command(slot, command(0xE7), {});
    rig.issue(slot);
    rig.run_for(10 * sim::kMicrosecond);
  }
  void complete() {
    rig.device.send_status(0x50, true);
    rig.run_for(10 * sim::kMicrosecond);
  }
  std::uint32_t status() { return rig.read(kIS); }

  BareRig rig{coalescing_profile()};
};

TEST_F(HbaCoalescingPort, ACommandThatLeavesPxCiCounts) {
  enable(1000, 2);
  issue(0);
  complete();
  EXPECT_EQ(status(), 0U);
  issue(0);
  complete();
  EXPECT_EQ(status(), kIs);
  EXPECT_EQ(rig.interrupts.messages.size(), 1U);
}

TEST_F(HbaCoalescingPort, CommandsThatLeavePxSactCountEach) {
  enable(1000, 3);
  for (unsigned tag = 0; tag < 4; ++tag) {
    rig.build_command(tag, queued_command(0x60, tag), {});
    rig.issue_queued(tag);
    rig.run_for(10 * sim::kMicrosecond);
    rig.device.send_status(0x40, false);
    rig.run_for(10 * sim::kMicrosecond);
  }
  EXPECT_EQ(rig.port(kPxCI), 0U);
  rig.device.complete_tags(0x3);
  rig.run_for(10 * sim::kMicrosecond);
  EXPECT_EQ(status(), 0U);
  rig.device.complete_tags(0x4);
  rig.run_for(10 * sim::kMicrosecond);
  EXPECT_EQ(status(), kIs);
}

TEST_F(HbaCoalescingPort, ACommandThatFailsDoesNotCount) {
  enable(1000, 1);
  issue(0);
  rig.device.send_status(0x51, true, 0x04);
  rig.run_for(10 * sim::kMicrosecond);
  EXPECT_EQ(status(), 0U);
}

TEST_F(HbaCoalescingPort, ThePortsOwnInterruptsGoOn) {
  rig.set_port(kPxIE, kPxIS_DHRS);
  enable(1000, 1);
  issue(0);
  complete();
  EXPECT_EQ(status(), kIs | 1);
}

TEST_F(HbaCoalescingPort, TheTimerRunsFromTheFirstCommand) {
  enable(2, 0);
  rig.run_for(10 * sim::kMillisecond);
  rig.build_command(0, command(0xE7), {});
  rig.issue(0);
  rig.run_for(2 * sim::kMillisecond - 1);
  EXPECT_EQ(status(), 0U);
  rig.run_for(1);
  EXPECT_EQ(status(), kIs);
}

TEST_F(HbaCoalescingPort, ABitOfPxSactAloneRunsTheTimer) {
  enable(2, 0);
  rig.set_port(kPxSACT, 1);
  rig.run_for(2 * sim::kMillisecond - 1);
  EXPECT_EQ(status(), 0U);
  rig.run_for(1);
  EXPECT_EQ(status(), kIs);
}

TEST_F(HbaCoalescingPort, ACommandIssuedBeforeItWasEnabledRunsTheTimer) {
  issue(0);
  enable(2, 4);
  rig.run_for(2 * sim::kMillisecond - 1);
  EXPECT_EQ(status(), 0U);
  rig.run_for(1);
  EXPECT_EQ(status(), kIs);
}

TEST_F(HbaCoalescingPort, StoppingThePortStopsTheTimer) {
  enable(2, 4);
  issue(0);
  rig.set_port(kPxCMD, rig.port(kPxCMD) & ~kPxCMD_ST);
  rig.run_for(10 * sim::kMillisecond);
  EXPECT_EQ(status(), 0U);
}

TEST_F(HbaCoalescingPort, APortThatIsSelectedLaterCountsFromThen) {
  rig.write(kCCC_PORTS, 0);
  enable(1000, 1);
  issue(0);
  complete();
  EXPECT_EQ(status(), 0U);
  rig.write(kCCC_PORTS, 0x1);
  issue(0);
  complete();
  EXPECT_EQ(status(), kIs);
}

TEST_F(HbaCoalescingPort, DisabledItCountsNothing) {
  enable(1, 1);
  rig.write(kCCC_CTL, 0x00010100);
  issue(0);
  complete();
  rig.run_for(10 * sim::kMillisecond);
  EXPECT_EQ(status(), 0U);
}

TEST_F(HbaCoalescingPort, HbaResetDisablesIt) {
  enable(1, 1);
  issue(0);
  rig.write(kGHC, kGHC_AE | kGHC_HR);
  rig.run_for(10 * sim::kMillisecond);
  EXPECT_EQ(rig.read(kCCC_CTL), 0x000101F8U);
  EXPECT_EQ(rig.read(kCCC_PORTS), 0U);
  EXPECT_EQ(status() & kIs, 0U);
}

}  // namespace
}  // namespace ncqlab::test
