// The link's PHY: OOB and speed negotiation.
#include "testbench/tests/unit/link_phy_rig.h"

namespace ncqlab::sata {
namespace {

using LinkPhy = LinkPhyTest;

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

TEST_F(LinkPhy, AComresetWhenTheDeviceIsDetectedBeginsAnew) {
  link.plug(&device);
  comreset_when(host, "detected");
  comreset();
  run();
  const Time ready = detected + link.negotiation_time(3, 0);
  EXPECT_EQ(notes, (Notes{{detected, "host detected"},
                          {2 * detected, "host detected"},
                          {ready, "device reset 3"},
                          {ready, "host ready 3"}}));
}

TEST_F(LinkPhy, AHostIsNotToldOfAPhyThatWentDownWithTheDevicesReset) {
  link.plug(&device);
  device.reaction = [this](const std::string& what) {
    if (what == "reset 3") link.unplug();
  };
  comreset();
  run();
  EXPECT_EQ(notes.back().what, "device lost");
  EXPECT_EQ(notes.size(), 4U);
}

// At every stage of a frame from the host: waiting behind another one, just begun, about to arrive.

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

}  // namespace
}  // namespace ncqlab::sata
