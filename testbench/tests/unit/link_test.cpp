// The link's frames: when they arrive, and who goes first.
#include <cstring>

#include "testbench/tests/unit/link_rig.h"

namespace ncqlab::sata {
namespace {

TEST_F(LinkTest, AFrameArrivesAtItsTimeAndNotAPicosecondEarlier) {
  for (const Generation generation : {1, 2, 3}) {
    SCOPED_TRACE(int{generation});
    if (generation > 1) link.unplug();
    bring_up(generation);
    const Time start = queue.now();
    link.device_side().send(frame(8196));
    const Time arrival = start + link.frame_time(8196, generation);
    run_until(arrival - 1);
    EXPECT_TRUE(notes.empty());
    run_until(arrival);
    EXPECT_EQ(notes, (std::vector<Note>{{arrival, "host got 8196"}, {arrival, "device sent"}}));
  }
}

TEST_F(LinkTest, AFramesTimeIsRoundedOnceFromItsTotal) {
  // 8196 bytes are 2049 dwords; with 9 of framing and handshake 2058, of 40 bits, 256/254 for ALIGN.
  // 2058 * 40 * 256 / 254 bits at 1.5 Gb/s are 55312.126 ns.
  EXPECT_EQ(link.frame_time(8196, 1), 55'312'126 + parameters.turn_around);
  EXPECT_EQ(link.frame_time(8196, 2), 27'656'063 + parameters.turn_around);
  EXPECT_EQ(link.frame_time(8196, 3), 13'828'031 + parameters.turn_around);
}

TEST_F(LinkTest, APartOfADwordCostsAWholeOne) {
  EXPECT_EQ(link.frame_time(5, 3), link.frame_time(8, 3));
  EXPECT_LT(link.frame_time(4, 3), link.frame_time(5, 3));
}

TEST_F(LinkTest, FramesWithoutAPhyAreLost) {
  link.plug(&device);
  link.device_side().send(frame(20));
  link.host_side().send(frame(20));
  run();
  EXPECT_TRUE(notes.empty());
}

TEST_F(LinkTest, TheLinkCarriesOneFrameAtATimeInEitherDirection) {
  bring_up();
  const Time start = queue.now();
  link.device_side().send(frame(8196));
  const Time later = start + parameters.turn_around;
  run_until(later);
  link.host_side().send(frame(20));
  run();
  const Time first = start + link.frame_time(8196, 3);
  const Time second = first + link.frame_time(20, 3);
  EXPECT_EQ(notes,
            (std::vector<Note>{
                {first, "host got 8196"}, {first, "device sent"}, {second, "device got 20"}, {second, "host sent"}}));
}

TEST_F(LinkTest, WhenBothWantAtTheSameTimeTheDeviceWins) {
  bring_up();
  const Time start = queue.now();
  link.host_side().send(frame(20));
  link.device_side().send(frame(28));
  run();
  const Time first = start + link.frame_time(28, 3);
  EXPECT_EQ(notes[0], (Note{first, "host got 28"}));
  EXPECT_EQ(notes[2], (Note{first + link.frame_time(20, 3), "device got 20"}));
}

TEST_F(LinkTest, TheHostBacksOffUntilItsRequestHasReachedTheDevice) {
  const Time one_way = parameters.turn_around / 4;
  bring_up();
  link.host_side().send(frame(20));
  run_until(queue.now() + one_way);
  link.device_side().send(frame(28));
  run();
  EXPECT_EQ(notes[0].what, "host got 28");

  notes.clear();
  link.host_side().send(frame(20));
  run_until(queue.now() + one_way + 1);
  link.device_side().send(frame(28));
  run();
  EXPECT_EQ(notes[0].what, "device got 20");
}

TEST_F(LinkTest, AWaitingFrameOfTheHostCanBeTakenBack) {
  bring_up();
  link.host_side().send(frame(20));
  EXPECT_FALSE(link.host_side().withdraw());  // under way
  link.device_side().send(frame(28));
  EXPECT_TRUE(link.host_side().withdraw());
  run();
  ASSERT_EQ(notes.size(), 2U);
  EXPECT_EQ(notes[0].what, "host got 28");
}

TEST_F(LinkTest, TheDevicesFrameWaitsWhileTheHostIsNotReadyToReceive) {
  bring_up();
  link.host_side().set_receive_ready(false);
  link.device_side().send(frame(20));
  run();
  EXPECT_TRUE(notes.empty());
  run_until(queue.now() + sim::kMicrosecond);
  const Time ready = queue.now();
  link.host_side().set_receive_ready(true);
  run();
  EXPECT_EQ(notes[0], (Note{ready + link.frame_time(20, 3), "host got 20"}));
}

TEST_F(LinkTest, AnEndSendsOneFrameAtATime) {
  bring_up();
  link.device_side().send(frame(20));
  EXPECT_THROW(link.device_side().send(frame(20)), std::logic_error);
  link.host_side().send(frame(20));
  EXPECT_THROW(link.host_side().send(frame(20)), std::logic_error);
}

TEST_F(LinkTest, AFrameIsTracedWhenItArrives) {
  bring_up();
  link.device_side().send(frame(20));
  run();
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].time, queue.now());
  EXPECT_EQ(records[0].kind, sim::Kind::fis_to_host);
  EXPECT_EQ(records[0].source, 4U);
  EXPECT_EQ(records[0].a, 1U);  // the type byte
  EXPECT_EQ(records[0].b, 20U);
  EXPECT_EQ(records[0].c, 0x0807060504030201U);
  link.host_side().send(frame(20));
  run();
  EXPECT_EQ(records[1].kind, sim::Kind::fis_to_device);
}

