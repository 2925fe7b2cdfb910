// Link power as software sees it: PxCMD.ICC, ALPE and ASP, PxSCTL.IPM, PxSSTS.IPM, PxDEVSLP (AHCI 1.3.1, 3.3.7, 3.3.10,
// 3.3.17, 8.3, 8.5).
#include <gtest/gtest.h>

#include "testbench/tests/model/hba_rig.h"

namespace ncqlab::test {
namespace {

using namespace hba;

constexpr std::uint32_t kActive = 1;
constexpr std::uint32_t kPartial = 2;
constexpr std::uint32_t kSlumber = 6;
constexpr std::uint32_t kDevSleep = 8;

ControllerProfile powerful() {
  ControllerProfile profile = HbaRig::default_profile();
  Capabilities& has = profile.capabilities;
  has.partial = has.slumber = has.aggressive_link_power = has.device_sleep = has.aggressive_device_sleep = true;
  return profile;
}

struct PowerRig : BareRig {
  explicit PowerRig(const ControllerProfile& wanted = powerful()) : BareRig(wanted) {
    device.accepted_power = true;
    bring_up();
    set_port(kPxSERR, 0xFFFFFFFF);
  }
  void control(std::uint32_t icc) { set_port(kPxCMD, (port(kPxCMD) & ~kPxCMD_ICC) | icc << kPxCMD_ICC_shift); }
  std::uint32_t icc() { return port(kPxCMD) >> kPxCMD_ICC_shift; }
  std::uint32_t ipm() { return port(kPxSSTS) >> kIPM_shift & 0xF; }
  sim::Time exit_time(sim::Time sata::LinkParameters::*member) { return sata::LinkParameters{}.*member; }
};

TEST(HbaPower, IccTakesTheLinkToPartialAndReadsZeroThen) {
  PowerRig rig;
  rig.control(kPartial);
  EXPECT_EQ(rig.icc(), kPartial);
  rig.run();
  EXPECT_EQ(rig.ipm(), kPartial);
  EXPECT_EQ(rig.icc(), 0U);
}

TEST(HbaPower, IccTakesTheLinkToSlumber) {
  PowerRig rig;
  rig.control(kSlumber);
  rig.run();
  EXPECT_EQ(rig.ipm(), kSlumber);
}

TEST(HbaPower, ADeviceThatRefusesKeepsTheLinkActive) {
  PowerRig rig;
  rig.device.accepted_power = false;
  rig.control(kPartial);
  rig.run();
  EXPECT_EQ(rig.ipm(), kActive);
  EXPECT_EQ(rig.icc(), 0U);
}

TEST(HbaPower, AReservedValueOfIccIsAViolationAndReadsZero) {
  PowerRig rig;
  rig.control(5);
  EXPECT_EQ(rig.icc(), 0U);
  EXPECT_TRUE(rig.violated(Violation::link_power_not_supported));
}

TEST(HbaPower, AStateWithoutItsCapabilityIsNotEntered) {
  ControllerProfile profile = powerful();
  profile.capabilities.slumber = false;
  PowerRig rig(profile);
  rig.control(kSlumber);
  rig.run();
  EXPECT_EQ(rig.ipm(), kActive);
  EXPECT_TRUE(rig.violated(Violation::link_power_not_supported));
}

TEST(HbaPower, SerialControlForbidsEachState) {
  for (const std::uint32_t icc : {kPartial, kSlumber, kDevSleep}) {
    PowerRig rig;
    const std::uint32_t bit = icc == kPartial ? 1 : icc == kSlumber ? 2 : 4;
    rig.set_port(kPxSCTL, bit << kIPM_shift);
    rig.control(icc);
    rig.run();
    EXPECT_EQ(rig.ipm(), kActive) << icc;
    rig.set_port(kPxSCTL, (7 & ~bit) << kIPM_shift);
    rig.control(icc);
    rig.run();
    EXPECT_EQ(rig.ipm(), icc) << icc;
  }
}

TEST(HbaPower, EnteringAndLeavingShowAsPhyReadyChange) {
  PowerRig rig;
  rig.control(kPartial);
  rig.run();
  EXPECT_EQ(rig.port(kPxSERR), kSERR_DIAG_N);
  EXPECT_EQ(rig.port(kPxIS), kPxIS_PRCS);
  rig.set_port(kPxSERR, 0xFFFFFFFF);
  rig.control(kActive);
  rig.run();
  EXPECT_EQ(rig.port(kPxSERR), kSERR_DIAG_N | kSERR_DIAG_W);
}

TEST(HbaPower, IccActiveWakesTheLinkAfterItsExitTime) {
  PowerRig rig;
  rig.control(kPartial);
  rig.run();
  const sim::Time awake = rig.queue().now() + rig.exit_time(&sata::LinkParameters::partial_exit);
  rig.control(kActive);
  rig.run_for(awake - rig.queue().now() - 1);
  EXPECT_EQ(rig.ipm(), kPartial);
  rig.run_for(1);
  EXPECT_EQ(rig.ipm(), kActive);
}

TEST(HbaPower, ACommandWakesTheLink) {
  PowerRig rig;
  rig.control(kSlumber);
  rig.run();
  rig.build_command(0, command(0xE7), {});
  rig.issue(0);
  rig.run();
  EXPECT_EQ(rig.ipm(), kActive);
  EXPECT_EQ(rig.device.received.size(), 1U);
}

TEST(HbaPower, TheDeviceMayAskWhenNothingIsToBeSent) {
  PowerRig rig;
  EXPECT_TRUE(rig.controller().link(0).device_side().request_power(sata::LinkPower::partial));
  rig.run();
  EXPECT_EQ(rig.ipm(), kPartial);
}

TEST(HbaPower, SerialControlForbidsWhatTheDeviceAsksFor) {
  PowerRig rig;
  rig.set_port(kPxSCTL, 1U << kIPM_shift);
  rig.controller().link(0).device_side().request_power(sata::LinkPower::partial);
  rig.run();
  EXPECT_EQ(rig.ipm(), kActive);
}

TEST(HbaPower, AggressivePartialFollowsTheLastCommand) {
  PowerRig rig;
  rig.set_port(kPxCMD, rig.port(kPxCMD) | kPxCMD_ALPE);
  rig.build_command(0, queued_command(0x60, 0), {{rig.data.address, 512}});
  rig.build_command(1, queued_command(0x60, 1), {{rig.data.address, 512}});
  rig.issue_queued(0);
  rig.issue_queued(1);
  rig.run();
  rig.device.send_status(0x40, false);
  rig.run();
  rig.device.send_status(0x40, false);
  rig.run();
  rig.device.complete_tags(1);
  rig.run();
  EXPECT_EQ(rig.ipm(), kActive);
  rig.device.complete_tags(2);
  rig.run();
  EXPECT_EQ(rig.ipm(), kPartial);
}

TEST(HbaPower, AggressiveSlumberIsChosenByAsp) {
  PowerRig rig;
  rig.set_port(kPxCMD, rig.port(kPxCMD) | kPxCMD_ALPE | kPxCMD_ASP);
  rig.build_command(0, command(0xE7), {});
  rig.issue(0);
  rig.run();
  rig.device.send_status(0x50, true);
  rig.run();
  EXPECT_EQ(rig.ipm(), kSlumber);
}

TEST(HbaPower, WithoutAggressivePowerTheLinkStaysActive) {
  PowerRig rig;
  rig.set_port(kPxCMD, rig.port(kPxCMD) | kPxCMD_ASP);
  rig.build_command(0, command(0xE7), {});
  rig.issue(0);
  rig.run();
  rig.device.send_status(0x50, true);
  rig.run();
  EXPECT_EQ(rig.ipm(), kActive);
}

TEST(HbaPower, DevSleepIsEnteredFromActive) {
  PowerRig rig;
  rig.control(kDevSleep);
  rig.run();
  EXPECT_EQ(rig.ipm(), kDevSleep);
}

TEST(HbaPower, DevSleepIsEnteredFromSlumberOnlyWhereTheControllerSaysSo) {
  ControllerProfile profile = powerful();
  profile.capabilities.device_sleep_from_slumber_only = true;
  PowerRig rig(profile);
  rig.control(kDevSleep);
  rig.run();
  EXPECT_EQ(rig.ipm(), kActive);
  rig.control(kSlumber);
  rig.run();
  rig.control(kDevSleep);
  rig.run();
  EXPECT_EQ(rig.ipm(), kDevSleep);
}

TEST(HbaPower, DevSleepLastsItsMinimumTime) {
  PowerRig rig;
  rig.set_port(kPxCMD, 0);
  rig.set_port(kPxDEVSLP, 7U << kDEVSLP_MDAT_shift);
  rig.control(kDevSleep);
  rig.run();
  const sim::Time slept = rig.queue().now();
  rig.control(kActive);
  const sim::Time awake = slept + 7 * sim::kMillisecond + rig.exit_time(&sata::LinkParameters::dev_sleep_exit);
  rig.run_for(awake - rig.queue().now() - 1);
  EXPECT_EQ(rig.ipm(), kDevSleep);
  rig.run_for(1);
  EXPECT_EQ(rig.ipm(), kActive);
}

TEST(HbaPower, ACommandWaitsForTheMinimumTimeOfDevSleep) {
  PowerRig rig;
  rig.control(kDevSleep);
  rig.run();
  const sim::Time slept = rig.queue().now();
  rig.build_command(0, command(0xE7), {});
  rig.issue(0);
  rig.run();
  ASSERT_EQ(rig.device.received.size(), 1U);
  EXPECT_GE(rig.queue().now(), slept + 10 * sim::kMillisecond + rig.exit_time(&sata::LinkParameters::dev_sleep_exit));
}

TEST(HbaPower, AggressiveDevSleepFollowsItsIdleTime) {
  PowerRig rig;
  rig.set_port(kPxCMD, 0);
  rig.set_port(kPxDEVSLP, 3U << kDEVSLP_DITO_shift);
  const sim::Time enabled = rig.queue().now();
  rig.set_port(kPxDEVSLP, 3U << kDEVSLP_DITO_shift | kDEVSLP_ADSE);
  rig.run_for(3 * sim::kMillisecond - 1);
  EXPECT_EQ(rig.ipm(), kActive);
  rig.run();
  EXPECT_EQ(rig.ipm(), kDevSleep);
  EXPECT_LT(rig.queue().now(), enabled + 4 * sim::kMillisecond);
}

TEST(HbaPower, ChangingASleepTimeWhileStartedIsAViolation) {
  PowerRig rig;
  rig.set_port(kPxDEVSLP, 1U << kDEVSLP_DITO_shift);
  EXPECT_TRUE(rig.violated(Violation::sleep_time_changed_while_started));
}

}  // namespace
}  // namespace ncqlab::test
