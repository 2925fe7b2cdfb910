// The link: when frames arrive, who goes first, and how the PHY comes and goes.
#include "model/sata/link.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "model/sata/fis.h"

namespace ncqlab::sata {
namespace {

using sim::Time;

struct Note {
  Time time;
  std::string what;
  bool operator==(const Note& other) const { return time == other.time && what == other.what; }
};

std::ostream& operator<<(std::ostream& out, const Note& note) { return out << note.what << " at " << note.time; }

class Host final : public HostEnd {
 public:
  Host(sim::EventQueue& queue, std::vector<Note>& notes) : queue_(queue), notes_(notes) {}
  void phy_ready(Generation generation) override { note("host ready " + std::to_string(generation)); }
  void phy_lost() override { note("host lost"); }
  void frame_received(const Frame& frame) override { note("host got " + std::to_string(frame.size())); }
  void frame_sent() override { note("host sent"); }

 private:
  void note(const std::string& what) { notes_.push_back({queue_.now(), what}); }
  sim::EventQueue& queue_;
  std::vector<Note>& notes_;
};

class Disk final : public Device {
 public:
  Disk(sim::EventQueue& queue, std::vector<Note>& notes) : queue_(queue), notes_(notes) {}
  Generation highest_generation() const override { return highest; }
  void hardware_reset(Generation generation) override { note("device reset " + std::to_string(generation)); }
  void phy_lost() override { note("device lost"); }
  void frame_received(const Frame& frame) override { note("device got " + std::to_string(frame.size())); }
  void frame_sent() override { note("device sent"); }
  Generation highest = 3;

 private:
  void note(const std::string& what) { notes_.push_back({queue_.now(), what}); }
  sim::EventQueue& queue_;
  std::vector<Note>& notes_;
};

class LinkTest : public testing::Test, public sim::Observer {
 protected:
  void SetUp() override {
    trace.add_observer(this);
    link.attach(&host);
  }

  void bring_up(Generation device_highest = 3, Generation limit = 0) {
    device.highest = device_highest;
    link.plug(&device);
    link.host_side().begin_comreset();
    link.host_side().end_comreset(limit);
    run();
    notes.clear();
    records.clear();
  }
  void run() {
    while (queue.run_one()) {
    }
  }
  void run_until(Time when) {
    while (queue.next_time() <= when) queue.run_one();
    queue.advance_to(when);
  }
  Frame frame(std::uint32_t bytes) {
    Frame made = pool.make(bytes);
    for (std::uint32_t i = 0; i < bytes; ++i) made.data()[i] = static_cast<std::uint8_t>(i + 1);
    return made;
  }
  void on_record(const sim::Record& record) override { records.push_back(record); }

  sim::EventQueue queue;
  sim::Trace trace;
  FramePool pool;
  LinkParameters parameters;
  std::vector<Note> notes;
  std::vector<sim::Record> records;
  Host host{queue, notes};
  Disk device{queue, notes};
  Link link{queue, trace, 4, parameters};
};

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

TEST_F(LinkTest, ThePhyIsReadyAfterOutOfBandSignallingAndNegotiation) {
  link.plug(&device);
  link.host_side().begin_comreset();
  run_until(sim::kMillisecond);
  EXPECT_TRUE(notes.empty());
  link.host_side().end_comreset(0);
  const Time ready = sim::kMillisecond + parameters.out_of_band + parameters.negotiation_per_rate;
  run_until(ready - 1);
  EXPECT_TRUE(notes.empty());
  EXPECT_FALSE(link.device_side().phy_ready());
  run_until(ready);
  EXPECT_EQ(notes, (std::vector<Note>{{ready, "device reset 3"}, {ready, "host ready 3"}}));
  EXPECT_TRUE(link.device_side().phy_ready());
}

TEST_F(LinkTest, TheSlowestOfHostDeviceAndLimitDecides) {
  link.plug(&device);
  device.highest = 3;
  link.host_side().end_comreset(1);
  run();
  EXPECT_EQ(link.generation(), 1);
  // The device began at 6 Gb/s and tried three rates.
  EXPECT_EQ(queue.now(), parameters.out_of_band + 3 * parameters.negotiation_per_rate);
  link.host_side().begin_comreset();
  device.highest = 2;
  link.host_side().end_comreset(0);
  run();
  EXPECT_EQ(link.generation(), 2);
}

TEST_F(LinkTest, WithoutADeviceComresetEndsInNothing) {
  EXPECT_FALSE(link.host_side().device_present());
  link.host_side().begin_comreset();
  link.host_side().end_comreset(0);
  run();
  EXPECT_TRUE(notes.empty());
  EXPECT_EQ(link.generation(), 0);
}

TEST_F(LinkTest, ADeviceThatIsPluggedIntoAListeningPortComesUp) {
  link.host_side().begin_comreset();
  link.host_side().end_comreset(0);
  run_until(sim::kSecond);
  link.plug(&device);
  EXPECT_TRUE(link.host_side().device_present());
  run();
  EXPECT_EQ(link.generation(), 3);
}

TEST_F(LinkTest, ADeviceThatIsPluggedIntoADisabledPortStaysSilent) {
  link.host_side().begin_comreset();
  link.plug(&device);
  run();
  EXPECT_TRUE(notes.empty());
}

TEST_F(LinkTest, UnpluggingTellsBothEndsAndLosesTheFrameUnderWay) {
  bring_up();
  link.device_side().send(frame(20));
  link.unplug();
  EXPECT_EQ(notes, (std::vector<Note>{{queue.now(), "host lost"}, {queue.now(), "device lost"}}));
  run();
  EXPECT_EQ(notes.size(), 2U);
  EXPECT_EQ(link.generation(), 0);
}

TEST_F(LinkTest, UnpluggingDuringNegotiationStopsIt) {
  link.plug(&device);
  link.host_side().end_comreset(0);
  link.unplug();
  run();
  EXPECT_TRUE(notes.empty());
}

TEST_F(LinkTest, ComresetLosesFramesOfBothEnds) {
  bring_up();
  link.device_side().send(frame(20));
  link.host_side().send(frame(20));
  link.host_side().begin_comreset();
  link.host_side().end_comreset(0);
  notes.clear();
  run();
  ASSERT_EQ(notes.size(), 2U);
  EXPECT_EQ(notes[0].what, "device reset 3");
  EXPECT_EQ(notes[1].what, "host ready 3");
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

TEST_F(LinkTest, ThePhysStateIsTracedInTheLayoutOfSStatus) {
  link.plug(&device);
  link.host_side().end_comreset(2);
  run();
  link.unplug();
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].kind, sim::Kind::phy);
  EXPECT_EQ(records[0].a, 0x123U);
  EXPECT_EQ(records[1].a, 0U);
}

}  // namespace
}  // namespace ncqlab::sata