TEST_F(LinkTest, OfADataFisOnlyTheHeaderIsTraced) {
  bring_up();
  Frame data = make_data(pool, 0, 512);
  std::memset(payload(data), 0xAB, 512);
  link.device_side().send(std::move(data));
  run();
  EXPECT_EQ(records[0].c, 0x46U);
}

TEST_F(LinkTest, TheHostDoesNotBackOffWhenItCouldNotReceive) {
  bring_up();
  link.host_side().set_receive_ready(false);
  const Time start = queue.now();
  link.host_side().send(frame(20));
  run_until(start + 1);
  link.device_side().send(frame(28));
  run();
  EXPECT_EQ(notes.back(), (Note{start + link.frame_time(20, 3), "host sent"}));
}

TEST_F(LinkTest, AComresetInTheMiddleOfAnArrivalLeavesTheSenderUntold) {
  bring_up();
  comreset_when(host, "got 20");
  link.device_side().send(frame(20));
  run();
  const Time arrival = notes[0].time;
  const Time ready = arrival + link.negotiation_time(3, 0);
  EXPECT_EQ(notes, (Notes{{arrival, "host got 20"},
                          {arrival, "host lost"},
                          {arrival, "device lost"},
                          {arrival + 2 * parameters.reset_signal, "host detected"},
                          {ready, "device reset 3"},
                          {ready, "host ready 3"}}));
}

// ---- flow control

TEST_F(LinkTest, AnEndThatKeepsUpCostsNothing) {
  bring_up();
  link.host_side().set_data_rate(600'000'000);  // the line's own rate, primitives not counted
  const Time start = queue.now();
  link.device_side().send(data(8192));
  run();
  EXPECT_EQ(queue.now(), start + link.frame_time(8196, 3));
}

TEST_F(LinkTest, ASlowReceiverHoldsADataFrame) {
  bring_up();
  link.host_side().set_data_rate(100'000'000);
  const Time start = queue.now();
  link.device_side().send(data(8192));
  // What is not payload, 8192 bytes at 100 MB/s, and 20 dwords of HOLD's latency: 800 bits and ALIGN.
  const Time arrival = start + link.frame_time(4, 3) + 81'920 * sim::kNanosecond + 134'383;
  run_until(arrival - 1);
  EXPECT_TRUE(notes.empty());
  run_until(arrival);
  EXPECT_EQ(notes.size(), 2U);
}

TEST_F(LinkTest, ASlowSenderHoldsWithoutLosingTime) {
  bring_up();
  link.device_side().set_data_rate(100'000'000);
  const Time start = queue.now();
  link.device_side().send(data(8192));
  const Time arrival = start + link.frame_time(4, 3) + 81'920 * sim::kNanosecond;
  run_until(arrival - 1);
  EXPECT_TRUE(notes.empty());
  run_until(arrival);
  EXPECT_EQ(notes.size(), 2U);
}

TEST_F(LinkTest, TheSlowerOfBothEndsDecides) {
  bring_up();
  link.device_side().set_data_rate(80'000'000);
  link.host_side().set_data_rate(80'010'000);  // never holds
  const Time start = queue.now();
  link.device_side().send(data(8192));
  run();
  EXPECT_EQ(queue.now(), start + link.frame_time(4, 3) + 102'400 * sim::kNanosecond);
}

TEST_F(LinkTest, OnlyDataIsHeld) {
  bring_up();
  link.host_side().set_data_rate(1000);
  link.device_side().set_data_rate(1000);
  const Time start = queue.now();
  link.device_side().send(frame(20));
  run();
  EXPECT_EQ(queue.now(), start + link.frame_time(20, 3));
}

TEST_F(LinkTest, ADataRateHoldsInBothDirectionsUntilItIsTakenBack) {
  bring_up();
  link.host_side().set_data_rate(100'000'000);
  Time start = queue.now();
  link.host_side().send(data(8192));
  run();
  EXPECT_EQ(queue.now(), start + link.frame_time(4, 3) + 81'920 * sim::kNanosecond);
  link.host_side().set_data_rate(0);
  start = queue.now();
  link.host_side().send(data(8192));
  run();
  EXPECT_EQ(queue.now(), start + link.frame_time(8196, 3));
}

TEST_F(LinkTest, TheDataRateIsTheDevicesAndGoesWithIt) {
  bring_up();
  link.device_side().set_data_rate(1000);
  link.unplug();
  bring_up();
  const Time start = queue.now();
  link.device_side().send(data(8192));
  run();
  EXPECT_EQ(queue.now(), start + link.frame_time(8196, 3));
}

TEST_F(LinkTest, AStallStretchesItsFrameAndNoOther) {
  bring_up();
  const Time start = queue.now();
  link.device_side().send_stalled(data(512), 5 * sim::kMicrosecond);
  const Time arrival = start + link.frame_time(516, 3) + 5 * sim::kMicrosecond;
  run_until(arrival - 1);
  EXPECT_TRUE(notes.empty());
  run_until(arrival);
  EXPECT_EQ(notes.size(), 2U);
  link.device_side().send(data(512));
  run();
  EXPECT_EQ(queue.now(), arrival + link.frame_time(516, 3));
}

TEST_F(LinkTest, AStalledFrameOfTheHostThatBacksOffKeepsItsStall) {
  bring_up();
  const Time start = queue.now();
  link.host_side().send_stalled(data(512), 5 * sim::kMicrosecond);
  link.device_side().send(frame(20));
  run();
  EXPECT_EQ(queue.now(), start + link.frame_time(20, 3) + link.frame_time(516, 3) + 5 * sim::kMicrosecond);
}

}  // namespace
}  // namespace ncqlab::sata
