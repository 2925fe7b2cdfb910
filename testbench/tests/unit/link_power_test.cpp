// The link's power states: requests by either end, answers, exits, and frames that wake it.
#include "testbench/tests/unit/link_rig.h"

namespace ncqlab::sata {
namespace {

class LinkPowerStates : public LinkTest {
 protected:
  void SetUp() override {
    LinkTest::SetUp();
    bring_up();
    start = queue.now();
  }
  // Into `power` at the host's request.
  void enter(LinkPower power) {
    ASSERT_TRUE(link.host_side().request_power(power));
    run();
    ASSERT_EQ(link.power(), power);
    notes.clear();
    records.clear();
    start = queue.now();
  }
  Time exit_of(LinkPower power) const {
    if (power == LinkPower::partial) return parameters.partial_exit;
    return power == LinkPower::slumber ? parameters.slumber_exit : parameters.dev_sleep_exit;
  }
  const Time asked = link.power_request_time(3);
  Time start = 0;
};

TEST_F(LinkPowerStates, ARequestTakesItsPrimitivesAndTheWayThereAndBack) {
  // 6 dwords of 40 bits with ALIGN at 1.5 Gb/s are 161.260 ns, at 6 Gb/s 40.315 ns.
  EXPECT_EQ(link.power_request_time(1), 161'260 + 100'000);
  EXPECT_EQ(link.power_request_time(3), 40'315 + 100'000);
}

TEST_F(LinkPowerStates, TheHostAsksAndTheDeviceAnswers) {
  for (const LinkPower power : {LinkPower::partial, LinkPower::slumber}) {
    const std::string number = std::to_string(static_cast<int>(power));
    SCOPED_TRACE(number);
    start = queue.now();
    EXPECT_TRUE(link.host_side().request_power(power));
    run_until(start + asked - 1);
    EXPECT_TRUE(notes.empty());
    EXPECT_EQ(link.power(), LinkPower::active);
    run_until(start + asked);
    EXPECT_EQ(notes, (Notes{{start + asked, "device asked " + number},
                            {start + asked, "device power " + number},
                            {start + asked, "host power " + number}}));
    EXPECT_EQ(link.host_side().power(), power);
    EXPECT_EQ(link.device_side().power(), power);
    EXPECT_TRUE(link.host_side().phy_ready());
    EXPECT_EQ(link.generation(), 3);
    link.host_side().request_power(LinkPower::active);
    run();
    notes.clear();
  }
}

TEST_F(LinkPowerStates, TheDeviceAsksAndTheHostAnswers) {
  EXPECT_TRUE(link.device_side().request_power(LinkPower::slumber));
  run();
  EXPECT_EQ(
      notes,
      (Notes{{start + asked, "host asked 6"}, {start + asked, "device power 6"}, {start + asked, "host power 6"}}));
}

TEST_F(LinkPowerStates, ARefusedRequestLeavesTheLinkActive) {
  device.accepts = false;
  link.host_side().request_power(LinkPower::partial);
  run();
  EXPECT_EQ(notes, (Notes{{start + asked, "device asked 2"}, {start + asked, "host not 2"}}));
  host.accepts = false;
  link.device_side().request_power(LinkPower::slumber);
  notes.clear();
  run();
  EXPECT_EQ(notes, (Notes{{start + 2 * asked, "host asked 6"}, {start + 2 * asked, "device not 6"}}));
  EXPECT_EQ(link.power(), LinkPower::active);
  EXPECT_TRUE(records.empty());
}

TEST_F(LinkPowerStates, EitherEndWakesTheLinkAndItTakesTheExitTime) {
  for (const LinkPower power : {LinkPower::partial, LinkPower::slumber}) {
    for (LinkSide* side : {static_cast<LinkSide*>(&link.host_side()), static_cast<LinkSide*>(&link.device_side())}) {
      enter(power);
      EXPECT_TRUE(side->request_power(LinkPower::active));
      run_until(start + exit_of(power) - 1);
      EXPECT_TRUE(notes.empty());
      EXPECT_EQ(link.power(), power);
      run_until(start + exit_of(power));
      EXPECT_EQ(notes, (Notes{{queue.now(), "device power 1"}, {queue.now(), "host power 1"}}));
      EXPECT_EQ(link.power(), LinkPower::active);
    }
  }
}

TEST_F(LinkPowerStates, AFrameOfEitherEndWakesTheLinkFirst) {
  for (const LinkPower power : {LinkPower::partial, LinkPower::slumber}) {
    enter(power);
    link.host_side().send(frame(20));
    run();
    const Time arrival = start + exit_of(power) + link.frame_time(20, 3);
    EXPECT_EQ(notes.back(), (Note{arrival, "host sent"}));
    EXPECT_EQ(queue.now(), arrival);
    enter(power);
    link.device_side().send(frame(20));
    run();
    EXPECT_EQ(notes.back(), (Note{start + exit_of(power) + link.frame_time(20, 3), "device sent"}));
  }
}

TEST_F(LinkPowerStates, FramesOfBothEndsWaitForOneExit) {
  enter(LinkPower::partial);
  link.host_side().send(frame(20));
  run_until(start + sim::kMicrosecond);
  link.device_side().send(frame(28));
  run();
  const Time first = start + parameters.partial_exit + link.frame_time(28, 3);
  EXPECT_EQ(notes[2], (Note{first, "host got 28"}));
  EXPECT_EQ(notes[4], (Note{first + link.frame_time(20, 3), "device got 20"}));
}

TEST_F(LinkPowerStates, ARequestWaitsUntilTheLinkIsIdle) {
  link.device_side().send(frame(20));
  EXPECT_TRUE(link.host_side().request_power(LinkPower::partial));
  run_until(start + sim::kNanosecond);
  link.host_side().send(frame(28));
  run();
  const Time idle = start + link.frame_time(20, 3) + link.frame_time(28, 3);
  EXPECT_EQ(notes[3], (Note{idle, "host sent"}));
  EXPECT_EQ(notes[4], (Note{idle + asked, "device asked 2"}));
}

TEST_F(LinkPowerStates, ARequestWaitsWhileTheDevicesFrameIsHeldOff) {
  link.host_side().set_receive_ready(false);
  link.device_side().send(frame(20));
  EXPECT_TRUE(link.host_side().request_power(LinkPower::partial));
  run();
  EXPECT_TRUE(notes.empty());
  link.host_side().set_receive_ready(true);
  run();
  EXPECT_EQ(link.power(), LinkPower::partial);
}

TEST_F(LinkPowerStates, ARequestNotYetMadeIsTakenBackByItsEndOnly) {
  link.device_side().send(frame(20));
  link.host_side().request_power(LinkPower::partial);
  EXPECT_FALSE(link.device_side().request_power(LinkPower::active));
  EXPECT_TRUE(link.host_side().request_power(LinkPower::active));
  EXPECT_FALSE(link.host_side().request_power(LinkPower::active));
  run();
  EXPECT_EQ(notes.size(), 2U);
  EXPECT_EQ(link.power(), LinkPower::active);
}

TEST_F(LinkPowerStates, AFrameThatComesDuringTheRequestGoesAfterIt) {
  link.host_side().request_power(LinkPower::partial);
  run_until(start + 1);
  link.device_side().send(frame(20));
  run();
  EXPECT_EQ(notes.back(), (Note{start + asked + parameters.partial_exit + link.frame_time(20, 3), "device sent"}));

  notes.clear();
  device.accepts = false;
  start = queue.now();
  link.host_side().request_power(LinkPower::partial);
  link.host_side().send(frame(20));
  run();
  EXPECT_EQ(notes.back(), (Note{start + asked + link.frame_time(20, 3), "host sent"}));
}

TEST_F(LinkPowerStates, OneRequestAtATime) {
  EXPECT_TRUE(link.host_side().request_power(LinkPower::partial));
  EXPECT_FALSE(link.host_side().request_power(LinkPower::slumber));
  EXPECT_FALSE(link.device_side().request_power(LinkPower::partial));
  run();
  EXPECT_FALSE(link.host_side().request_power(LinkPower::partial));  // in that state
  EXPECT_FALSE(link.host_side().request_power(LinkPower::slumber));  // through active only
  EXPECT_FALSE(link.host_side().request_power(LinkPower::dev_sleep));
  EXPECT_EQ(link.power(), LinkPower::partial);
}

TEST_F(LinkPowerStates, TheFirstRequestThatWaitsStands) {
  link.device_side().send(frame(20));
  EXPECT_TRUE(link.host_side().request_power(LinkPower::partial));
  EXPECT_FALSE(link.device_side().request_power(LinkPower::slumber));
  run();
  EXPECT_EQ(link.power(), LinkPower::partial);
}

TEST_F(LinkPowerStates, AComresetInsideAnyCallEndsTheRequest) {
  for (const char* told : {"asked 2", "power 2"}) {
    SCOPED_TRACE(told);
    notes.clear();
    records.clear();
    comreset_when(device, told);
    link.host_side().request_power(LinkPower::partial);
    run();
    EXPECT_EQ(link.power(), LinkPower::active);
    EXPECT_EQ(notes[notes.size() - 5].what, "host lost");  // and not told of partial before
    EXPECT_EQ(notes.back().what, "host ready 3");
  }
}

TEST_F(LinkPowerStates, WithoutAPhyThereIsNothingToAsk) {
  link.host_side().begin_comreset();
  EXPECT_FALSE(link.host_side().request_power(LinkPower::partial));
  EXPECT_FALSE(link.host_side().request_power(LinkPower::dev_sleep));
  EXPECT_FALSE(link.device_side().request_power(LinkPower::active));
}

TEST_F(LinkPowerStates, DevSleepIsTheHostsAndNeedsNoPrimitives) {
  EXPECT_FALSE(link.device_side().request_power(LinkPower::dev_sleep));
  EXPECT_TRUE(link.host_side().request_power(LinkPower::dev_sleep));
  run();
  EXPECT_EQ(notes, (Notes{{start, "device asked 8"}, {start, "device power 8"}, {start, "host power 8"}}));
}

TEST_F(LinkPowerStates, SlumberLeadsToDevSleepDirectly) {
  enter(LinkPower::slumber);
  EXPECT_TRUE(link.host_side().request_power(LinkPower::dev_sleep));
  run();
  EXPECT_EQ(link.power(), LinkPower::dev_sleep);
  EXPECT_EQ(queue.now(), start);
}

TEST_F(LinkPowerStates, ADeviceWithoutDevSleepStaysWhereItIs) {
  enter(LinkPower::slumber);
  device.accepts = false;
  link.host_side().request_power(LinkPower::dev_sleep);
  run();
  EXPECT_EQ(notes.back(), (Note{start, "host not 8"}));
  EXPECT_EQ(link.power(), LinkPower::slumber);
  link.device_side().send(frame(20));
  run();
  EXPECT_EQ(notes.back(), (Note{start + parameters.slumber_exit + link.frame_time(20, 3), "device sent"}));
}

TEST_F(LinkPowerStates, OutOfDevSleepOnlyTheHostComes) {
  enter(LinkPower::dev_sleep);
  EXPECT_FALSE(link.device_side().request_power(LinkPower::active));
  link.device_side().send(frame(20));
  run();
  EXPECT_TRUE(notes.empty());
  run_until(start + sim::kSecond);
  EXPECT_TRUE(link.host_side().request_power(LinkPower::active));
  run();
  const Time awake = start + sim::kSecond + parameters.dev_sleep_exit;
  EXPECT_EQ(notes, (Notes{{awake, "device power 1"},
                          {awake, "host power 1"},
                          {awake + link.frame_time(20, 3), "host got 20"},
                          {awake + link.frame_time(20, 3), "device sent"}}));
}

TEST_F(LinkPowerStates, AHostsFrameEndsDevSleep) {
  enter(LinkPower::dev_sleep);
  link.host_side().send(frame(20));
  run();
  EXPECT_EQ(notes.back(), (Note{start + parameters.dev_sleep_exit + link.frame_time(20, 3), "host sent"}));
}

TEST_F(LinkPowerStates, AWaitingFrameIsTakenBackInAnyState) {
  enter(LinkPower::dev_sleep);
  link.device_side().send(frame(20));
  EXPECT_TRUE(link.device_side().withdraw());
  EXPECT_FALSE(link.device_side().withdraw());
  link.host_side().request_power(LinkPower::active);
  run();
  EXPECT_EQ(notes.size(), 2U);
}

TEST_F(LinkPowerStates, AnEndSendsOneFrameAtATimeInLowPowerToo) {
  enter(LinkPower::partial);
  link.device_side().send(frame(20));
  EXPECT_THROW(link.device_side().send(frame(20)), std::logic_error);
}

TEST_F(LinkPowerStates, ComresetAndUnpluggingEndAnyPowerState) {
  for (const LinkPower power : {LinkPower::partial, LinkPower::slumber, LinkPower::dev_sleep}) {
    enter(power);
    link.host_side().begin_comreset();
    EXPECT_EQ(link.power(), LinkPower::active);
    EXPECT_EQ(notes, (Notes{{start, "host lost"}, {start, "device lost"}}));
    link.host_side().end_comreset(0);
    run();
    EXPECT_EQ(notes.back().what, "host ready 3");
    notes.clear();
  }
  enter(LinkPower::slumber);
  link.unplug();
  EXPECT_EQ(notes.size(), 2U);
}

TEST_F(LinkPowerStates, ComresetForgetsARequestAndAnExitUnderWay) {
  link.host_side().request_power(LinkPower::partial);
  link.host_side().begin_comreset();
  link.host_side().end_comreset(0);
  run();
  EXPECT_EQ(link.power(), LinkPower::active);
  enter(LinkPower::slumber);
  link.host_side().request_power(LinkPower::active);
  link.host_side().begin_comreset();
  link.host_side().end_comreset(0);
  run();
  EXPECT_EQ(notes.back(), (Note{start + link.negotiation_time(3, 0), "host ready 3"}));
}

TEST_F(LinkPowerStates, ALinkThatSleepsDoesNotNoticeThatTheSignalIsGone) {
  enter(LinkPower::partial);
  link.interrupt_signal(sim::kMicrosecond);
  run();
  EXPECT_TRUE(notes.empty());
  EXPECT_EQ(link.power(), LinkPower::partial);
}

TEST_F(LinkPowerStates, EachStateIsTracedInTheLayoutOfSStatus) {
  const std::pair<LinkPower, std::uint64_t> all[] = {
      {LinkPower::partial, 0x233}, {LinkPower::slumber, 0x633}, {LinkPower::dev_sleep, 0x833}};
  for (const auto& [power, status] : all) {
    link.host_side().request_power(power);
    run();
    link.host_side().request_power(LinkPower::active);
    run();
    ASSERT_EQ(records.size(), 2U);
    EXPECT_EQ(records[0].kind, sim::Kind::phy);
    EXPECT_EQ(records[0].a, status);
    EXPECT_EQ(records[0].b, static_cast<std::uint64_t>(PhyStep::power));
    EXPECT_EQ(records[1].a, 0x133U);
    records.clear();
  }
}

}  // namespace
}  // namespace ncqlab::sata
