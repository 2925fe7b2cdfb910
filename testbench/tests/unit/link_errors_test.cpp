// Frames that come to nothing: damage, R_ERR, SYNC escape, and what is sent again.
#include <functional>

#include "testbench/tests/unit/link_rig.h"

namespace ncqlab::sata {
namespace {

class LinkErrors : public LinkTest, public LinkFaults {
 protected:
  void SetUp() override {
    LinkTest::SetUp();
    bring_up();
    start = queue.now();
    link.inject(this);
  }
  Damage on_frame(Direction direction, Frame& frame) override {
    seen.push_back(direction);
    if (spared > 0) {
      --spared;
      return Damage::none;
    }
    if (failures == 0) return Damage::none;
    --failures;
    return strike(frame);
  }
  // The next `count` frames meet `damage`.
  void damage_next(Damage damage, unsigned count = 1) {
    failures = count;
    strike = [damage](Frame&) { return damage; };
  }
  Time arrival(unsigned frames) const { return start + frames * link.frame_time(20, 3); }
  // Of link_error records: direction and damage.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> errors() const {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> all;
    for (const sim::Record& record : records) {
      if (record.kind == sim::Kind::link_error) all.emplace_back(record.b, record.c);
    }
    return all;
  }
  std::size_t arrivals() const {
    std::size_t count = 0;
    for (const sim::Record& record : records) {
      if (record.kind == sim::Kind::fis_to_device || record.kind == sim::Kind::fis_to_host) ++count;
    }
    return count;
  }
  Frame bist() {
    Frame made = frame(12);
    made.data()[0] = 0x58;
    return made;
  }

