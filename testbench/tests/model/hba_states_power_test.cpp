// Port state machine: power states (AHCI 1.3.1, 5.3.4) where they must not be entered.
#include <gtest/gtest.h>

#include "testbench/tests/model/hba_states.h"

namespace ncqlab::test {
namespace {

using namespace hba;

ControllerProfile with_link_power() {
  ControllerProfile profile = HbaRig::default_profile();
  Capabilities& has = profile.capabilities;
  has.partial = has.slumber = has.aggressive_link_power = has.device_sleep = has.aggressive_device_sleep = true;
  return profile;
}

struct PoweredRig : StateRig {
  PoweredRig() : StateRig(true, with_link_power()) { device.accepted_power = true; }
  std::uint32_t power() { return (port(kPxSSTS) & kIPM_mask) >> kIPM_shift; }
};

TEST(HbaStates, PmAggrToIdleAgainstSerialControl) {
  for (const std::uint32_t forbidden : {0U, 1U}) {
    PoweredRig rig;
    rig.set_port(kPxSCTL, forbidden << kIPM_shift);
    rig.set_port(kPxCMD, rig.port(kPxCMD) | kPxCMD_ALPE);
    rig.send_command(0, 0xE7);
    rig.device.send_status(0x50, true);
    rig.run();
    EXPECT_EQ(rig.power(), forbidden != 0 ? 1U : 2U);
  }
}

TEST(HbaStates, PmAggrToIdleWhileACommandIsOutstanding) {
  PoweredRig rig;
  rig.set_port(kPxCMD, rig.port(kPxCMD) | kPxCMD_ALPE);
  rig.send_queued(1, 0x60, 512);
  rig.send_command(0, 0xE7);
  rig.device.send_status(0x50, true);
  rig.run();
  EXPECT_EQ(rig.power(), 1U);
}

TEST(HbaStates, PmByTheDeviceIsRefusedInTheMiddleOfADmaSetup) {
  PoweredRig rig;
  rig.send_queued(0, 0x60, 512);
  rig.device.set_up_dma(0, true, 512);
  rig.run();
  rig.controller().link(0).device_side().request_power(sata::LinkPower::partial);
  rig.run();
  EXPECT_EQ(rig.power(), 1U);
}

TEST(HbaStates, PmByTheDeviceIsRefusedAgainstSerialControl) {
  PoweredRig rig;
  rig.set_port(kPxSCTL, 2U << kIPM_shift);
  rig.controller().link(0).device_side().request_power(sata::LinkPower::slumber);
  rig.run();
  EXPECT_EQ(rig.power(), 1U);
  rig.controller().link(0).device_side().request_power(sata::LinkPower::partial);
  rig.run();
  EXPECT_EQ(rig.power(), 2U);
}

// PxDEVSLP.DITO of 3 ms counts from the last command, and no command may be outstanding.
TEST(HbaStates, PmDevSleepCountsFromTheLastCommand) {
  PoweredRig rig;
  rig.set_port(kPxCMD, rig.port(kPxCMD) & ~kPxCMD_ST);
  rig.set_port(kPxDEVSLP, 3U << kDEVSLP_DITO_shift);
  rig.set_port(kPxCMD, rig.port(kPxCMD) | kPxCMD_ST);
  const sim::Time enabled = rig.queue().now();
  rig.set_port(kPxDEVSLP, 3U << kDEVSLP_DITO_shift | kDEVSLP_ADSE);
  rig.run_for(2 * sim::kMillisecond);
  rig.build_command(0, command(0xE7), {});
  rig.issue(0);
  rig.run_for(2 * sim::kMillisecond);
  EXPECT_EQ(rig.power(), 1U);  // the command is outstanding at 3 ms
  rig.device.send_status(0x50, true);
  ASSERT_TRUE(rig.run_until([&] { return rig.port(kPxCI) == 0; }));
  const sim::Time done = rig.queue().now();
  rig.run_for(done + 3 * sim::kMillisecond - 1 - rig.queue().now());
  EXPECT_EQ(rig.power(), 1U);
  EXPECT_GT(done, enabled + 4 * sim::kMillisecond - sim::kMicrosecond);
  rig.run();
  EXPECT_EQ(rig.power(), 8U);
}

TEST(HbaStates, PmDevSleepOfATimerThatACommandHasOvertaken) {
  PoweredRig rig;
  rig.set_port(kPxCMD, rig.port(kPxCMD) & ~kPxCMD_ST);
  rig.set_port(kPxDEVSLP, 3U << kDEVSLP_DITO_shift);
  rig.set_port(kPxCMD, rig.port(kPxCMD) | kPxCMD_ST);
  rig.set_port(kPxDEVSLP, 3U << kDEVSLP_DITO_shift | kDEVSLP_ADSE);
  rig.run_for(2 * sim::kMillisecond);
  rig.build_command(0, command(0xE7), {});
  rig.device.on_frame = [&](const Bytes&) { rig.device.send_status(0x50, true); };
  rig.issue(0);
  rig.run_for(2 * sim::kMillisecond);
  ASSERT_EQ(rig.port(kPxCI), 0U);
  EXPECT_EQ(rig.power(), 1U);
  rig.run();
  EXPECT_EQ(rig.power(), 8U);
}

}  // namespace
}  // namespace ncqlab::test
