// Port state machine: command transfer (AHCI 1.3.1, 5.3.6), ATAPI command transfer (5.3.7), self test (5.3.15), errors
// (5.3.16).
#include <gtest/gtest.h>

#include "testbench/tests/model/hba_states.h"

namespace ncqlab::test {
namespace {

using namespace hba;

constexpr std::uint32_t kAtapi = 1U << 5;
constexpr std::uint32_t kPrefetch = 1U << 7;
constexpr std::uint32_t kBist = 1U << 9;

TEST(HbaStates, CfisXmitSetsBusy) {
  StateRig rig;
  rig.build_command(0, command(0xE7), {});
  rig.issue(0);
  ASSERT_TRUE(rig.run_until([&] { return (rig.status() & kSTS_BSY) != 0; }));
  EXPECT_TRUE(rig.device.received.empty());
}

TEST(HbaStates, CfisSyncEscapeTakesANewSignature) {
  StateRig rig;
  rig.send_command(0, 0, {}, HbaRig::kReset | HbaRig::kClearBusy);
  rig.send_command(1, 0);
  sata::RegisterD2H packet_device;
  packet_device.lba = 0xEB1401;
  packet_device.count = 1;
  rig.device.send(packet_device);
  rig.run();
  EXPECT_EQ(rig.port(kPxSIG), 0xEB140101U);
}

TEST(HbaStates, CfisXmitToIdleWhenTheDeviceHasAFrame) {
  StateRig rig;
  rig.send_queued(0, 0x60, 512);
  rig.build_command(1, command(0xE7), {});
  rig.issue(1);
  bool seen = false;
  ASSERT_TRUE(rig.run_until([&] { return (rig.status() & kSTS_BSY) != 0; }));
  // X_RDY of both at once: the device's frame goes first, the command again behind it.
  rig.device.on_frame = [&](const Bytes& fis) { seen = fis[0] == 0x27; };
  rig.device.complete_tags(1);
  rig.run();
  EXPECT_EQ(rig.port(kPxSACT), 0U);
  EXPECT_TRUE(seen);
  EXPECT_EQ(rig.status() & kSTS_BSY, kSTS_BSY);
}

// A command that gave way to a FIS that NDR:Accept drops goes out behind it: nothing else would bring it to mind.
TEST(HbaStates, NdrAcceptToIdleSendsTheCommandThatGaveWay) {
  StateRig rig;
  rig.build_command(1, command(0xE7), {});
  rig.issue(1);
  ASSERT_TRUE(rig.run_until([&] { return (rig.status() & kSTS_BSY) != 0; }));
  rig.device.send_status(0x50, true);
  rig.run();
  EXPECT_EQ(rig.port(kPxIS), 0U);
  EXPECT_EQ(rig.device.received.size(), 1U);
}

TEST(HbaStates, CfisXmitToErrNonFatal) {
  StateRig rig;
  rig.damage(sata::Direction::to_device, sata::FisType::register_h2d);
  rig.send_command(0, 0xE7);
  EXPECT_EQ(rig.port(kPxIS), kPxIS_INFS);
  EXPECT_EQ(rig.device.received.size(), 1U);
}

TEST(HbaStates, CfisXmitToErrSyncEscapeRecv) {
  StateRig rig;
  rig.damage(sata::Direction::to_device, sata::FisType::register_h2d, sata::Damage::aborted);
  rig.send_command(0, 0xE7);
  EXPECT_EQ(rig.port(kPxIS), kPxIS_IFS);
  EXPECT_EQ(rig.status() & (kSTS_BSY | kSTS_DRQ), 0U);
}

TEST(HbaStates, CfisSuccessToIdle) {
  StateRig rig;
  rig.send_command(0, 0xE7);
  EXPECT_EQ(rig.port(kPxCI), 1U);
  EXPECT_EQ(rig.status() & kSTS_BSY, kSTS_BSY);
  EXPECT_EQ(rig.port(kPxIS), 0U);
}

TEST(HbaStates, CfisSuccessToClearCI) {
  StateRig rig;
  rig.build_command(0, command(0xE7), {}, HbaRig::kClearBusy);
  rig.issue(0);
  ASSERT_TRUE(rig.run_until([&] { return (rig.status() & kSTS_BSY) != 0; }));
  EXPECT_EQ(rig.port(kPxCI), 1U);
  ASSERT_TRUE(rig.run_until([&] { return !rig.device.received.empty(); }));
  rig.run();
  EXPECT_EQ(rig.port(kPxCI), 0U);
  EXPECT_EQ(rig.status() & (kSTS_BSY | kSTS_DRQ), 0U);
  EXPECT_EQ(rig.port(kPxIS), 0U);
}

TEST(HbaStates, CfisSuccessToPrefetchChangesNothingThatSoftwareSees) {
  for (const std::uint32_t flags : {0U, kPrefetch, kPrefetch | kAtapi}) {
    StateRig rig;
    rig.send_command(0, 0x25, {{rig.data.address, 512}}, flags);
    EXPECT_EQ(rig.records.of(sim::Kind::dma_read).size(), 3U);
    EXPECT_EQ(rig.port(kPxCI), 1U);
    rig.device.send_data(pattern(512));
    rig.device.send_status(0x50, true);
    rig.run();
    EXPECT_EQ(rig.byte_count(0), 512U);
    EXPECT_EQ(rig.port(kPxIS), kPxIS_DHRS);
  }
}

TEST(HbaStates, CfisSuccessToBistTestOngoing) {
  StateRig rig;
  rig.send_command(0, 0xE7, {}, kBist);
  rig.device.send_status(0x50, true);
  rig.run();
  EXPECT_EQ(rig.port(kPxCI), 1U);
  EXPECT_EQ(rig.port(kPxIS), 0U);
  EXPECT_EQ(rig.detection(), kDET_established);
}

TEST(HbaStates, AtapiEntryToPioUpdate) {
  StateRig rig;
  rig.send_command(0, 0xA0, {{rig.data.address, 512}}, kAtapi);
  for (unsigned i = 0; i < 16; ++i) rig.tables.cpu[0x40 + i] = static_cast<std::uint8_t>(0x80 + i);
  rig.send_pio_setup(false, 12, 0x58, 0xD0, false);
  ASSERT_EQ(rig.device.received.size(), 2U);
  EXPECT_EQ(rig.device.received[1][4], 0x80);
  EXPECT_EQ(rig.port(kPxTFD), 0xD0U);
}

TEST(HbaStates, AtapiEntryToErrFatal) {
  StateRig rig;
  rig.send_command(0, 0xA0, {{rig.data.address, 512}}, kAtapi);
  rig.damage(sata::Direction::to_device, sata::FisType::data);
  rig.send_pio_setup(false, 12, 0x58, 0xD0, false);
  EXPECT_EQ(rig.port(kPxIS), kPxIS_IFS);
}

TEST(HbaStates, AtapiPacketGoesOncePerCommand) {
  StateRig rig;
  rig.data.cpu[0] = 0x77;
  rig.send_command(0, 0xA0, {{rig.data.address, 512}}, kAtapi | HbaRig::kWrite);
  rig.send_pio_setup(false, 12, 0x58, 0xD0, false);
  rig.send_pio_setup(false, 512, 0x58, 0xD0, false);
  ASSERT_EQ(rig.device.received.size(), 3U);
  EXPECT_EQ(rig.device.received[2].size(), 516U);
  EXPECT_EQ(rig.device.received[2][4], 0x77);
}

TEST(HbaStates, AtapiPacketIsNoPartOfTheByteCount) {
  StateRig rig;
  rig.send_command(0, 0xA0, {{rig.data.address, 512}}, kAtapi | HbaRig::kWrite);
  rig.send_pio_setup(false, 12, 0x58, 0xD0, false);
  rig.send_pio_setup(false, 512, 0x58, 0xD0, false);
  rig.device.send_status(0x50, true);
  rig.run();
  EXPECT_EQ(rig.port(kPxCI), 0U);
  EXPECT_EQ(rig.byte_count(0), 512U);
}

TEST(HbaStates, BistFarEndLoopbackToTestLoop) {
  StateRig rig;
  rig.send_bist(0x10);
  EXPECT_EQ(rig.detection(), kDET_offline);
  rig.build_command(0, command(0xE7), {});
  rig.issue(0);
  rig.run();
  EXPECT_TRUE(rig.device.received.empty());
}

TEST(HbaStates, BistTestOngoingToTestLoop) {
  StateRig rig;
  rig.send_bist(0x00);
  EXPECT_EQ(rig.detection(), kDET_established);
  rig.build_command(0, command(0xE7), {});
  rig.issue(0);
  rig.run();
  EXPECT_TRUE(rig.device.received.empty());
}

TEST(HbaStates, BistTestLoopEndsWithComreset) {
  StateRig rig;
  rig.send_bist(0x10);
  rig.set_port(kPxCMD, rig.port(kPxCMD) & ~kPxCMD_ST);
  rig.set_port(kPxSCTL, kDET_comreset);
  rig.set_port(kPxSCTL, 0);
  rig.run();
  rig.set_port(kPxSERR, 0xFFFFFFFF);
  rig.set_port(kPxCMD, rig.port(kPxCMD) | kPxCMD_ST);
  rig.send_command(0, 0xE7);
  EXPECT_EQ(rig.device.received.size(), 1U);
}

// What the error states have in common: no command is fetched, no FIS taken, until PxCMD.ST is cleared.
void expect_waiting_for_clear(StateRig& rig) {
  const std::size_t frames = rig.device.received.size();
  const std::uint32_t task_file = rig.port(kPxTFD);
  rig.build_command(7, command(0xE7), {});
  rig.issue(7);
  rig.device.send_status(0x50, true, 0x77);
  rig.run();
  EXPECT_EQ(rig.device.received.size(), frames);
  EXPECT_EQ(rig.port(kPxTFD), task_file);
  EXPECT_TRUE(rig.command_list_runs());
  rig.set_port(kPxCMD, rig.port(kPxCMD) & ~kPxCMD_ST);
  rig.run();
  EXPECT_FALSE(rig.command_list_runs());
  rig.set_port(kPxCMD, rig.port(kPxCMD) | kPxCMD_CLO);
  rig.set_port(kPxCMD, rig.port(kPxCMD) | kPxCMD_ST);
  rig.send_command(7, 0xE7);
  EXPECT_EQ(rig.device.received.size(), frames + 1);
}

TEST(HbaStates, ErrFatalToWaitForClear) {
  StateRig rig;
  rig.damage(sata::Direction::to_host, sata::FisType::data);
  rig.send_command(0, 0x25, {{rig.data.address, 512}});
  rig.device.send_data(pattern(512));
  rig.run();
  EXPECT_EQ(rig.port(kPxIS), kPxIS_IFS);
  expect_waiting_for_clear(rig);
}

TEST(HbaStates, ErrFatalTaskfileToWaitForClear) {
  StateRig rig;
  rig.send_command(0, 0xE7);
  rig.device.send_status(0x51, true, 0x04);
  rig.run();
  EXPECT_EQ(rig.port(kPxIS), kPxIS_TFES);
  expect_waiting_for_clear(rig);
}

TEST(HbaStates, ErrSyncEscapeRecvToWaitForClear) {
  StateRig rig;
  rig.damage(sata::Direction::to_device, sata::FisType::register_h2d, sata::Damage::aborted);
  rig.send_command(0, 0xE7);
  EXPECT_EQ(rig.port(kPxIS), kPxIS_IFS);
  expect_waiting_for_clear(rig);
}

TEST(HbaStates, ErrNonFatalToIdle) {
  StateRig rig;
  rig.send_command(0, 0xE7);
  rig.damage(sata::Direction::to_host, sata::FisType::register_d2h);
  rig.device.send_status(0x50, true);
  rig.run();
  EXPECT_EQ(rig.port(kPxIS), kPxIS_INFS | kPxIS_DHRS);
  rig.send_command(1, 0xE7);
  EXPECT_EQ(rig.device.received.size(), 2U);
}

}  // namespace
}  // namespace ncqlab::test
