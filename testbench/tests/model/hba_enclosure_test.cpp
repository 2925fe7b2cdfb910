// Enclosure management: message buffer, EM_CTL, LED messages, and what goes to an enclosure processor and comes from it
// (AHCI 1.3.1, 3.1.8, 3.1.9 and clause 12).
#include <gtest/gtest.h>

#include "testbench/tests/model/hba_rig.h"

namespace ncqlab::test {
namespace {

using namespace hba;

constexpr std::uint32_t kBuffer = 0x1200;
constexpr std::uint32_t kBufferBytes = 64;
constexpr std::uint32_t kReceived = kBuffer + kBufferBytes;
constexpr std::uint32_t kMr = 0x001;
constexpr std::uint32_t kTm = 0x100;
constexpr std::uint32_t kRst = 0x200;
constexpr sim::Time kByte = 90 * sim::kMicrosecond;

// MTYPE, DSIZE, MSIZE.
constexpr std::uint32_t header(unsigned type, unsigned message, unsigned data = 0) {
  return type << 24 | data << 16 | message << 8;
}

class SinkNotes final : public EnclosureSink {
 public:
  void enclosure_message(EnclosureMessage message_type, const std::uint8_t* message, std::size_t count) override {
    type = message_type;
    bytes.assign(message, message + count);
    ++messages;
  }
  EnclosureMessage type = EnclosureMessage::led;
  Bytes bytes;
  unsigned messages = 0;
};

class HbaEnclosure : public testing::Test {
 protected:
  HbaEnclosure() { make(profile()); }

  static ControllerProfile profile() {
    ControllerProfile profile = HbaRig::default_profile();
    profile.capabilities.enclosure_management = true;
    profile.enclosure = {kBuffer, kBufferBytes, true, true, true, true, false, false};
    return profile;
  }
  void make(const ControllerProfile& wanted) {
    rig = std::make_unique<BareRig>(wanted);
    rig->controller().enclosure().set_sink(&sink);
    rig->run();
  }
  std::uint32_t control() { return rig->read(kEM_CTL); }
  void put(std::initializer_list<std::uint32_t> dwords) {
    std::uint32_t at = kBuffer;
    for (const std::uint32_t dword : dwords) {
      rig->write(at, dword);
      at += 4;
    }
  }
  void send(std::initializer_list<std::uint32_t> dwords) {
    put(dwords);
    rig->write(kEM_CTL, kTm);
    rig->run();
  }
  const Leds& leds(unsigned port) { return rig->controller().enclosure().leds(port); }

