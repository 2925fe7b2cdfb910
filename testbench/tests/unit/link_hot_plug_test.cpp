// The link's PHY when devices come and go, reset themselves, or the signal is interrupted.
#include "testbench/tests/unit/link_phy_rig.h"

namespace ncqlab::sata {
namespace {

using LinkHotPlug = LinkPhyTest;

TEST_F(LinkHotPlug, ADeviceThatIsPluggedIntoAListeningPortSendsCominitUnasked) {
  comreset();
  run_until(sim::kSecond);
  link.plug(&device);
  EXPECT_TRUE(link.host_side().device_present());
  run();
  EXPECT_EQ(notes[0], (Note{sim::kSecond + parameters.reset_signal, "host detected"}));
  EXPECT_EQ(queue.now(), sim::kSecond + link.negotiation_time(3, 0) - parameters.reset_signal);
  EXPECT_EQ(link.generation(), 3);
}

TEST_F(LinkHotPlug, TheSpeedLimitHoldsForADeviceThatIsPluggedLater) {
  comreset(1);
  link.plug(&device);
  run();
  EXPECT_EQ(link.generation(), 1);
}

TEST_F(LinkHotPlug, ADeviceThatIsPluggedIntoADisabledPortStaysSilent) {
  link.host_side().begin_comreset();
  link.plug(&device);
  run();
  EXPECT_TRUE(notes.empty());
}

TEST_F(LinkHotPlug, PresenceIsToldWhateverThePhyDoes) {
  link.host_side().begin_comreset();
  link.plug(&device);
  EXPECT_EQ(host.presence, (std::vector<bool>{true}));
  link.unplug();
  EXPECT_EQ(host.presence, (std::vector<bool>{true, false}));
}

TEST_F(LinkHotPlug, ALinkTakesOneDevice) {
  link.plug(&device);
  EXPECT_THROW(link.plug(&device), std::logic_error);
}

TEST_F(LinkHotPlug, ADeviceThatResetsItselfSendsCominit) {
  bring_up();
  link.device_side().send(frame(20));
  const Time start = queue.now();
  link.device_side().send_cominit();
  const Time seen = start + parameters.reset_signal;
  const Time ready = start + link.negotiation_time(3, 0) - parameters.reset_signal;
  run();
  EXPECT_EQ(notes, (Notes{{start, "host lost"},
                          {start, "device lost"},
                          {seen, "host detected"},
                          {ready, "device reset 3"},
                          {ready, "host ready 3"}}));
}

TEST_F(LinkHotPlug, CominitIsNotHeardWhileThePortIsDisabledOrNegotiates) {
  link.plug(&device);
  link.device_side().send_cominit();
  run();
  EXPECT_TRUE(notes.empty());
  comreset();
  run_until(awake);
  link.device_side().send_cominit();
  run();
  EXPECT_EQ(queue.now(), link.negotiation_time(3, 0));
}

TEST_F(LinkHotPlug, AfterAFailureTheDevicesCominitIsHeardAgain) {
  fail_step(PhyStep::speed);
  link.plug(&device);
  comreset();
  run();
  link.inject(nullptr);
  link.device_side().send_cominit();
  run();
  EXPECT_EQ(link.generation(), 3);
}

TEST_F(LinkHotPlug, ADisabledPortStaysDisabledWhenDevicesChange) {
  bring_up();
  link.host_side().begin_comreset();
  link.unplug();
  notes.clear();
  link.plug(&device);
  run();
  EXPECT_TRUE(notes.empty());
}

TEST_F(LinkHotPlug, UnpluggingTellsBothEndsAndLosesTheFrameUnderWay) {
  bring_up();
  link.device_side().send(frame(20));
  link.unplug();
  EXPECT_EQ(notes, (Notes{{queue.now(), "host lost"}, {queue.now(), "device lost"}}));
  run();
  EXPECT_EQ(notes.size(), 2U);
  EXPECT_EQ(link.generation(), 0);
  EXPECT_FALSE(link.host_side().device_present());
}

TEST_F(LinkHotPlug, UnpluggingAtAnyStageOfAFrameLosesIt) {
  const Time frame_time = link.frame_time(20, 3);
  for (const Time after : {Time{0}, Time{1}, frame_time - 1, frame_time, 2 * frame_time - 1}) {
    SCOPED_TRACE(after);
    bring_up();
    const Time start = queue.now();
    link.device_side().send(frame(20));
    link.host_side().send(frame(20));
    run_until(start + after);
    const std::size_t told = notes.size();
    EXPECT_EQ(told, after < frame_time ? 0U : 2U);
    link.unplug();
    run();
    EXPECT_EQ(notes.size(), told + 2);
    link.host_side().begin_comreset();
  }
}

TEST_F(LinkHotPlug, UnpluggingBeforeCominitStopsTheNegotiationUnnoticed) {
  link.plug(&device);
  comreset();
  run_until(detected - 1);
  link.unplug();
  run();
  EXPECT_TRUE(notes.empty());
}

TEST_F(LinkHotPlug, UnpluggingDuringNegotiationMakesTheDetectedDeviceGo) {
  for (const Time when : {detected, awake, awake + parameters.negotiation_per_rate - 1}) {
    SCOPED_TRACE(when);
    const Time start = queue.now();
    notes.clear();
    link.plug(&device);
    comreset();
    run_until(start + when);
    link.unplug();
    run();
    EXPECT_EQ(notes, (Notes{{start + detected, "host detected"}, {start + when, "host gone"}}));
    EXPECT_EQ(records.back().b, static_cast<std::uint64_t>(PhyStep::lost));
    EXPECT_EQ(records.back().a, 0U);
  }
}

TEST_F(LinkHotPlug, ASignalThatIsInterruptedComesBackWithoutAReset) {
  bring_up(2);
  link.device_side().send(frame(20));
  const Time start = queue.now();
  link.interrupt_signal(sim::kMicrosecond);
  EXPECT_FALSE(link.host_side().phy_ready());
  link.host_side().send(frame(20));  // lost
  run();
  const Time back = start + sim::kMicrosecond;
  EXPECT_EQ(
      notes,
      (Notes{{start, "host lost"}, {start, "device lost"}, {back, "device recovered 2"}, {back, "host recovered 2"}}));
  using Steps = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
  EXPECT_EQ(steps(), (Steps{{8, 0}, {9, 0x123}}));
  link.device_side().send(frame(20));
  run();
  EXPECT_EQ(notes.back().what, "device sent");
  records.clear();
  link.unplug();
  EXPECT_EQ(steps(), (Steps{{8, 0}}));
}

TEST_F(LinkHotPlug, ComresetOrUnpluggingEndsAnInterruption) {
  bring_up();
  link.interrupt_signal(sim::kMicrosecond);
  comreset();
  const Time start = queue.now();
  notes.clear();
  run();
  EXPECT_EQ(queue.now(), start + link.negotiation_time(3, 0));
  EXPECT_EQ(notes.back().what, "host ready 3");

  link.interrupt_signal(sim::kMicrosecond);
  link.unplug();
  notes.clear();
  run();
  EXPECT_TRUE(notes.empty());
}

TEST_F(LinkHotPlug, NothingIsInterruptedWhereNoPhyIsReady) {
  link.plug(&device);
  link.interrupt_signal(sim::kMicrosecond);
  comreset();
  link.interrupt_signal(sim::kMicrosecond);
  run();
  EXPECT_EQ(notes.size(), 3U);
}

TEST_F(LinkHotPlug, UnpluggingWhileTheHostIsToldOfALossSparesTheDevice) {
  bring_up();
  host.reaction = [this](const std::string&) { link.unplug(); };
  link.host_side().begin_comreset();
  EXPECT_EQ(notes, (Notes{{queue.now(), "host lost"}}));
}

}  // namespace
}  // namespace ncqlab::sata
