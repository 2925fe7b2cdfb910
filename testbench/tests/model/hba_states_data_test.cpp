// Port state machine: data transmit (AHCI 1.3.1, 5.3.10) and data receive (5.3.11).
#include <gtest/gtest.h>

#include "testbench/tests/model/hba_states.h"

namespace ncqlab::test {
namespace {

using namespace hba;

TEST(HbaStates, DxEntryToTransmit) {
  StateRig rig;
  rig.data.cpu[511] = 0x99;
  rig.send_command(0, 0x35, {{rig.data.address, 512}}, HbaRig::kWrite);
  rig.activate_dma();
  ASSERT_EQ(rig.device.received.size(), 2U);
  EXPECT_EQ(rig.device.received[1].size(), 516U);
  EXPECT_EQ(rig.device.received[1][515], 0x99);
}

TEST(HbaStates, DxEntryToIdleWhenNothingIsLeft) {
  StateRig rig;
  rig.send_command(0, 0x35, {{rig.data.address, 512}}, HbaRig::kWrite);
  rig.activate_dma();
  rig.activate_dma();
  EXPECT_EQ(rig.device.received.size(), 2U);
  EXPECT_EQ(rig.port(kPxIS), 0U);
  rig.device.send_status(0x50, true);
  rig.run();
  EXPECT_EQ(rig.port(kPxCI), 0U);
}

TEST(HbaStates, DxEntryToPioUpdateWhenNothingIsLeft) {
  StateRig rig;
  rig.send_command(0, 0x30, {}, HbaRig::kWrite);
  rig.send_pio_setup(false, 512, 0x58, 0xD0, false);
  EXPECT_EQ(rig.device.received.size(), 1U);
  EXPECT_EQ(rig.status(), 0xD0U);
}

TEST(HbaStates, DxTransmitToErrFatal) {
  StateRig rig;
  rig.damage(sata::Direction::to_device, sata::FisType::data);
  rig.send_command(0, 0x35, {{rig.data.address, 512}}, HbaRig::kWrite);
  rig.activate_dma();
  EXPECT_EQ(rig.port(kPxIS), kPxIS_IFS);
}

TEST(HbaStates, DxTransmitToErrSyncEscapeRecv) {
  StateRig rig;
  rig.damage(sata::Direction::to_device, sata::FisType::data, sata::Damage::aborted);
  rig.send_command(0, 0x35, {{rig.data.address, 512}}, HbaRig::kWrite);
  rig.activate_dma();
  EXPECT_EQ(rig.port(kPxIS), kPxIS_IFS);
  EXPECT_EQ(rig.status() & (kSTS_BSY | kSTS_DRQ), 0U);
}

TEST(HbaStates, DxUpdateByteCountToPrdSetIntr) {
  StateRig rig;
  rig.send_command(0, 0x35, {{rig.data.address, 512, true}}, HbaRig::kWrite);
  rig.activate_dma();
  EXPECT_EQ(rig.port(kPxIS), kPxIS_DPS);
}

TEST(HbaStates, DxUpdateByteCountToPioUpdate) {
  StateRig rig;
  rig.send_command(0, 0x30, {{rig.data.address, 512}}, HbaRig::kWrite);
  rig.send_pio_setup(false, 512, 0x58, 0xD0, false);
  EXPECT_EQ(rig.device.received.size(), 2U);
  EXPECT_EQ(rig.status(), 0xD0U);
}

TEST(HbaStates, DxUpdateByteCountToIdle) {
  StateRig rig;
  rig.send_command(0, 0x35, {{rig.data.address, 16384}}, HbaRig::kWrite);
  rig.activate_dma();
  ASSERT_EQ(rig.device.received.size(), 2U);
  EXPECT_EQ(rig.device.received[1].size(), 8196U);
  EXPECT_EQ(rig.status() & kSTS_BSY, kSTS_BSY);
  rig.activate_dma();
  rig.device.send_status(0x50, true);
  rig.run();
  EXPECT_EQ(rig.byte_count(0), 16384U);
}

TEST(HbaStates, DrReceiveToErrFatal) {
  StateRig rig;
  rig.damage(sata::Direction::to_host, sata::FisType::data);
  rig.send_command(0, 0x25, {{rig.data.address, 512}});
  rig.device.send_data(pattern(512));
  rig.run();
  EXPECT_EQ(rig.port(kPxIS), kPxIS_IFS);
  EXPECT_EQ(rig.data.cpu[1], 0);
}

TEST(HbaStates, DrReceiveToErrNonFatalWhenThereIsMoreThanTheTableHolds) {
  StateRig rig;
  rig.send_command(0, 0x25, {{rig.data.address, 256}});
  rig.device.send_data(pattern(512));
  rig.run();
  EXPECT_EQ(rig.port(kPxIS), kPxIS_OFS);
  rig.device.send_status(0x50, true);
  rig.run();
  EXPECT_EQ(rig.port(kPxCI), 0U);
  EXPECT_EQ(rig.byte_count(0), 256U);
}

TEST(HbaStates, DrUpdateByteCountToPrdSetIntr) {
  StateRig rig;
  rig.send_command(0, 0x25, {{rig.data.address, 512, true}});
  rig.device.send_data(pattern(512));
  rig.run();
  EXPECT_EQ(rig.port(kPxIS), kPxIS_DPS);
}

TEST(HbaStates, DrUpdateByteCountToPioUpdate) {
  StateRig rig;
  rig.send_command(0, 0x20, {{rig.data.address, 1024}});
  rig.send_pio_setup(true, 512, 0x58, 0xD0, false);
  EXPECT_EQ(rig.status(), 0x58U);
  rig.device.send_data(pattern(512));
  rig.run();
  EXPECT_EQ(rig.status(), 0xD0U);
}

TEST(HbaStates, DrUpdateByteCountToIdle) {
  StateRig rig;
  rig.send_command(0, 0x25, {{rig.data.address, 1024}});
  rig.device.send_data(pattern(512));
  rig.run();
  EXPECT_EQ(rig.port(kPxIS), 0U);
  EXPECT_EQ(rig.status() & kSTS_BSY, kSTS_BSY);
  rig.device.send_data(pattern(512, 2));
  rig.run();
  EXPECT_EQ(rig.data.cpu[512], pattern(512, 2)[0]);
}

TEST(HbaStates, DxEntrySendsWhatTheDmaSetupAsksFor) {
  StateRig rig;
  rig.send_queued(0, 0x61, 4096, HbaRig::kWrite);
  rig.device.set_up_dma(0, false, 512, 0, true);
  rig.run();
  ASSERT_EQ(rig.device.received.size(), 2U);
  EXPECT_EQ(rig.device.received[1].size(), 516U);
}

TEST(HbaStates, DxEntrySendsWhatThePioSetupAsksFor) {
  StateRig rig;
  rig.send_command(0, 0x30, {{rig.data.address, 1024}}, HbaRig::kWrite);
  rig.send_pio_setup(false, 512, 0x58, 0xD0, false);
  ASSERT_EQ(rig.device.received.size(), 2U);
  EXPECT_EQ(rig.device.received[1].size(), 516U);
}

TEST(HbaStates, DrEntryWithoutADmaSetupIsErrFatal) {
  StateRig rig;
  rig.send_queued(0, 0x60, 4096);
  rig.device.set_up_dma(0, true, 512);
  rig.device.send_data(pattern(512));
  rig.run();
  ASSERT_EQ(rig.port(kPxIS), 0U);
  rig.device.send_data(pattern(512));
  rig.run();
  EXPECT_EQ(rig.port(kPxIS), kPxIS_IFS);
}

TEST(HbaStates, DrReceiveTakesWhatTheDmaSetupAnnounced) {
  StateRig rig;
  rig.send_queued(0, 0x60, 4096);
  rig.device.set_up_dma(0, true, 512);
  rig.device.send_data(pattern(1024));
  rig.run();
  EXPECT_EQ(rig.data.cpu[511], pattern(1024)[511]);
  EXPECT_EQ(rig.data.cpu[513], 0);
}

// The last dword of a block may be padded.
TEST(HbaStates, DrReceiveTakesWhatThePioSetupAnnounced) {
  StateRig rig;
  rig.send_command(0, 0xEC, {{rig.data.address, 512}});
  rig.send_pio_setup(true, 510, 0x58, 0x50, true);
  rig.device.send_data(Bytes(512, 0xEE));
  rig.run();
  EXPECT_EQ(rig.byte_count(0), 510U);
  EXPECT_EQ(rig.data.cpu[509], 0xEE);
  EXPECT_EQ(rig.data.cpu[510], 0);
}

}  // namespace
}  // namespace ncqlab::test
