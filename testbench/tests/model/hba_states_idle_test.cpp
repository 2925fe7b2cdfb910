// Port state machine: P:Idle to P:FetchCmd, P:StartBitCleared (AHCI 1.3.1, 5.3.2).
#include <gtest/gtest.h>

#include "testbench/tests/model/hba_states.h"

namespace ncqlab::test {
namespace {

using namespace hba;

void stop(StateRig& rig) { rig.set_port(kPxCMD, rig.port(kPxCMD) & ~kPxCMD_ST); }
void start(StateRig& rig) { rig.set_port(kPxCMD, rig.port(kPxCMD) | kPxCMD_ST); }

TEST(HbaStates, IdleToSelectCmd) {
  StateRig rig;
  rig.build_command(9, command(0xE7), {});
  rig.issue(9);
  EXPECT_EQ(rig.current_slot(), 9U);
  rig.run();
  EXPECT_EQ(rig.device.received.size(), 1U);
}

TEST(HbaStates, SelectCmdTakesSlotsRoundRobin) {
  StateRig rig;
  std::vector<unsigned> order;
  rig.device.on_frame = [&](const Bytes&) {
    order.push_back(rig.current_slot());
    rig.device.send_status(0x50, false);
  };
  for (const unsigned slot : {0U, 3U, 31U}) rig.build_command(slot, command(0xE7), {});
  rig.set_port(kPxCI, 1U << 3);
  rig.set_port(kPxCI, 1U << 0 | 1U << 31);
  rig.run();
  EXPECT_EQ(order, (std::vector<unsigned>{3, 31, 0}));
}

TEST(HbaStates, SelectCmdBeginsBehindSlot0) {
  StateRig rig;
  rig.build_command(0, command(0xE7), {});
  rig.build_command(1, command(0xE7), {});
  rig.set_port(kPxCI, 3);
  EXPECT_EQ(rig.current_slot(), 1U);
}

TEST(HbaStates, FetchCmdToIdleLeavesBusyClear) {
  StateRig rig;
  rig.build_command(0, command(0xE7), {});
  rig.issue(0);
  ASSERT_TRUE(rig.run_until([&] { return rig.records.of(sim::Kind::dma_read).size() == 1; }));
  EXPECT_EQ(rig.status() & kSTS_BSY, 0U);
}

TEST(HbaStates, IdleToCfisXmitWaitsForBusyAndDataRequest) {
  for (const std::uint8_t status : {0xD0, 0x58}) {
    StateRig rig;
    rig.send_command(0, 0xE7);
    rig.device.send_status(status, false);
    rig.build_command(1, command(0xE7), {});
    rig.issue(1);
    rig.run();
    EXPECT_EQ(rig.device.received.size(), 1U);
    if (status == 0x58) continue;
    rig.device.send_status(0x50, false);
    rig.run();
    EXPECT_EQ(rig.device.received.size(), 2U);
  }
}

TEST(HbaStates, IdleToCfisXmitWaitsForTheDataOfADmaSetup) {
  StateRig rig;
  rig.send_queued(0, 0x60, 512);
  rig.device.set_up_dma(0, true, 512);
  rig.run();
  rig.build_command(1, queued_command(0x60, 1), {{rig.data.address, 512}});
  rig.issue_queued(1);
  rig.run();
  EXPECT_EQ(rig.device.received.size(), 1U);
  rig.device.send_data(pattern(512));
  rig.run();
  EXPECT_EQ(rig.device.received.size(), 2U);
}

TEST(HbaStates, IdleToCfisSyncEscape) {
  StateRig rig;
  rig.send_command(0, 0xE7);
  rig.device.send_status(0xD0, false);
  rig.run();
  rig.set_port(kPxCMD, rig.port(kPxCMD) & ~kPxCMD_ST);
  rig.run();
  rig.set_port(kPxCMD, rig.port(kPxCMD) | kPxCMD_CLO);
  start(rig);
  rig.run();
  rig.send_command(1, 0, {}, HbaRig::kReset | HbaRig::kClearBusy);
  EXPECT_EQ(rig.device.received.size(), 2U);
  EXPECT_EQ(rig.port(kPxCI), 0U);
}

// Whenever the device's FIS comes: the command goes before it, or begins when it has been posted.
TEST(HbaStates, IdleToCfisXmitWaitsForTheFisThatIsWorkedOn) {
  constexpr sim::Time kRegisterFis = 300 * sim::kNanosecond;  // on the line, at 6 Gb/s
  for (sim::Time delay = 0; delay < 2 * sim::kMicrosecond; delay += 20 * sim::kNanosecond) {
    StateRig rig;
    rig.send_queued(0, 0x60, 512);
    rig.build_command(1, queued_command(0x60, 1), {{rig.data.address, 512}});
    rig.issue_queued(1);
    rig.run_for(delay);
    rig.device.complete_tags(1);
    rig.run();
    const sim::Time came = rig.records.of(sim::Kind::fis_to_host).back().time;
    const sim::Time posted = rig.records.of(sim::Kind::dma_write).back().time;
    const sim::Time sent = rig.records.of(sim::Kind::fis_to_device).back().time;
    EXPECT_TRUE(sent < came || sent - kRegisterFis >= posted) << sim::to_us(delay) << " us";
  }
}

TEST(HbaStates, FetchCmdForgetsTheByteCountOfTheCommandBefore) {
  StateRig rig;
  for (int round = 0; round < 2; ++round) {
    rig.send_command(3, 0x25, {{rig.data.address, 512}});
    rig.device.send_data(pattern(512));
    rig.device.send_status(0x50, true);
    rig.run();
    EXPECT_EQ(rig.byte_count(3), 512U);
  }
}

TEST(HbaStates, StartBitClearedToNotRunning) {
  StateRig rig;
  rig.send_queued(4, 0x60, 512);
  rig.send_command(9, 0xE7);
  ASSERT_EQ(rig.port(kPxSACT), 1U << 4);
  ASSERT_EQ(rig.port(kPxCI), 1U << 9);
  stop(rig);
  EXPECT_EQ(rig.port(kPxSACT), 0U);
  EXPECT_EQ(rig.port(kPxCI), 0U);
  EXPECT_EQ(rig.current_slot(), 0U);
  EXPECT_FALSE(rig.command_list_runs());
}

// pDmaXferCnt, pCmdToIssue and pIssueSlot are forgotten: a command is sent as if nothing had been.
TEST(HbaStates, StartBitClearedForgetsADmaSetupAndACommandThatWaits) {
  StateRig rig;
  rig.send_queued(0, 0x60, 512);
  rig.device.set_up_dma(0, true, 512);
  rig.run();
  rig.build_command(1, queued_command(0x60, 1), {{rig.data.address, 512}});
  rig.issue_queued(1);
  rig.run();
  ASSERT_EQ(rig.device.received.size(), 1U);
  stop(rig);
  start(rig);
  rig.run();
  EXPECT_EQ(rig.device.received.size(), 1U);
  rig.send_command(7, 0xE7);
  ASSERT_EQ(rig.device.received.size(), 2U);
  EXPECT_EQ(rig.device.received[1][2], 0xE7);
}

TEST(HbaStates, StartBitClearedTakesBackACommandThatWaitsForTheLink) {
  StateRig rig;
  rig.build_command(0, command(0xE7), {});
  rig.issue(0);
  ASSERT_TRUE(rig.run_until([&] { return rig.records.of(sim::Kind::dma_read).size() == 1; }));
  for (unsigned i = 0; i < 40; ++i) {
    sata::Frame unknown = rig.pool.make(64);
    std::fill(unknown.data(), unknown.data() + 64, std::uint8_t{0xC7});
    rig.device.send(std::move(unknown));
  }
  ASSERT_TRUE(rig.run_until([&] { return (rig.status() & kSTS_BSY) != 0; }));
  stop(rig);
  rig.run();
  EXPECT_TRUE(rig.device.received.empty());
}

TEST(HbaStates, IdleToCfisSyncEscapeInTheMiddleOfADmaSetup) {
  StateRig rig;
  rig.send_queued(0, 0x60, 512);
  rig.device.set_up_dma(0, true, 512);
  rig.run();
  rig.send_command(1, 0, {}, HbaRig::kReset | HbaRig::kClearBusy);
  EXPECT_EQ(rig.device.received.size(), 2U);
}

TEST(HbaStates, CommandListOverrideNeedsAStoppedList) {
  StateRig rig;
  rig.send_command(0, 0xE7);
  rig.set_port(kPxCMD, rig.port(kPxCMD) | kPxCMD_CLO);
  EXPECT_EQ(rig.status() & kSTS_BSY, kSTS_BSY);
  EXPECT_TRUE(rig.violated(Violation::override_while_started));
}

}  // namespace
}  // namespace ncqlab::test
