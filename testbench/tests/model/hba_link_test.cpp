// PHY, COMRESET, signature, start and stop, HBA reset (AHCI 1.3.1, 5.3.2, 10.1, 10.3, 10.4).
#include <gtest/gtest.h>

#include "testbench/tests/model/hba_rig.h"

namespace ncqlab::test {
namespace {

using namespace hba;

TEST(HbaLink, ADeviceComesUpByItselfAfterPowerOn) {
  BareRig rig;
  rig.run();
  EXPECT_EQ(rig.port(kPxSSTS), 0x123U);  // active, 3 Gb/s (the profile's generation), established
  EXPECT_EQ(rig.port(kPxTFD), 0x0150U);
  EXPECT_EQ(rig.port(kPxSIG), 0x00000101U);
  EXPECT_EQ(rig.device.resets, 1U);
}

TEST(HbaLink, WithStaggeredSpinUpThePortWaitsForIt) {
  ControllerProfile staggered = HbaRig::default_profile();
  staggered.capabilities.staggered_spin_up = true;
  BareRig rig(staggered);
  rig.run();
  EXPECT_EQ(rig.port(kPxCMD) & kPxCMD_SUD, 0U);
  EXPECT_EQ(rig.device.resets, 0U);
  rig.set_port(kPxCMD, kPxCMD_SUD);
  rig.run();
  EXPECT_EQ(rig.device.resets, 1U);
  EXPECT_EQ(rig.port(kPxSSTS) & 0xF, 3U);
}

TEST(HbaLink, TheDeviceIsBusyFromPhyReadyToItsSignature) {
  BareRig rig;
  rig.device.signature_after_reset = false;
  rig.run();
  EXPECT_EQ(rig.port(kPxSSTS) & 0xF, 3U);
  EXPECT_NE(rig.port(kPxTFD) & 0x80, 0U);
  EXPECT_EQ(rig.port(kPxSIG), 0xFFFFFFFFU);
}

TEST(HbaLink, ComresetTakesThePhyDownAndBringsANewSignature) {
  BareRig rig;
  rig.bring_up();
  rig.set_port(kPxCMD, rig.port(kPxCMD) & ~kPxCMD_ST);
  rig.set_port(kPxSCTL, 1);
  EXPECT_EQ(rig.port(kPxSSTS), 0U);
  EXPECT_EQ(rig.port(kPxTFD), 0x7FU);
  EXPECT_EQ(rig.device.losses, 1U);
  rig.run_for(sim::kMillisecond);
  EXPECT_EQ(rig.device.resets, 1U);
  rig.set_port(kPxSCTL, 0);
  rig.run();
  EXPECT_EQ(rig.device.resets, 2U);
  EXPECT_EQ(rig.port(kPxTFD), 0x0150U);
  EXPECT_EQ(rig.port(kPxSERR) & (kSERR_DIAG_X | kSERR_DIAG_N), kSERR_DIAG_X | kSERR_DIAG_N);
}

TEST(HbaLink, TheSpeedLimitHoldsAtTheNextComreset) {
  BareRig rig;
  rig.run();
  rig.set_port(kPxSCTL, 0x11);
  rig.set_port(kPxSCTL, 0x10);
  rig.run();
  EXPECT_EQ(rig.port(kPxSSTS), 0x113U);
}

TEST(HbaLink, OfflineModeEndsCommunicationUntilItIsLeft) {
  BareRig rig;
  rig.run();
  rig.set_port(kPxSCTL, 4);
  rig.run_for(sim::kSecond);
  EXPECT_EQ(rig.port(kPxSSTS), 4U);
  rig.set_port(kPxSCTL, 0);
  rig.run();
  EXPECT_EQ(rig.port(kPxSSTS) & 0xF, 3U);
}

TEST(HbaLink, ChangingDetectionWhileStartedIsAViolation) {
  BareRig rig;
  rig.bring_up();
  rig.set_port(kPxSCTL, 1);
  EXPECT_TRUE(rig.violated(Violation::detection_changed_while_started));
}

TEST(HbaLink, PullingTheDeviceShowsAndStopsTheCommands) {
  BareRig rig;
  rig.bring_up();
  rig.build_command(0, command(0xE7), {});
  rig.issue(0);
  rig.run();
  rig.controller().link(0).unplug();
  rig.run();
  EXPECT_EQ(rig.port(kPxSSTS), 0U);
  EXPECT_EQ(rig.port(kPxIS), kPxIS_PRCS);
  EXPECT_EQ(rig.port(kPxCI), 1U);
}

TEST(HbaLink, APluggedDeviceShowsAsConnectChange) {
  BareRig rig;
  rig.bring_up();
  rig.controller().link(0).unplug();
  rig.set_port(kPxSERR, 0xFFFFFFFF);
  rig.controller().link(0).plug(&rig.device);
  rig.run();
  EXPECT_EQ(rig.port(kPxIS) & (kPxIS_PCS | kPxIS_PRCS), kPxIS_PCS | kPxIS_PRCS);
}

TEST(HbaLink, TheCommandListRunsOnlyWhenTheDeviceIsReady) {
  BareRig rig;
  rig.device.signature_after_reset = false;
  rig.run();
  rig.start_port();
  EXPECT_EQ(rig.port(kPxCMD) & kPxCMD_CR, 0U);
  EXPECT_TRUE(rig.violated(Violation::start_while_device_busy));
  rig.device.send_status(0x50, false, 0x01);
  rig.run();
  EXPECT_NE(rig.port(kPxCMD) & kPxCMD_CR, 0U);
}

TEST(HbaLink, CommandListOverrideClearsBusyAndDataRequest) {
  BareRig rig;
  rig.device.signature_after_reset = false;
  rig.run();
  rig.set_port(kPxCMD, kPxCMD_CLO | kPxCMD_FRE);
  EXPECT_EQ(rig.port(kPxTFD) & 0x88, 0U);
  EXPECT_EQ(rig.port(kPxCMD) & kPxCMD_CLO, 0U);
  rig.set_port(kPxCMD, kPxCMD_ST | kPxCMD_FRE);
  EXPECT_NE(rig.port(kPxCMD) & kPxCMD_CR, 0U);
}

TEST(HbaLink, WithoutTheCapabilityCommandListOverrideDoesNothing) {
  ControllerProfile plain = HbaRig::default_profile();
  plain.capabilities.command_list_override = false;
  BareRig rig(plain);
  rig.device.signature_after_reset = false;
  rig.run();
  rig.set_port(kPxCMD, kPxCMD_CLO);
  EXPECT_NE(rig.port(kPxTFD) & 0x80, 0U);
}

TEST(HbaLink, ASignatureThatCameBeforeFisReceiveIsPostedWhenItIsEnabled) {
  BareRig rig;
  rig.run();
  rig.set_port(kPxSERR, 0xFFFFFFFF);
  EXPECT_EQ(rig.received_fis(kReceived_RFIS, 1)[0], 0x00);
  rig.start_port();
  rig.run();
  EXPECT_EQ(rig.received_fis(kReceived_RFIS, 3), (Bytes{0x34, 0x00, 0x50}));
}

TEST(HbaLink, StartingWithoutFisReceiveOrStoppingItFirstIsAViolation) {
  BareRig rig;
  rig.run();
  rig.set_port(kPxCMD, kPxCMD_ST);
  EXPECT_TRUE(rig.violated(Violation::start_without_fis_receive));
  BareRig other;
  other.bring_up();
  other.set_port(kPxCMD, kPxCMD_ST);
  EXPECT_TRUE(other.violated(Violation::fis_receive_cleared_while_started));
}

TEST(HbaLink, StoppingWhileAFetchIsUnderWayKeepsTheListRunningUntilItIsBack) {
  BareRig rig;
  rig.bring_up();
  rig.build_command(0, command(0xE7), {});
  rig.issue(0);
  rig.set_port(kPxCMD, rig.port(kPxCMD) & ~kPxCMD_ST);
  EXPECT_NE(rig.port(kPxCMD) & kPxCMD_CR, 0U);
  EXPECT_EQ(rig.port(kPxCI), 0U);
  rig.run();
  EXPECT_EQ(rig.port(kPxCMD) & kPxCMD_CR, 0U);
  EXPECT_TRUE(rig.device.received.empty());
}

TEST(HbaLink, StartingAgainTooEarlyIsAViolationAndTakesEffectLater) {
  BareRig rig;
  rig.bring_up();
  rig.build_command(0, command(0xE7), {});
  rig.issue(0);
  const std::uint32_t started = rig.port(kPxCMD);
  rig.set_port(kPxCMD, started & ~kPxCMD_ST);
  rig.set_port(kPxCMD, started | kPxCMD_ST);
  EXPECT_TRUE(rig.violated(Violation::start_while_engine_runs));
  rig.run();
  EXPECT_NE(rig.port(kPxCMD) & kPxCMD_CR, 0U);
  rig.issue(0);
  rig.run();
  EXPECT_EQ(rig.device.received.size(), 1U);
}

TEST(HbaLink, HbaResetTakesItsTimeAndClearsAllButTheListAddresses) {
  BareRig rig;
  rig.bring_up();
  rig.set_port(kPxSCTL, 0x300);
  rig.write(kGHC, kGHC_AE | kGHC_HR);
  rig.run_for(rig.profile.latencies.reset - 1);
  EXPECT_NE(rig.read(kGHC) & kGHC_HR, 0U);
  rig.run_for(1);
  EXPECT_EQ(rig.read(kGHC), kGHC_AE);
  EXPECT_EQ(rig.read(kIS), 0U);
  EXPECT_EQ(rig.port(kPxIE), 0U);
  EXPECT_EQ(rig.port(kPxSCTL), 0U);
  EXPECT_EQ(rig.port(kPxCMD), kPxCMD_SUD | kPxCMD_POD);
  EXPECT_EQ(rig.port(kPxTFD), 0x7FU);
  EXPECT_EQ(rig.port(kPxCLB), static_cast<std::uint32_t>(rig.list.address));
  EXPECT_EQ(rig.port(kPxFBU), static_cast<std::uint32_t>(rig.received.address >> 32));
  rig.run();
  EXPECT_EQ(rig.device.resets, 2U);
  EXPECT_EQ(rig.port(kPxTFD), 0x0150U);
}

TEST(HbaLink, HbaResetInTheMiddleOfACommandForgetsIt) {
  BareRig rig;
  rig.bring_up();
  rig.build_command(0, command(0x25), {{rig.data.address, 4096}});
  rig.issue(0);
  rig.run();
  rig.device.send_data(pattern(4096));
  rig.run_for(rig.controller().link(0).frame_time(4100, 2));  // arrived, not yet in memory
  rig.write(kGHC, kGHC_AE | kGHC_HR);
  rig.run();
  rig.bring_up();
  EXPECT_EQ(rig.port(kPxCI), 0U);
  rig.device.received.clear();
  rig.build_command(3, command(0xE7), {});
  rig.issue(3);
  rig.run();
  EXPECT_EQ(rig.device.received.size(), 1U);
  rig.device.send_status(0x50, true);
  rig.run();
  EXPECT_EQ(rig.port(kPxCI), 0U);
}

TEST(HbaLink, WritesDuringHbaResetAreAViolationAndIgnored) {
  BareRig rig;
  rig.bring_up();
  rig.write(kGHC, kGHC_AE | kGHC_HR);
  rig.set_port(kPxCLB, 0);
  EXPECT_TRUE(rig.violated(Violation::access_during_reset));
  EXPECT_EQ(rig.port(kPxCLB), static_cast<std::uint32_t>(rig.list.address));
}

TEST(HbaLink, SoftResetSendsBothFisAndTakesANewSignature) {
  BareRig rig;
  rig.bring_up();
  sata::RegisterH2D assert_reset;
  assert_reset.control = 0x04;
  rig.build_command(0, assert_reset, {}, HbaRig::kReset | HbaRig::kClearBusy);
  rig.build_command(1, sata::RegisterH2D{}, {});
  rig.issue(0);
  rig.run();
  EXPECT_EQ(rig.port(kPxCI), 0U);
  EXPECT_EQ(rig.port(kPxTFD) & 0x88, 0U);
  ASSERT_EQ(rig.device.received.size(), 1U);
  EXPECT_EQ(rig.device.received[0][1], 0x00);
  EXPECT_EQ(rig.device.received[0][15], 0x04);
  rig.issue(1);
  rig.run();
  EXPECT_EQ(rig.port(kPxCI), 2U);
  EXPECT_NE(rig.port(kPxTFD) & 0x80, 0U);
  sata::RegisterD2H signature;
  signature.status = 0x50;
  signature.error = 0x01;
  signature.lba = 0xEB1401;
  signature.count = 1;
  rig.device.send(signature);
  rig.run();
  EXPECT_EQ(rig.port(kPxCI), 0U);
  EXPECT_EQ(rig.port(kPxSIG), 0xEB140101U);
}

}  // namespace
}  // namespace ncqlab::test
