// Port state machine: non-data FIS (AHCI 1.3.1, 5.3.5), D2H Register (5.3.8), PIO Setup (5.3.9), DMA Setup (5.3.12),
// Set Device Bits (5.3.13), unknown (5.3.14).
#include <gtest/gtest.h>

#include "testbench/tests/model/hba_states.h"

namespace ncqlab::test {
namespace {

using namespace hba;

TEST(HbaStates, NdrAcceptDropsARegisterFisWhenNothingIsAwaited) {
  StateRig rig;
  rig.device.send_status(0x50, true, 0x77);
  rig.run();
  EXPECT_EQ(rig.port(kPxTFD), 0x0150U);
  EXPECT_EQ(rig.port(kPxIS), 0U);
}

TEST(HbaStates, NdrAcceptDropsAPioSetupWhenNothingIsAwaited) {
  StateRig rig;
  rig.send_pio_setup(true, 512, 0x58, 0x50, true);
  EXPECT_EQ(rig.status(), 0x50U);
  EXPECT_EQ(rig.received_fis(kReceived_PSFIS, 1)[0], 0);
}

TEST(HbaStates, NdrAcceptWithDataRequestAloneTakesARegisterFis) {
  StateRig rig;
  rig.send_command(0, 0xE7);
  rig.device.send_status(0x58, false);
  rig.device.send_status(0x50, true);
  rig.run();
  EXPECT_EQ(rig.port(kPxCI), 0U);
}

TEST(HbaStates, NdrAcceptWithoutFisReceiveDropsTheFis) {
  StateRig rig;
  rig.send_command(0, 0xE7);
  rig.set_port(kPxCMD, rig.port(kPxCMD) & ~kPxCMD_FRE);
  rig.device.send_status(0x50, true);
  rig.run();
  EXPECT_EQ(rig.status() & kSTS_BSY, kSTS_BSY);
  EXPECT_EQ(rig.port(kPxCI), 1U);
  EXPECT_EQ(rig.port(kPxIS), 0U);
}

TEST(HbaStates, RegFisEntryToErrNonFatal) {
  StateRig rig;
  rig.send_command(0, 0xE7);
  rig.damage(sata::Direction::to_host, sata::FisType::register_d2h);
  rig.device.send_status(0x50, true);
  ASSERT_TRUE(rig.run_until([&] { return rig.port(kPxIS) != 0; }));
  EXPECT_EQ(rig.port(kPxIS), kPxIS_INFS);
  EXPECT_EQ(rig.port(kPxCI), 1U);
}

TEST(HbaStates, RegFisAcceptToErrFatalTaskfile) {
  StateRig rig;
  rig.send_command(0, 0xE7);
  rig.device.send_status(0x51, true, 0x04);
  rig.run();
  EXPECT_EQ(rig.port(kPxIS), kPxIS_TFES);
  EXPECT_EQ(rig.port(kPxTFD), 0x0451U);
  EXPECT_EQ(rig.port(kPxCI), 1U);
}

TEST(HbaStates, RegFisAcceptToClearCI) {
  StateRig rig;
  rig.send_command(0, 0xE7);
  rig.device.send_status(0x50, false);
  rig.run();
  EXPECT_EQ(rig.port(kPxCI), 0U);
  EXPECT_EQ(rig.port(kPxIS), 0U);
}

TEST(HbaStates, RegFisAcceptWhileBusyOrWithDataRequestLeavesCI) {
  for (const std::uint8_t status : {0xD0, 0x58}) {
    StateRig rig;
    rig.send_command(0, 0xE7);
    rig.device.send_status(status, true);
    rig.run();
    EXPECT_EQ(rig.status(), status);
    EXPECT_EQ(rig.port(kPxCI), 1U);
    EXPECT_EQ(rig.port(kPxIS), 0U);
  }
}

TEST(HbaStates, RegFisClearCIWritesTheByteCount) {
  StateRig rig;
  rig.send_command(0, 0x25, {{rig.data.address, 512}});
  rig.device.send_data(pattern(512));
  rig.run();
  EXPECT_EQ(rig.byte_count(0), 0U);
  rig.device.send_status(0x50, true);
  rig.run();
  EXPECT_EQ(rig.byte_count(0), 512U);
}

TEST(HbaStates, RegFisClearCIToSetIntr) {
  StateRig rig;
  rig.send_command(0, 0xE7);
  rig.device.send_status(0x50, true);
  rig.run();
  EXPECT_EQ(rig.port(kPxIS), kPxIS_DHRS);
}

TEST(HbaStates, RegFisSetIntrToSetIS) {
  for (const bool enabled : {true, false}) {
    StateRig rig;
    rig.set_port(kPxIE, enabled ? kPxIS_DHRS : ~kPxIS_DHRS);
    rig.send_command(0, 0xE7);
    rig.device.send_status(0x50, true);
    rig.run();
    EXPECT_EQ(rig.port(kPxIS), kPxIS_DHRS);
    EXPECT_EQ(rig.read(kIS), enabled ? 1U : 0U);
    EXPECT_EQ(rig.interrupts.messages.size(), enabled ? 1U : 0U);
  }
}

TEST(HbaStates, RegFisUpdateSigToSetSigOnlyAfterAReset) {
  StateRig rig;
  rig.send_command(0, 0xE7);
  sata::RegisterD2H fis;
  fis.status = 0x50;
  fis.lba = 0xEB1401;
  fis.count = 1;
  rig.device.send(fis);
  rig.run();
  EXPECT_EQ(rig.port(kPxSIG), 0x00000101U);
}

TEST(HbaStates, PioEntryToErrFatalTaskfile) {
  StateRig rig;
  rig.send_command(0, 0xEC, {{rig.data.address, 512}});
  rig.send_pio_setup(true, 512, 0x59, 0x50, true);
  EXPECT_EQ(rig.port(kPxIS), kPxIS_TFES);
  EXPECT_EQ(rig.status(), 0x59U);
}

TEST(HbaStates, PioEntryToDxEntry) {
  StateRig rig;
  rig.data.cpu[0] = 0x42;
  rig.send_command(0, 0x30, {{rig.data.address, 512}}, HbaRig::kWrite);
  rig.send_pio_setup(false, 512, 0x58, 0xD0, false);
  ASSERT_EQ(rig.device.received.size(), 2U);
  EXPECT_EQ(rig.device.received[1][0], 0x46);
  EXPECT_EQ(rig.device.received[1][4], 0x42);
}

TEST(HbaStates, PioEntryToIdle) {
  StateRig rig;
  rig.send_command(0, 0xEC, {{rig.data.address, 512}});
  rig.send_pio_setup(true, 512, 0x58, 0x50, true);
  EXPECT_EQ(rig.status(), 0x58U);
  EXPECT_EQ(rig.port(kPxIS), 0U);
  EXPECT_EQ(rig.device.received.size(), 1U);
}

TEST(HbaStates, PioUpdateToErrFatalTaskfile) {
  StateRig rig;
  rig.send_command(0, 0xEC, {{rig.data.address, 512}});
  rig.send_pio_setup(true, 512, 0x58, 0x51, true);
  rig.device.send_data(pattern(512));
  rig.run();
  EXPECT_EQ(rig.port(kPxIS), kPxIS_TFES);
  EXPECT_EQ(rig.status(), 0x51U);
  EXPECT_EQ(rig.port(kPxCI), 1U);
}

TEST(HbaStates, PioUpdateToClearCI) {
  StateRig rig;
  rig.send_command(0, 0xEC, {{rig.data.address, 512}});
  rig.send_pio_setup(true, 512, 0x58, 0x50, false);
  rig.device.send_data(pattern(512));
  rig.run();
  EXPECT_EQ(rig.port(kPxCI), 0U);
  EXPECT_EQ(rig.byte_count(0), 512U);
  EXPECT_EQ(rig.port(kPxIS), 0U);
}

TEST(HbaStates, PioClearCIToSetIntr) {
  StateRig rig;
  rig.send_command(0, 0xEC, {{rig.data.address, 512}});
  rig.send_pio_setup(true, 512, 0x58, 0x50, true);
  rig.device.send_data(pattern(512));
  rig.run();
  EXPECT_EQ(rig.port(kPxIS), kPxIS_PSS);
}

TEST(HbaStates, PioUpdateKeepsTheCommandWhileTheDeviceRequestsData) {
  StateRig rig;
  rig.send_command(0, 0x20, {{rig.data.address, 1024}});
  rig.send_pio_setup(true, 512, 0x58, 0x58, true);
  rig.device.send_data(pattern(512));
  rig.run();
  EXPECT_EQ(rig.port(kPxCI), 1U);
  EXPECT_EQ(rig.status(), 0x58U);
}

TEST(HbaStates, PioUpdateToSetIntrBetweenBlocks) {
  StateRig rig;
  rig.send_command(0, 0x20, {{rig.data.address, 1024}});
  rig.send_pio_setup(true, 512, 0x58, 0xD0, true);
  rig.device.send_data(pattern(512));
  rig.run();
  EXPECT_EQ(rig.port(kPxIS), kPxIS_PSS);
  EXPECT_EQ(rig.port(kPxCI), 1U);
  EXPECT_EQ(rig.byte_count(0), 0U);
}

TEST(HbaStates, DmaSetEntryToSetIntr) {
  StateRig rig;
  rig.send_queued(3, 0x60, 512);
  sata::DmaSetup fis;
  fis.buffer_identifier = 3;
  fis.to_host = true;
  fis.interrupt = true;
  fis.transfer_count = 512;
  rig.device.send(fis);
  rig.run();
  EXPECT_EQ(rig.port(kPxIS), kPxIS_DSS);
}

TEST(HbaStates, DmaSetAutoActivateToDxEntry) {
  StateRig rig;
  rig.send_queued(3, 0x61, 512, HbaRig::kWrite);
  rig.device.set_up_dma(3, false, 512, 0, true);
  rig.run();
  EXPECT_EQ(rig.device.received.size(), 2U);
}

TEST(HbaStates, DmaSetAutoActivateToIdle) {
  for (const bool to_host : {false, true}) {
    StateRig rig;
    rig.send_queued(3, to_host ? 0x60 : 0x61, 512, to_host ? 0 : HbaRig::kWrite);
    rig.device.set_up_dma(3, to_host, 512, 0, to_host);
    rig.run();
    EXPECT_EQ(rig.device.received.size(), 1U);
  }
}

TEST(HbaStates, SdbEntryToErrFatalTaskfile) {
  StateRig rig;
  rig.send_queued(3, 0x60, 512);
  rig.device.complete_tags(0, 0x41, 0x40);
  rig.run();
  EXPECT_EQ(rig.port(kPxIS), kPxIS_TFES);
  EXPECT_EQ(rig.port(kPxTFD), 0x4041U);
  EXPECT_EQ(rig.port(kPxSACT), 1U << 3);
}

TEST(HbaStates, SdbEntryToSetIntr) {
  StateRig rig;
  rig.send_queued(3, 0x60, 512);
  rig.device.complete_tags(1U << 3);
  rig.run();
  EXPECT_EQ(rig.port(kPxIS), kPxIS_SDBS);
  EXPECT_EQ(rig.port(kPxSACT), 0U);
}

TEST(HbaStates, SdbEntryToIdle) {
  StateRig rig;
  rig.send_queued(3, 0x60, 512);
  sata::SetDeviceBits fis;
  fis.status = 0x40;
  fis.active = 1U << 3;
  rig.device.send(fis);
  rig.run();
  EXPECT_EQ(rig.port(kPxIS), 0U);
  EXPECT_EQ(rig.port(kPxSACT), 0U);
}

TEST(HbaStates, SdbEntryToNotification) {
  for (const bool supported : {true, false}) {
    ControllerProfile profile = HbaRig::default_profile();
    profile.capabilities.notification = supported;
    StateRig rig(true, profile);
    sata::SetDeviceBits fis;
    fis.status = 0x50;
    fis.interrupt = true;
    fis.notification = true;
    rig.device.send(fis);
    rig.run();
    EXPECT_EQ(rig.port(kPxSNTF), supported ? 1U : 0U);
    EXPECT_EQ(rig.port(kPxIS), kPxIS_SDBS);
    rig.set_port(kPxSNTF, 1);
    EXPECT_EQ(rig.port(kPxSNTF), 0U);
  }
}

TEST(HbaStates, UfisEntryToSetIntr) {
  StateRig rig;
  sata::Frame frame = rig.pool.make(8);
  for (unsigned i = 0; i < 8; ++i) frame.data()[i] = static_cast<std::uint8_t>(0xC7 + i);
  rig.device.send(std::move(frame));
  rig.run();
  EXPECT_EQ(rig.port(kPxSERR), kSERR_DIAG_F);
  EXPECT_EQ(rig.port(kPxIS), kPxIS_UFS);
  EXPECT_EQ(rig.read(kIS), 1U);
  EXPECT_EQ(rig.received_fis(kReceived_UFIS, 3), (Bytes{0xC7, 0xC8, 0xC9}));
  rig.send_command(0, 0xE7);
  EXPECT_EQ(rig.device.received.size(), 1U);
}

TEST(HbaStates, DmaSetForACommandThatWasNotSentIsErrFatal) {
  StateRig rig;
  rig.send_command(0, 0xE7);
  rig.build_command(5, queued_command(0x60, 5), {{rig.data.address, 512}});
  rig.issue_queued(5);
  rig.run();
  rig.device.set_up_dma(5, true, 512);
  rig.run();
  EXPECT_EQ(rig.port(kPxIS), kPxIS_IFS);
  EXPECT_TRUE(rig.violated(Violation::tag_without_command));
}

TEST(HbaStates, SdbNotificationOfTheHighestPort) {
  ControllerProfile profile = HbaRig::default_profile();
  profile.capabilities.notification = true;
  StateRig rig(true, profile);
  sata::SetDeviceBits fis;
  fis.status = 0x50;
  fis.notification = true;
  fis.pm_port = 15;
  rig.device.send(fis);
  rig.run();
  EXPECT_EQ(rig.port(kPxSNTF), 1U << 15);
  rig.set_port(kPxSNTF, 1U << 15);
  EXPECT_EQ(rig.port(kPxSNTF), 0U);
}

}  // namespace
}  // namespace ncqlab::test
