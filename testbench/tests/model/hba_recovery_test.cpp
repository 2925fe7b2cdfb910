// Recovery as software does it (AHCI 1.3.1, 6.2.2, 7.3.1, 7.4, 10.2, 10.3.2): what it finds, and that the port works
// again afterwards.
#include <gtest/gtest.h>

#include "testbench/tests/model/hba_states.h"

namespace ncqlab::test {
namespace {

using namespace hba;

void stop(StateRig& rig) {
  rig.set_port(kPxCMD, rig.port(kPxCMD) & ~kPxCMD_ST);
  rig.run();
  ASSERT_FALSE(rig.command_list_runs());
  rig.set_port(kPxSERR, 0xFFFFFFFF);
  rig.set_port(kPxIS, 0xFFFFFFFF);
}

void start(StateRig& rig) {
  rig.set_port(kPxCMD, rig.port(kPxCMD) | kPxCMD_ST);
  rig.run();
}

void comreset(StateRig& rig) {
  rig.set_port(kPxSCTL, kDET_comreset);
  rig.run_for(sim::kMillisecond);
  rig.set_port(kPxSCTL, 0);
  rig.run();
  rig.set_port(kPxSERR, 0xFFFFFFFF);
}

void expect_a_read_works(StateRig& rig) {
  rig.device.received.clear();
  rig.set_port(kPxIS, 0xFFFFFFFF);
  rig.send_command(4, 0x25, {{rig.data.address, 512}});
  ASSERT_EQ(rig.device.received.size(), 1U);
  rig.device.send_data(pattern(512, 3));
  rig.device.send_status(0x50, true);
  rig.run();
  EXPECT_EQ(rig.port(kPxCI), 0U);
  EXPECT_EQ(rig.port(kPxIS), kPxIS_DHRS);
  EXPECT_EQ(rig.data.cpu[5], pattern(512, 3)[5]);
}

TEST(HbaRecovery, TheFailedSlotIsTheCurrentOne) {
  StateRig rig;
  for (const unsigned slot : {3U, 12U, 20U}) rig.build_command(slot, command(0xE7), {});
  rig.device.on_frame = [&](const Bytes&) {
    const bool second = rig.device.received.size() == 2;
    rig.device.send_status(second ? 0x51 : 0x50, false, second ? 0x04 : 0x00);
  };
  rig.set_port(kPxCI, 1U << 3 | 1U << 12 | 1U << 20);
  rig.run();
  EXPECT_EQ(rig.port(kPxIS), kPxIS_TFES);
  EXPECT_EQ(rig.current_slot(), 12U);
  EXPECT_EQ(rig.port(kPxCI), 1U << 12 | 1U << 20);
  rig.device.on_frame = nullptr;
  stop(rig);
  start(rig);
  expect_a_read_works(rig);
}

TEST(HbaRecovery, ABusyDeviceComesBackByComreset) {
  StateRig rig;
  rig.send_command(0, 0x25, {{rig.data.address, 512}});
  stop(rig);
  ASSERT_EQ(rig.status() & kSTS_BSY, kSTS_BSY);
  start(rig);
  EXPECT_FALSE(rig.command_list_runs());
  rig.set_port(kPxCMD, rig.port(kPxCMD) & ~kPxCMD_ST);
  comreset(rig);
  EXPECT_EQ(rig.status(), 0x50U);
  start(rig);
  expect_a_read_works(rig);
}

TEST(HbaRecovery, AQueueGoesOnAfterItsLogWasRead) {
  StateRig rig;
  rig.send_queued(1, 0x60, 512);
  rig.send_queued(2, 0x60, 512);
  rig.device.complete_tags(0, 0x41, 0x40);
  rig.run();
  EXPECT_EQ(rig.port(kPxSACT), 6U);
  stop(rig);
  EXPECT_EQ(rig.port(kPxSACT), 0U);
  start(rig);
  rig.send_command(0, 0x2F, {{rig.data.address, 512}});
  rig.send_pio_setup(true, 512, 0x58, 0x50, true);
  rig.device.send_data(pattern(512));
  rig.run();
  EXPECT_EQ(rig.port(kPxIS), kPxIS_PSS);
  rig.set_port(kPxIS, 0xFFFFFFFF);
  rig.send_queued(2, 0x60, 512);
  rig.device.set_up_dma(2, true, 512);
  rig.device.send_data(pattern(512, 2));
  rig.device.complete_tags(1U << 2);
  rig.run();
  EXPECT_EQ(rig.port(kPxSACT), 0U);
  EXPECT_EQ(rig.port(kPxIS), kPxIS_SDBS);
  EXPECT_EQ(rig.data.cpu[7], pattern(512, 2)[7]);
}

TEST(HbaRecovery, AnUnsolicitedCominitStopsTheListUntilItIsRestarted) {
  StateRig rig;
  rig.send_queued(1, 0x60, 512);
  rig.device.received.clear();
  rig.controller().link(0).device_side().send_cominit();
  rig.run();
  EXPECT_EQ(rig.port(kPxSERR) & (kSERR_DIAG_X | kSERR_DIAG_N), kSERR_DIAG_X | kSERR_DIAG_N);
  EXPECT_NE(rig.port(kPxIS) & kPxIS_PCS, 0U);
  EXPECT_EQ(rig.detection(), kDET_established);
  EXPECT_EQ(rig.port(kPxSACT), 2U);
  rig.build_command(5, command(0xE7), {});
  rig.issue(5);
  rig.run();
  EXPECT_TRUE(rig.device.received.empty());
  stop(rig);
  start(rig);
  expect_a_read_works(rig);
}

TEST(HbaHotPlug, RemovalInSlumberIsNotSeenBeforeTheLinkWakes) {
  ControllerProfile profile = HbaRig::default_profile();
  profile.capabilities.slumber = true;
  StateRig rig(true, profile);
  rig.device.accepted_power = true;
  rig.set_port(kPxCMD, rig.port(kPxCMD) | 6U << kPxCMD_ICC_shift);
  rig.run();
  ASSERT_EQ(rig.port(kPxSSTS) & kIPM_mask, 0x600U);
  rig.set_port(kPxSERR, 0xFFFFFFFF);
  rig.controller().link(0).interrupt_signal(sim::kSecond);
  rig.run();
  EXPECT_EQ(rig.port(kPxSERR), 0U);
  EXPECT_EQ(rig.port(kPxSSTS) & kIPM_mask, 0x600U);
}

// After each event of a read in turn: everything is lost, and the device in its place works.
TEST(HbaHotPlug, PullingAtEveryInstantOfAReadLosesItAndThePortComesBack) {
  for (unsigned events = 0;; ++events) {
    StateRig rig;
    rig.device.on_frame = [&](const Bytes& fis) {
      if (fis[0] != 0x27) return;
      rig.device.send_data(pattern(8192));
      rig.device.send_status(0x50, true);
    };
    rig.build_command(0, command(0x25), {{rig.data.address, 8192}});
    rig.issue(0);
    for (unsigned i = 0; i < events; ++i) rig.queue().run_one();
    const bool done = rig.port(kPxCI) == 0;
    rig.controller().link(0).unplug();
    rig.run();
    EXPECT_EQ(rig.detection(), 0U) << events;
    EXPECT_NE(rig.port(kPxIS) & kPxIS_PRCS, 0U) << events;
    EXPECT_EQ(rig.port(kPxCI), done ? 0U : 1U) << events;
    rig.device.on_frame = nullptr;
    rig.controller().link(0).plug(&rig.device);
    rig.run();
    stop(rig);
    comreset(rig);
    start(rig);
    expect_a_read_works(rig);
    if (HasFailure() || done) {
      EXPECT_EQ(events, 7U);  // two fetches, three frames, two writes
      return;
    }
  }
}

TEST(HbaFisReceive, RunningWaitsForTheFisThatIsBeingPosted) {
  StateRig rig;
  rig.send_command(0, 0xE7);
  rig.device.send_status(0x50, true);
  const std::size_t before = rig.records.of(sim::Kind::fis_to_host).size();
  ASSERT_TRUE(rig.run_until([&] { return rig.records.of(sim::Kind::fis_to_host).size() > before; }));
  rig.set_port(kPxCMD, rig.port(kPxCMD) & ~kPxCMD_ST);
  rig.set_port(kPxCMD, rig.port(kPxCMD) & ~kPxCMD_FRE);
  EXPECT_NE(rig.port(kPxCMD) & kPxCMD_FR, 0U);
  rig.run();
  EXPECT_EQ(rig.port(kPxCMD) & kPxCMD_FR, 0U);
}

}  // namespace
}  // namespace ncqlab::test