  using Errors = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
  Time start = 0;
  unsigned spared = 0;
  unsigned failures = 0;
  std::function<Damage(Frame&)> strike;
  std::vector<Direction> seen;
};

TEST_F(LinkErrors, AFrameThatNothingBefallsArrivesAsEver) {
  link.device_side().send(frame(20));
  run();
  EXPECT_EQ(notes, (Notes{{arrival(1), "host got 20"}, {arrival(1), "device sent"}}));
  EXPECT_EQ(seen, (std::vector<Direction>{Direction::to_host}));
}

TEST_F(LinkErrors, EachDamageOfTheLineIsToldToTheReceiverAndAnsweredWithRErr) {
  host.retries = false;
  for (const Damage damage : {Damage::crc, Damage::decode, Damage::disparity, Damage::refused}) {
    SCOPED_TRACE(static_cast<int>(damage));
    notes.clear();
    records.clear();
    damage_next(damage);
    link.host_side().send(frame(20));
    run();
    const std::string number = std::to_string(static_cast<int>(damage));
    EXPECT_EQ(notes, (Notes{{queue.now(), "device damaged 20 by " + number}, {queue.now(), "host refused 20, 1"}}));
    EXPECT_EQ(errors(), (Errors{{0, static_cast<std::uint64_t>(damage)}}));
    EXPECT_EQ(arrivals(), 0U);
  }
}

TEST_F(LinkErrors, AFrameIsSentAgainAsLongAsItsSenderWants) {
  damage_next(Damage::crc, 3);
  link.device_side().send(frame(20));
  run();
  EXPECT_EQ(notes, (Notes{{arrival(1), "host damaged 20 by 1"},
                          {arrival(1), "device refused 20, 1"},
                          {arrival(2), "host damaged 20 by 1"},
                          {arrival(2), "device refused 20, 2"},
                          {arrival(3), "host damaged 20 by 1"},
                          {arrival(3), "device refused 20, 3"},
                          {arrival(4), "host got 20"},
                          {arrival(4), "device sent"}}));
  EXPECT_EQ(errors(), (Errors{{1, 1}, {1, 1}, {1, 1}}));
  EXPECT_EQ(arrivals(), 1U);
}

TEST_F(LinkErrors, TheAttemptsOfTheNextFrameAreCountedAnew) {
  damage_next(Damage::crc, 2);
  link.device_side().send(frame(20));
  run();
  damage_next(Damage::crc);
  link.device_side().send(frame(28));
  notes.clear();
  run();
  EXPECT_EQ(notes[1].what, "device refused 28, 1");
}

TEST_F(LinkErrors, TheAttemptsOfAFrameAreForgottenWhenItIsLetGoOrTakenBackOrLost) {
  host.retries = false;
  damage_next(Damage::crc, 2);
  link.host_side().send(frame(20));
  run();
  link.host_side().send(frame(20));
  run();
  EXPECT_EQ(notes.back().what, "host refused 20, 1");

  host.retries = true;
  damage_next(Damage::crc, 2);
  link.host_side().send(frame(20));
  link.device_side().send(frame(28));  // wins, and is damaged first
  spared = 1;
  run_until(queue.now() + link.frame_time(28, 3) + link.frame_time(20, 3) - 1);
  link.device_side().send(frame(28));
  run_until(queue.now() + 1);  // the host's frame waits to be sent again behind the device's
  ASSERT_EQ(notes.back().what, "host refused 20, 1");
  EXPECT_TRUE(link.host_side().withdraw());
  run();
  damage_next(Damage::crc);
  link.host_side().send(frame(20));
  run();
  EXPECT_EQ(notes[notes.size() - 3].what, "host refused 20, 1");

  damage_next(Damage::crc, 2);
  link.host_side().send(frame(20));
  run_until(queue.now() + link.frame_time(20, 3));
  ASSERT_EQ(notes.back().what, "host refused 20, 1");
  link.host_side().begin_comreset();
  link.host_side().end_comreset(0);
  run();
  link.host_side().send(frame(20));
  run();
  EXPECT_EQ(notes[notes.size() - 3].what, "host refused 20, 1");
}

TEST_F(LinkErrors, DataAndBistActivateAreNotSentAgainByTheStandardsRule) {
  damage_next(Damage::crc, 2);
  link.device_side().send(data(512));
  run();
  EXPECT_EQ(notes.back().what, "device refused 516, 1");
  link.device_side().send(bist());
  run();
  EXPECT_EQ(notes.back().what, "device refused 12, 1");
  EXPECT_EQ(seen.size(), 2U);
}

TEST_F(LinkErrors, TheSenderMaySendAnotherFrameWhenItLetsOneGo) {
  damage_next(Damage::crc);
  link.device_side().send(data(512));
  run();
  link.device_side().send(frame(28));
  run();
  EXPECT_EQ(notes.back().what, "device sent");
}

TEST_F(LinkErrors, WhenTheHandshakeIsLostTheReceiverGetsTheFrameTwice) {
  damage_next(Damage::handshake);
  link.device_side().send(frame(20));
  run();
  EXPECT_EQ(notes, (Notes{{arrival(1), "host got 20"},
                          {arrival(1), "device refused 20, 1"},
                          {arrival(2), "host got 20"},
                          {arrival(2), "device sent"}}));
  EXPECT_EQ(errors(), (Errors{{1, static_cast<std::uint64_t>(Damage::handshake)}}));
  EXPECT_EQ(arrivals(), 2U);
}

TEST_F(LinkErrors, AReceiverMayRefuseAFrameThatArrivedWell) {
  host.refuses = true;
  device.retries = false;
  link.device_side().send(frame(20));
  run();
  EXPECT_EQ(notes, (Notes{{arrival(1), "host got 20"}, {arrival(1), "device refused 20, 1"}}));
  EXPECT_EQ(errors(), (Errors{{1, static_cast<std::uint64_t>(Damage::refused)}}));

  host.refuses = false;
  link.device_side().send(frame(20));
  run();
  EXPECT_EQ(notes.back().what, "device sent");
}

TEST_F(LinkErrors, RefusalNeedsNoFaults) {
  link.inject(nullptr);
  device.refuses = true;
  host.retries = false;
  link.host_side().send(frame(20));
  run();
  EXPECT_EQ(notes.back().what, "host refused 20, 1");
  EXPECT_TRUE(seen.empty());
}

TEST_F(LinkErrors, ABitThatTheLineFlipsIsFoundByTheCrc) {
  device.retries = false;
  failures = 1;
  strike = [](Frame& frame) {
    frame.data()[517] ^= 0x10;
    return Damage::none;
  };
  link.device_side().send(data(8192));
  run();
  EXPECT_EQ(notes[0].what, "host damaged 8196 by 1");
}

TEST_F(LinkErrors, AFlippedBitIsNotInTheFrameThatIsSentAgain) {
  failures = 1;
  strike = [](Frame& frame) {
    frame.data()[2] ^= 0x01;
    return Damage::none;
  };
  link.device_side().send(frame(20));
  run();
  EXPECT_EQ(notes.back().what, "device sent");
  EXPECT_EQ(host.last_received[2], 3);
}

// The polynomial itself as an error pattern: what the CRC cannot see.
TEST_F(LinkErrors, WhatTheCrcDoesNotFindIsTakenForGood) {
  failures = 1;
  strike = [](Frame& frame) {
    // x^32 + 04C11DB7h over two dwords, most significant bit first: bit 0 of one dword, and all of the next.
    frame.data()[4] ^= 0x01;
    frame.data()[8] ^= 0xB7;
    frame.data()[9] ^= 0x1D;
    frame.data()[10] ^= 0xC1;
    frame.data()[11] ^= 0x04;
    return Damage::none;
  };
  link.device_side().send(frame(20));
  run();
  EXPECT_EQ(notes, (Notes{{arrival(1), "host got 20"}, {arrival(1), "device sent"}}));
  EXPECT_EQ(host.last_received[8], 9 ^ 0xB7);
}

TEST_F(LinkErrors, AFrameSentAgainWaitsBehindTheOtherEndsAsAnyOther) {
  damage_next(Damage::crc);
  link.host_side().send(frame(20));
  run_until(start + link.frame_time(20, 3) - 1);
  link.device_side().send(frame(28));
  run();
  ASSERT_EQ(notes.size(), 6U);
  EXPECT_EQ(notes[2].what, "host got 28");
  EXPECT_EQ(notes[4].what, "device got 20");
}

TEST_F(LinkErrors, ADamagedFrameThatIsUnpluggedMeanwhileIsForgotten) {
  damage_next(Damage::crc, 1000);
  link.host_side().send(frame(20));
  run_until(arrival(3));
  link.unplug();
  notes.clear();
  run();
  EXPECT_TRUE(notes.empty());
}

TEST_F(LinkErrors, AComresetInsideEitherCallForgetsTheFrame) {
  damage_next(Damage::crc);
  comreset_when(host, "damaged 20 by 1");
  link.device_side().send(frame(20));
  run();
  EXPECT_EQ(notes.size(), 6U);  // damaged; lost twice; detected, reset, ready
  EXPECT_EQ(notes.back().what, "host ready 3");

  notes.clear();
  damage_next(Damage::crc);
  comreset_when(device, "refused 20, 1");
  link.device_side().send(frame(20));
  run();
  link.host_side().set_receive_ready(true);  // what would wait goes
  run();
  EXPECT_EQ(notes.size(), 7U);
  EXPECT_EQ(notes.back().what, "host ready 3");
}

TEST_F(LinkErrors, ARefusalThatTheLineTurnsIntoALostHandshakeCountsOnce) {
  damage_next(Damage::handshake);
  device.refuses = true;
  link.host_side().send(frame(20));
  run_until(arrival(1));
  device.refuses = false;
  run();
  EXPECT_EQ(notes, (Notes{{arrival(1), "device got 20"},
                          {arrival(1), "host refused 20, 1"},
                          {arrival(2), "device got 20"},
                          {arrival(2), "host sent"}}));
}

// ---- SYNC escape

TEST_F(LinkErrors, AReceiverThatEscapesEndsTheFrameAndItsSenderIsTold) {
  link.device_side().send(data(8192));
  run_until(start + sim::kMicrosecond);
  EXPECT_TRUE(link.host_side().sync_escape());
  const Time escaped = start + sim::kMicrosecond;
  EXPECT_EQ(notes, (Notes{{escaped, "device escaped 8196, 1"}}));
  EXPECT_EQ(errors(), (Errors{{1, static_cast<std::uint64_t>(Damage::aborted)}}));
  run();
  EXPECT_EQ(notes.size(), 1U);
  EXPECT_EQ(arrivals(), 0U);
}

TEST_F(LinkErrors, AnEscapedFrameThatIsNoDataIsSentAgain) {
  link.device_side().send(frame(20));
  run_until(start + sim::kNanosecond);
  EXPECT_TRUE(link.host_side().sync_escape());
  run();
  EXPECT_EQ(notes, (Notes{{start + sim::kNanosecond, "device escaped 20, 1"},
                          {arrival(1) + sim::kNanosecond, "host got 20"},
                          {arrival(1) + sim::kNanosecond, "device sent"}}));
}

TEST_F(LinkErrors, ASenderThatEscapesLosesItsFrameAndTheReceiverIsTold) {
  link.host_side().send(data(8192));
  run_until(start + sim::kMicrosecond);
  EXPECT_TRUE(link.host_side().sync_escape());
  EXPECT_EQ(notes, (Notes{{queue.now(), "device damaged 8196 by 6"}}));
  link.host_side().send(frame(20));
  run();
  EXPECT_EQ(notes.back(), (Note{start + sim::kMicrosecond + link.frame_time(20, 3), "host sent"}));
}

TEST_F(LinkErrors, TheAttemptsOfAFrameThatItsSenderEscapesAreForgotten) {
  damage_next(Damage::crc);
  link.host_side().send(frame(20));
  run_until(arrival(1) + 1);
  EXPECT_TRUE(link.host_side().sync_escape());
  damage_next(Damage::crc);
  link.host_side().send(frame(28));
  run_until(queue.now() + link.frame_time(28, 3));
  EXPECT_EQ(notes.back().what, "host refused 28, 1");
}

TEST_F(LinkErrors, TheDeviceMayEscapeToo) {
  link.host_side().send(data(8192));
  run_until(start + sim::kMicrosecond);
  EXPECT_TRUE(link.device_side().sync_escape());
  EXPECT_EQ(notes, (Notes{{queue.now(), "host escaped 8196, 1"}}));
}

TEST_F(LinkErrors, AfterAnEscapeWhatWaitedGoes) {
  link.device_side().send(data(8192));
  run_until(start + sim::kMicrosecond);
  link.host_side().send(frame(20));
  EXPECT_TRUE(link.host_side().sync_escape());
  run();
  EXPECT_EQ(notes.back(), (Note{start + sim::kMicrosecond + link.frame_time(20, 3), "host sent"}));
}

TEST_F(LinkErrors, OnAnIdleLinkThereIsNothingToEscapeFrom) {
  EXPECT_FALSE(link.host_side().sync_escape());
  EXPECT_FALSE(link.device_side().sync_escape());
  EXPECT_TRUE(notes.empty());
  EXPECT_TRUE(records.empty());
}

TEST_F(LinkErrors, AReceiverMayEscapeInsteadOfAnswering) {
  damage_next(Damage::aborted);
  link.host_side().send(data(512));
  run();
  EXPECT_EQ(notes[0].what, "device damaged 516 by 6");
  EXPECT_EQ(notes[1].what, "host escaped 516, 1");
}

}  // namespace
}  // namespace ncqlab::sata
