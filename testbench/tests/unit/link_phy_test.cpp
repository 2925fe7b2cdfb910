// The link's PHY: OOB and speed negotiation, hot plug, loss of signal.
#include "testbench/tests/unit/link_rig.h"

namespace ncqlab::sata {
namespace {

class LinkPhy : public LinkTest, public LinkFaults {
 protected:
  bool on_phy_step(PhyStep step, Generation) override { return step != silent; }
  void fail_step(PhyStep step) {
    silent = step;
    link.inject(this);
  }
  // Records as step and state, for example {3, 0x001}.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> steps() const {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> all;
    for (const sim::Record& record : records) all.emplace_back(record.b, record.a);
    return all;
  }
  void comreset(Generation limit = 0) {
    link.host_side().begin_comreset();
    link.host_side().end_comreset(limit);
  }
  const Time detected = 2 * parameters.reset_signal;
  const Time awake = detected + 2 * parameters.wake_signal;
  PhyStep silent = PhyStep::ready;  // none that may fail
};

TEST_F(LinkPhy, TheDeviceIsDetectedAtTheEndOfItsCominit) {
  link.plug(&device);
  link.host_side().begin_comreset();
  run_until(sim::kMillisecond);
  EXPECT_TRUE(notes.empty());
  link.host_side().end_comreset(0);
  run_until(sim::kMillisecond + detected - 1);
  EXPECT_TRUE(notes.empty());
  run_until(sim::kMillisecond + detected);
  EXPECT_EQ(notes, (Notes{{sim::kMillisecond + detected, "host detected"}}));
}

TEST_F(LinkPhy, ThePhyIsReadyAfterOutOfBandSignallingAndNegotiation) {
  link.plug(&device);
  comreset();
  const Time ready = 7'680'000 + parameters.negotiation_per_rate;
  run_until(ready - 1);
  EXPECT_EQ(notes.size(), 1U);
  EXPECT_FALSE(link.device_side().phy_ready());
  EXPECT_EQ(link.generation(), 0);
  run_until(ready);
  EXPECT_EQ(notes, (Notes{{detected, "host detected"}, {ready, "device reset 3"}, {ready, "host ready 3"}}));
  EXPECT_TRUE(link.device_side().phy_ready());
  EXPECT_EQ(link.negotiation_time(3, 0), ready);
}

TEST_F(LinkPhy, TheSlowestOfHostDeviceAndLimitDecides) {
  link.plug(&device);
  device.highest = 3;
  comreset(1);
  run();
  EXPECT_EQ(link.generation(), 1);
  EXPECT_EQ(queue.now(), awake + 3 * parameters.negotiation_per_rate);  // the device began at 6 Gb/s
  EXPECT_EQ(queue.now(), link.negotiation_time(3, 1));
  link.host_side().begin_comreset();
  device.highest = 2;
  link.host_side().end_comreset(0);
  run();
  EXPECT_EQ(link.generation(), 2);
}

TEST_F(LinkPhy, AHostThatIsSlowerThanTheDeviceDecides) {
  LinkParameters slow;
  slow.highest_generation = 2;
  Link other(queue, trace, 5, slow);
  other.attach(&host);
  other.plug(&device);
  other.host_side().end_comreset(3);
  run();
  EXPECT_EQ(other.generation(), 2);
  EXPECT_EQ(queue.now(), other.negotiation_time(3, 3));
}

TEST_F(LinkPhy, EachStepIsTracedWithTheStateAtItsTime) {
  link.plug(&device);
  comreset(2);
  run();
  using Steps = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
  EXPECT_EQ(steps(), (Steps{{1, 0}, {2, 0}, {3, 1}, {4, 1}, {5, 1}, {5, 1}, {6, 0x123}}));
  const Time rate = parameters.negotiation_per_rate;
  EXPECT_EQ(records[2].time, detected);
  EXPECT_EQ(records[3].time, awake);
  EXPECT_EQ(records[4].time, awake);
  EXPECT_EQ(records[4].c, 3U);
  EXPECT_EQ(records[5].time, awake + rate);
  EXPECT_EQ(records[5].c, 2U);
  EXPECT_EQ(records[6].time, awake + 2 * rate);
  records.clear();
  link.unplug();
  EXPECT_EQ(steps(), (Steps{{8, 0}}));
}

TEST_F(LinkPhy, WithoutADeviceComresetEndsInNothing) {
  EXPECT_FALSE(link.host_side().device_present());
  comreset();
  run();
  EXPECT_TRUE(notes.empty());
  EXPECT_EQ(link.generation(), 0);
}

TEST_F(LinkPhy, ComresetLastsAsLongAsItIsHeld) {
  bring_up();
  link.host_side().begin_comreset();
  EXPECT_EQ(notes, (Notes{{queue.now(), "host lost"}, {queue.now(), "device lost"}}));
  run_until(queue.now() + sim::kHour);
  EXPECT_EQ(notes.size(), 2U);
  const Time end = queue.now();
  link.host_side().end_comreset(0);
  run();
  EXPECT_EQ(queue.now(), end + link.negotiation_time(3, 0));
}

TEST_F(LinkPhy, ADeviceMayTakeItsTimeToAnswerComreset) {
  device.delay = 9 * sim::kMillisecond;
  link.plug(&device);
  comreset();
  run_until(device.delay + detected - 1);
  EXPECT_TRUE(notes.empty());
  run();
  EXPECT_EQ(notes[0], (Note{device.delay + detected, "host detected"}));
  EXPECT_EQ(queue.now(), device.delay + link.negotiation_time(3, 0));
}

TEST_F(LinkPhy, ADeviceMayNeverAnswerComreset) {
  device.delay = sim::kNever;
  link.plug(&device);
  comreset();
  run();
  EXPECT_TRUE(notes.empty());
  EXPECT_TRUE(link.host_side().device_present());
  device.delay = 0;
  comreset();
  run();
  EXPECT_EQ(link.generation(), 3);
}

TEST_F(LinkPhy, ADeviceThatIsPluggedIntoAListeningPortSendsCominitUnasked) {
  comreset();
  run_until(sim::kSecond);
  link.plug(&device);
  EXPECT_TRUE(link.host_side().device_present());
  run();
  EXPECT_EQ(notes[0], (Note{sim::kSecond + parameters.reset_signal, "host detected"}));
  EXPECT_EQ(queue.now(), sim::kSecond + link.negotiation_time(3, 0) - parameters.reset_signal);
  EXPECT_EQ(link.generation(), 3);
}

TEST_F(LinkPhy, TheSpeedLimitHoldsForADeviceThatIsPluggedLater) {
  comreset(1);
  link.plug(&device);
  run();
  EXPECT_EQ(link.generation(), 1);
}

TEST_F(LinkPhy, ADeviceThatIsPluggedIntoADisabledPortStaysSilent) {
  link.host_side().begin_comreset();
  link.plug(&device);
  run();
  EXPECT_TRUE(notes.empty());
}

TEST_F(LinkPhy, ALinkTakesOneDevice) {
  link.plug(&device);
  EXPECT_THROW(link.plug(&device), std::logic_error);
}

TEST_F(LinkPhy, ADeviceThatResetsItselfSendsCominit) {
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

TEST_F(LinkPhy, CominitIsNotHeardWhileThePortIsDisabledOrNegotiates) {
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

TEST_F(LinkPhy, UnpluggingTellsBothEndsAndLosesTheFrameUnderWay) {
  bring_up();
  link.device_side().send(frame(20));
  link.unplug();
  EXPECT_EQ(notes, (Notes{{queue.now(), "host lost"}, {queue.now(), "device lost"}}));
  run();
  EXPECT_EQ(notes.size(), 2U);
  EXPECT_EQ(link.generation(), 0);
  EXPECT_FALSE(link.host_side().device_present());
}

// At every stage of a frame from the host: waiting behind another one, just begun, about to arrive.
TEST_F(LinkPhy, UnpluggingAtAnyStageOfAFrameLosesIt) {
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

TEST_F(LinkPhy, UnpluggingBeforeCominitStopsTheNegotiationUnnoticed) {
  link.plug(&device);
  comreset();
  run_until(detected - 1);
  link.unplug();
  run();
  EXPECT_TRUE(notes.empty());
}

TEST_F(LinkPhy, UnpluggingDuringNegotiationMakesTheDetectedDeviceGo) {
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

TEST_F(LinkPhy, AnotherComresetDuringNegotiationBeginsAnew) {
  link.plug(&device);
  comreset();
  run_until(awake);
  notes.clear();
  comreset();
  run();
  EXPECT_EQ(notes[0], (Note{awake + detected, "host detected"}));
  EXPECT_EQ(notes.size(), 3U);
  EXPECT_EQ(queue.now(), awake + link.negotiation_time(3, 0));
}

TEST_F(LinkPhy, ComresetLosesFramesOfBothEnds) {
  bring_up();
  link.device_side().send(frame(20));
  link.host_side().send(frame(20));
  comreset();
  notes.clear();
  run();
  ASSERT_EQ(notes.size(), 3U);
  EXPECT_EQ(notes[1].what, "device reset 3");
  EXPECT_EQ(notes[2].what, "host ready 3");
}

TEST_F(LinkPhy, ARateThatDoesNotWorkMakesTheDeviceTryTheNextLowerOne) {
  link.plug(&device);
  comreset();
  run_until(awake + parameters.negotiation_per_rate - 1);
  fail_step(PhyStep::speed);
  run_until(awake + parameters.negotiation_per_rate);
  EXPECT_EQ(link.generation(), 0);
  link.inject(nullptr);
  run();
  EXPECT_EQ(link.generation(), 2);
  EXPECT_EQ(queue.now(), awake + 2 * parameters.negotiation_per_rate);
}

TEST_F(LinkPhy, WhenNoRateWorksTheDeviceStaysDetectedWithoutCommunication) {
  fail_step(PhyStep::speed);
  link.plug(&device);
  comreset();
  run();
  EXPECT_EQ(notes, (Notes{{detected, "host detected"}}));
  EXPECT_EQ(queue.now(), awake + 3 * parameters.negotiation_per_rate);
  EXPECT_EQ(records.back().a, 1U);
  EXPECT_EQ(records.back().b, static_cast<std::uint64_t>(PhyStep::failed));
  link.unplug();
  EXPECT_EQ(notes.back().what, "host gone");
}

TEST_F(LinkPhy, ADeviceWhoseComwakeFailsStaysDetected) {
  fail_step(PhyStep::comwake);
  link.plug(&device);
  comreset();
  run();
  EXPECT_EQ(notes, (Notes{{detected, "host detected"}}));
  EXPECT_EQ(queue.now(), awake);
  EXPECT_EQ(records.back().a, 1U);
  silent = PhyStep::ready;
  comreset();
  run();
  EXPECT_EQ(link.generation(), 3);
}

TEST_F(LinkPhy, ADeviceWhoseCominitFailsIsNotDetected) {
  fail_step(PhyStep::cominit);
  link.plug(&device);
  comreset();
  run();
  EXPECT_TRUE(notes.empty());
  EXPECT_EQ(records.back().a, 0U);
  EXPECT_EQ(records.back().b, static_cast<std::uint64_t>(PhyStep::failed));
}

TEST_F(LinkPhy, ASignalThatIsInterruptedComesBackWithoutAReset) {
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
}

TEST_F(LinkPhy, ComresetOrUnpluggingEndsAnInterruption) {
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

TEST_F(LinkPhy, NothingIsInterruptedWhereNoPhyIsReady) {
  link.plug(&device);
  link.interrupt_signal(sim::kMicrosecond);
  comreset();
  link.interrupt_signal(sim::kMicrosecond);
  run();
  EXPECT_EQ(notes.size(), 3U);
}

}  // namespace
}  // namespace ncqlab::sata
