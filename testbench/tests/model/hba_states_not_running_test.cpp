// Port state machine: P:Init, P:NotRunning and what it leads to (AHCI 1.3.1, 5.3.2).
#include <gtest/gtest.h>

#include "testbench/tests/model/hba_states.h"

namespace ncqlab::test {
namespace {

using namespace hba;

void stop(StateRig& rig) { rig.set_port(kPxCMD, rig.port(kPxCMD) & ~kPxCMD_ST); }
// The signature of another kind of device than the rig's.
sata::RegisterD2H packet_device() {
  sata::RegisterD2H fis;
  fis.status = 0x00;
  fis.error = 0x01;
  fis.lba = 0xEB1401;
  fis.count = 1;
  return fis;
}

void start(StateRig& rig) { rig.set_port(kPxCMD, rig.port(kPxCMD) | kPxCMD_ST); }

TEST(HbaStates, InitSendsComreset) {
  BareRig rig;
  EXPECT_EQ(rig.port(kPxCI), 0U);
  EXPECT_EQ(rig.port(kPxTFD), 0x7FU);
  EXPECT_EQ(rig.port(kPxSIG), 0xFFFFFFFFU);
  EXPECT_EQ(rig.device.resets, 0U);
  rig.run();
  EXPECT_EQ(rig.device.resets, 1U);
}

TEST(HbaStates, InitToNotRunning) {
  BareRig rig;
  rig.run();
  EXPECT_EQ(rig.port(kPxCMD) & (kPxCMD_CR | kPxCMD_FR | kPxCMD_CCS), 0U);
}

TEST(HbaStates, InitSendsNoComresetWithStaggeredSpinUp) {
  ControllerProfile staggered = HbaRig::default_profile();
  staggered.capabilities.staggered_spin_up = true;
  BareRig rig(staggered);
  rig.run();
  EXPECT_EQ(rig.device.resets, 0U);
  EXPECT_EQ(rig.port(kPxSSTS), 0U);
}

TEST(HbaStates, NotRunningToCominit) {
  StateRig rig(false);
  rig.controller().link(0).unplug();
  rig.set_port(kPxSERR, 0xFFFFFFFF);
  rig.controller().link(0).plug(&rig.device);
  ASSERT_TRUE(rig.run_until([&] { return rig.detection() == kDET_present; }));
  EXPECT_EQ(rig.status() & kSTS_BSY, kSTS_BSY);
  EXPECT_EQ(rig.port(kPxSERR), kSERR_DIAG_X);
}

TEST(HbaStates, CominitToCominitSetIS) {
  StateRig rig(false);
  rig.controller().link(0).unplug();
  rig.set_port(kPxSERR, 0xFFFFFFFF);
  rig.write(kIS, 0xFFFFFFFF);
  rig.interrupts.messages.clear();
  rig.set_port(kPxIE, kPxIS_PCS);
  rig.controller().link(0).plug(&rig.device);
  ASSERT_TRUE(rig.run_until([&] { return rig.detection() == kDET_present; }));
  EXPECT_EQ(rig.read(kIS), 1U);
  EXPECT_EQ(rig.interrupts.messages.size(), 1U);
}

TEST(HbaStates, CominitWithoutItsEnableToNotRunning) {
  StateRig rig(false);
  rig.controller().link(0).unplug();
  rig.set_port(kPxSERR, 0xFFFFFFFF);
  rig.write(kIS, 0xFFFFFFFF);
  rig.interrupts.messages.clear();
  rig.set_port(kPxIE, ~(kPxIS_PCS | kPxIS_PRCS));
  rig.controller().link(0).plug(&rig.device);
  rig.run();
  EXPECT_NE(rig.port(kPxIS) & kPxIS_PCS, 0U);
  EXPECT_EQ(rig.read(kIS), 0U);
  EXPECT_TRUE(rig.interrupts.messages.empty());
}

TEST(HbaStates, NotRunningShowsAndReportsThatThePhyIsReady) {
  StateRig rig(false);
  rig.controller().link(0).unplug();
  rig.set_port(kPxIE, kPxIS_PRCS);
  rig.controller().link(0).plug(&rig.device);
  ASSERT_TRUE(rig.run_until([&] { return rig.detection() == kDET_present; }));
  rig.set_port(kPxSERR, 0xFFFFFFFF);
  rig.write(kIS, 0xFFFFFFFF);
  ASSERT_TRUE(rig.run_until([&] { return rig.detection() == kDET_established; }));
  EXPECT_EQ(rig.port(kPxIS), kPxIS_PRCS);
  EXPECT_EQ(rig.read(kIS), 1U);
}

TEST(HbaStates, NotRunningToOffline) {
  StateRig rig(false);
  rig.set_port(kPxSCTL, kDET_offline);
  EXPECT_EQ(rig.port(kPxSSTS), kDET_offline);
  rig.run();
  EXPECT_EQ(rig.port(kPxSSTS), kDET_offline);
  EXPECT_EQ(rig.device.losses, 1U);
}

TEST(HbaStates, OfflineToStartComm) {
  StateRig rig(false);
  rig.set_port(kPxSCTL, kDET_offline);
  rig.run();
  rig.set_port(kPxSCTL, 0);
  rig.run();
  EXPECT_EQ(rig.detection(), kDET_established);
  EXPECT_EQ(rig.device.resets, 2U);
}

TEST(HbaStates, NotRunningToStartComm) {
  StateRig rig(false);
  rig.set_port(kPxSCTL, kDET_comreset);
  EXPECT_EQ(rig.port(kPxTFD), 0x7FU);
  EXPECT_EQ(rig.port(kPxSSTS), 0U);
  EXPECT_EQ(rig.device.losses, 1U);
}

// COMINIT has set BSY, the PHY is not up: nothing but P:StartComm itself clears it.
TEST(HbaStates, NotRunningToStartCommBeforeThePhyIsReady) {
  StateRig rig(false);
  rig.controller().link(0).unplug();
  rig.controller().link(0).plug(&rig.device);
  ASSERT_TRUE(rig.run_until([&] { return rig.detection() == kDET_present; }));
  ASSERT_EQ(rig.status() & kSTS_BSY, kSTS_BSY);
  rig.set_port(kPxSCTL, kDET_comreset);
  EXPECT_EQ(rig.port(kPxTFD), 0x7FU);
}

TEST(HbaStates, StartCommToStartCommWhileComresetIsAsked) {
  StateRig rig(false);
  rig.set_port(kPxSCTL, kDET_comreset);
  rig.run_for(sim::kSecond);
  EXPECT_EQ(rig.detection(), 0U);
  EXPECT_EQ(rig.device.resets, 1U);
}

TEST(HbaStates, StartCommToNotRunningTakesANewSignature) {
  StateRig rig(false);
  rig.device.signature_after_reset = false;
  rig.set_port(kPxSCTL, kDET_comreset);
  rig.set_port(kPxSCTL, 0);
  rig.run();
  EXPECT_EQ(rig.detection(), kDET_established);
  EXPECT_EQ(rig.status() & kSTS_BSY, kSTS_BSY);
  rig.device.send(packet_device());
  rig.run();
  EXPECT_EQ(rig.port(kPxSIG), 0xEB140101U);
}

TEST(HbaStates, NotRunningToRegFisUpdate) {
  StateRig rig(false);
  sata::RegisterD2H fis;
  fis.status = 0x50;
  fis.error = 0x82;
  rig.device.send(fis);
  rig.run();
  EXPECT_EQ(rig.port(kPxTFD), 0x8250U);
  EXPECT_EQ(rig.port(kPxIS), 0U);
}

TEST(HbaStates, NotRunningTakesNoOtherFis) {
  StateRig rig(false);
  rig.set_port(kPxFB, static_cast<std::uint32_t>(rig.received.address));
  rig.set_port(kPxFBU, static_cast<std::uint32_t>(rig.received.address >> 32));
  rig.set_port(kPxCMD, rig.port(kPxCMD) | kPxCMD_FRE);
  rig.run();
  rig.device.complete_tags(1, 0x41, 0x40);
  rig.send_pio_setup(true, 512, 0x58, 0x50, true);
  rig.send_bist(0x10);
  EXPECT_EQ(rig.received_fis(kReceived_SDBFIS, 1)[0], 0);
  EXPECT_EQ(rig.received_fis(kReceived_PSFIS, 1)[0], 0);
  EXPECT_EQ(rig.port(kPxTFD), 0x0150U);
  EXPECT_EQ(rig.detection(), kDET_established);
  EXPECT_EQ(rig.port(kPxIS), 0U);
}

TEST(HbaStates, RegFisUpdateToRegFisPostToMem) {
  StateRig rig(false);
  rig.set_port(kPxFB, static_cast<std::uint32_t>(rig.received.address));
  rig.set_port(kPxFBU, static_cast<std::uint32_t>(rig.received.address >> 32));
  rig.set_port(kPxCMD, rig.port(kPxCMD) | kPxCMD_FRE);
  rig.run();
  rig.device.send_status(0x52, false, 0x33);
  rig.run();
  EXPECT_EQ(rig.received_fis(kReceived_RFIS, 4), (Bytes{0x34, 0x00, 0x52, 0x33}));
}

// The signature came before: at FRE = 1 it is posted, not while PxSERR.DIAG.X = 1.
TEST(HbaStates, NotRunningToRegFisPostToMem) {
  for (const bool changed : {false, true}) {
    BareRig rig;
    rig.run();
    if (!changed) rig.set_port(kPxSERR, kSERR_DIAG_X);
    rig.set_port(kPxFB, static_cast<std::uint32_t>(rig.received.address));
    rig.set_port(kPxFBU, static_cast<std::uint32_t>(rig.received.address >> 32));
    rig.set_port(kPxCMD, rig.port(kPxCMD) | kPxCMD_FRE);
    rig.run();
    EXPECT_EQ(rig.received_fis(kReceived_RFIS, 1)[0], changed ? 0x00 : 0x34);
  }
}

TEST(HbaStates, NotRunningToIdle) {
  StateRig rig;
  EXPECT_TRUE(rig.command_list_runs());
  EXPECT_EQ(rig.port(kPxIS), 0U);
}

// Software clears ST and sets it again while a command is being fetched: the list starts behind that fetch.
TEST(HbaStates, NotRunningToIdleWhenWhatWasUnderWayIsOver) {
  StateRig rig;
  rig.build_command(0, command(0xE7), {});
  rig.build_command(5, command(0xE7), {});
  rig.issue(0);
  stop(rig);
  start(rig);
  rig.issue(5);
  rig.run();
  EXPECT_EQ(rig.device.received.size(), 1U);
  EXPECT_EQ(rig.current_slot(), 5U);
}

TEST(HbaStates, NotRunningWhileTheDeviceIsBusyOrRequestsData) {
  for (const std::uint8_t status : {0x80, 0x08}) {
    StateRig rig(false);
    rig.device.send_status(status, false);
    rig.run();
    rig.start_port();
    rig.run();
    EXPECT_FALSE(rig.command_list_runs()) << int{status};
  }
}

TEST(HbaStates, NotRunningWithoutCommunication) {
  StateRig rig(false);
  rig.controller().link(0).unplug();
  rig.set_port(kPxCMD, rig.port(kPxCMD) | kPxCMD_FRE);
  start(rig);
  rig.run();
  EXPECT_FALSE(rig.command_list_runs());
}

TEST(HbaStates, IdleToNotRunningWhenThePhyIsLost) {
  StateRig rig;
  rig.controller().link(0).unplug();
  rig.build_command(0, command(0xE7), {});
  rig.issue(0);
  rig.run();
  EXPECT_EQ(rig.port(kPxCI), 1U);
  EXPECT_TRUE(rig.records.of(sim::Kind::dma_read).empty());
  stop(rig);
  EXPECT_FALSE(rig.command_list_runs());
}

// P:NotRunning with ST = 1: the signature of what was plugged in is taken, commands wait until ST was cleared.
TEST(HbaStates, NotRunningTakesTheSignatureThoughStarted) {
  StateRig rig;
  rig.controller().link(0).unplug();
  EXPECT_EQ(rig.port(kPxTFD), 0x7FU);
  rig.set_port(kPxSERR, 0xFFFFFFFF);
  rig.device.signature_after_reset = false;
  rig.controller().link(0).plug(&rig.device);
  rig.run();
  EXPECT_EQ(rig.detection(), kDET_established);
  rig.device.send(packet_device());
  rig.run();
  EXPECT_EQ(rig.port(kPxTFD), 0x0100U);
  EXPECT_EQ(rig.port(kPxSIG), 0xEB140101U);
  EXPECT_EQ(rig.received_fis(kReceived_RFIS, 4), (Bytes{0x34, 0x00, 0x00, 0x01}));
  EXPECT_EQ(rig.port(kPxIS) & kPxIS_DHRS, 0U);
  rig.build_command(0, command(0xE7), {});
  rig.issue(0);
  rig.run();
  EXPECT_TRUE(rig.device.received.empty());
  stop(rig);
  start(rig);
  rig.issue(0);
  rig.run();
  EXPECT_EQ(rig.device.received.size(), 1U);
}

TEST(HbaStates, NotRunningThoughStartedTakesNoOtherFis) {
  StateRig rig;
  rig.send_queued(1, 0x60, 512);
  rig.controller().link(0).interrupt_signal(sim::kMillisecond);
  rig.run();
  ASSERT_EQ(rig.detection(), kDET_established);
  rig.device.complete_tags(1U << 1);
  rig.run();
  EXPECT_EQ(rig.port(kPxSACT), 1U << 1);
  EXPECT_EQ(rig.received_fis(kReceived_SDBFIS, 1)[0], 0);
}

TEST(HbaStates, RegFisUpdateToErrNonFatal) {
  StateRig rig(false);
  rig.damage(sata::Direction::to_host, sata::FisType::register_d2h);
  rig.device.send_status(0x52, false);
  rig.run();
  EXPECT_EQ(rig.port(kPxIS), kPxIS_INFS);
  EXPECT_EQ(rig.port(kPxSERR), kSERR_DIAG_C | kSERR_ERR_I);
  EXPECT_EQ(rig.status(), 0x52U);
  rig.set_port(kPxSERR, kSERR_ERR_I);
  EXPECT_EQ(rig.port(kPxSERR), kSERR_DIAG_C);
}

TEST(HbaStates, NotRunningSeesNoErrorInAnotherFis) {
  StateRig rig(false);
  rig.damage(sata::Direction::to_host, sata::FisType::set_device_bits);
  rig.device.complete_tags(1);
  rig.run();
  EXPECT_EQ(rig.port(kPxIS), 0U);
  EXPECT_EQ(rig.port(kPxSERR), kSERR_DIAG_C | kSERR_ERR_I);
}

}  // namespace
}  // namespace ncqlab::test