  std::unique_ptr<BareRig> rig;
  SinkNotes sink;
};

TEST_F(HbaEnclosure, TheBufferIsWhereItsLocationSays) {
  const std::uint32_t location = rig->read(kEM_LOC);
  EXPECT_EQ((location >> 16) * 4, kBuffer);
  EXPECT_EQ((location & 0xFFFF) * 4, kBufferBytes);
  for (std::uint32_t at = kBuffer; at < kBuffer + kBufferBytes; at += 4) {
    rig->write(at, ~at);
    EXPECT_EQ(rig->read(at), ~at);
  }
  rig->write(kBuffer - 4, 1);
  EXPECT_EQ(rig->read(kBuffer - 4), 0U);
}

TEST_F(HbaEnclosure, BytesOfTheBufferAreWrittenAlone) {
  rig->write(kBuffer, 0x11223344);
  rig->controller().write(kBuffer + 1, 0xAB, 1);
  EXPECT_EQ(rig->read(kBuffer), 0x1122AB44U);
}

TEST_F(HbaEnclosure, TheReceiveBufferFollowsAndIsReadOnly) {
  rig->write(kReceived, 0xFFFFFFFF);
  EXPECT_EQ(rig->read(kReceived), 0U);
}

TEST_F(HbaEnclosure, TheBufferMayLieWhereOtherControllersHaveMorePorts) {
  ControllerProfile early = profile();
  early.enclosure.buffer_offset_bytes = 0x200;
  make(early);
  rig->write(0x200, 0x12345678);
  EXPECT_EQ(rig->read(0x200), 0x12345678U);
}

TEST_F(HbaEnclosure, TransmitIsSetUntilTheLastByteIsOut) {
  put({header(0, 4), 0x00010000});
  rig->write(kEM_CTL, kTm);
  rig->run_for(8 * kByte - 1);
  EXPECT_EQ(control() & kTm, kTm);
  EXPECT_EQ(leds(0).activity, 0U);
  rig->run_for(1);
  EXPECT_EQ(control() & kTm, 0U);
  EXPECT_EQ(leds(0).activity, 1U);
}

TEST_F(HbaEnclosure, AnLedMessageSetsTheLedsOfItsPort) {
  send({header(0, 4), 0x01 | 1U << 16 | 2U << 19 | 5U << 22});
  EXPECT_EQ(leds(1).activity, 1U);
  EXPECT_EQ(leds(1).locate, 2U);
  EXPECT_EQ(leds(1).fault, 5U);
  EXPECT_EQ(leds(0).activity, 0U);
  send({header(0, 4), 0x01});
  EXPECT_EQ(leds(1).activity | leds(1).locate | leds(1).fault, 0U);
}

TEST_F(HbaEnclosure, AnLedMessageIsTraced) {
  send({header(0, 4), 0x01 | 1U << 16 | 2U << 19 | 5U << 22});
  const sim::Record last = rig->records.of(sim::Kind::controller).back();
  EXPECT_EQ(last.a, static_cast<std::uint64_t>(Happening::leds_set));
  EXPECT_EQ(last.b, 1U);
  EXPECT_EQ(last.c, 1U | 2U << 3 | 5U << 6);
}

TEST_F(HbaEnclosure, TheActivityLedIsNotSoftwaresWhereHardwareDrivesIt) {
  ControllerProfile driven = profile();
  driven.enclosure.activity_led_in_hardware = true;
  make(driven);
  send({header(0, 4), 1U << 16 | 1U << 19});
  EXPECT_EQ(leds(0).activity, 0U);
  EXPECT_EQ(leds(0).locate, 1U);
}

TEST_F(HbaEnclosure, VendorFormatsAndMultiplierSlotsSetNoLed) {
  send({header(0, 4), 0x20 | 1U << 16});
  send({header(0, 4), 0x0100 | 1U << 16});
  EXPECT_EQ(leds(0).activity, 0U);
  EXPECT_EQ(sink.messages, 2U);
}

TEST_F(HbaEnclosure, OtherTypesGoToTheProcessorAsBytes) {
  for (const unsigned type : {1U, 2U, 3U}) {
    send({header(type, 6, 2), 0x44332211, 0x88776655});
    EXPECT_EQ(sink.type, static_cast<EnclosureMessage>(type));
    EXPECT_EQ(sink.bytes, (Bytes{0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88}));
  }
  EXPECT_EQ(sink.messages, 3U);
}

TEST_F(HbaEnclosure, WhatIsWrittenDuringTransmissionIsNotSent) {
  put({header(1, 4), 0x11111111});
  rig->write(kEM_CTL, kTm);
  put({header(1, 4), 0x22222222});
  rig->run();
  EXPECT_EQ(sink.bytes, (Bytes{0x11, 0x11, 0x11, 0x11}));
  EXPECT_TRUE(rig->violated(Violation::enclosure_buffer_busy));
}

TEST_F(HbaEnclosure, TransmitWrittenDuringTransmissionDoesNothing) {
  put({header(1, 4), 0});
  rig->write(kEM_CTL, kTm);
  rig->run_for(7 * kByte);
  rig->write(kEM_CTL, kTm);
  rig->run_for(kByte);
  EXPECT_EQ(control() & kTm, 0U);
  rig->run();
  EXPECT_EQ(sink.messages, 1U);
}

TEST_F(HbaEnclosure, MalformedMessagesAreNotDelivered) {
  const std::uint32_t malformed[] = {
      header(0, 0),                    // no message
      header(0, 5),                    // an LED message has 4 bytes
      header(0, 4, 1),                 // and no data
      header(4, 4),                    // no such type
      header(1, kBufferBytes - 3),     // longer than the buffer
      header(1, 4, kBufferBytes - 7),  // with its data
  };
  for (const std::uint32_t bad : malformed) {
    make(profile());
    put({bad, 0});
    rig->write(kEM_CTL, kTm);
    rig->run_for(4 * kByte - 1);
    EXPECT_EQ(control() & kTm, kTm);
    rig->run_for(1);
    EXPECT_EQ(control() & kTm, 0U);
    EXPECT_EQ(sink.messages, 0U) << std::hex << bad;
    EXPECT_TRUE(rig->violated(Violation::enclosure_message_malformed)) << std::hex << bad;
  }
}

TEST_F(HbaEnclosure, TheLongestMessageFillsTheBuffer) {
  send({header(1, 4, kBufferBytes - 8)});
  EXPECT_EQ(sink.bytes.size(), kBufferBytes - 4);
}

TEST_F(HbaEnclosure, TypesThatAreNotSupportedAreMalformed) {
  ControllerProfile none = profile();
  none.enclosure.led = none.enclosure.safte = none.enclosure.ses2 = none.enclosure.sgpio = false;
  make(none);
  EXPECT_EQ(control(), 0U);
  for (const unsigned type : {0U, 1U, 2U, 3U}) send({header(type, 4), 0x00010000});
  EXPECT_EQ(sink.messages, 0U);
  EXPECT_EQ(leds(0).activity, 0U);
}

TEST_F(HbaEnclosure, ResetEndsTransmissionAndPutsTheLedsOut) {
  send({header(0, 4), 1U << 16});
  put({header(1, 4), 0});
  rig->write(kEM_CTL, kTm);
  rig->write(kEM_CTL, kRst);
  EXPECT_EQ(control() & (kRst | kTm), kRst);
  EXPECT_EQ(leds(0).activity, 0U);
  rig->run_for(sim::kMillisecond - 1);
  EXPECT_EQ(control() & kRst, kRst);
  rig->run_for(1);
  EXPECT_EQ(control() & kRst, 0U);
  rig->run();
  EXPECT_EQ(sink.messages, 1U) << "the first one";
}

TEST_F(HbaEnclosure, NothingIsSentDuringReset) {
  rig->write(kEM_CTL, kRst);
  put({header(1, 4), 0});
  rig->write(kEM_CTL, kTm);
  EXPECT_EQ(control() & kTm, 0U);
  rig->run();
  EXPECT_EQ(sink.messages, 0U);
}

TEST_F(HbaEnclosure, AReceivedMessageSetsItsBitUntilSoftwareClearsIt) {
  const std::uint8_t message[] = {0x00, 0x02, 0x00, 0x01, 0xAA, 0xBB};
  EXPECT_TRUE(rig->controller().enclosure().receive(message, sizeof message));
  EXPECT_EQ(control() & kMr, kMr);
  EXPECT_EQ(rig->read(kReceived), 0x01000200U);
  EXPECT_EQ(rig->read(kReceived + 4), 0x0000BBAAU);
  EXPECT_FALSE(rig->controller().enclosure().receive(message, sizeof message)) << "the first has not been read";
  rig->write(kEM_CTL, 0);
  EXPECT_EQ(control() & kMr, kMr);
  rig->write(kEM_CTL, kMr);
  EXPECT_EQ(control() & kMr, 0U);
  EXPECT_TRUE(rig->controller().enclosure().receive(message, sizeof message));
}

TEST_F(HbaEnclosure, WhatIsTooLongIsNotReceived) {
  const Bytes message(kBufferBytes + 1);
  EXPECT_FALSE(rig->controller().enclosure().receive(message.data(), message.size()));
  EXPECT_TRUE(rig->controller().enclosure().receive(message.data(), message.size() - 1));
}

TEST_F(HbaEnclosure, ATransmitOnlyControllerHasNoReceiveBuffer) {
  ControllerProfile transmit_only = profile();
  transmit_only.enclosure.transmit_only = true;
  make(transmit_only);
  EXPECT_EQ(control(), 0x020F0000U);
  const std::uint8_t message[4] = {};
  EXPECT_FALSE(rig->controller().enclosure().receive(message, sizeof message));
  EXPECT_EQ(control() & kMr, 0U);
}

TEST_F(HbaEnclosure, HbaResetEndsTransmission) {
  put({header(1, 4), 0});
  rig->write(kEM_CTL, kTm);
  rig->write(kGHC, kGHC_AE | kGHC_HR);
  rig->run();
  EXPECT_EQ(control(), 0x000F0000U);
  EXPECT_EQ(sink.messages, 0U);
}

TEST(HbaEnclosureAbsent, WithoutTheCapabilityThereIsNoBuffer) {
  BareRig rig;
  rig.write(0x500, 1);
  EXPECT_EQ(rig.read(0x500), 0U);
  const std::uint8_t message[4] = {};
  EXPECT_FALSE(rig.controller().enclosure().receive(message, sizeof message));
}

}  // namespace
}  // namespace ncqlab::test
