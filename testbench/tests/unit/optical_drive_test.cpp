// The optical drive on its link: signature, PACKET frame by frame, byte count limits.
#include "model/drive/optical/optical_drive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testbench/tests/unit/drive_ata_host.h"
#include "testbench/tests/unit/drive_frame_line.h"
#include "testbench/tests/unit/drive_quiet_link.h"

namespace ncqlab::drive {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Bytes = std::vector<std::uint8_t>;
using Packet = LogicalUnit::Packet;

constexpr Packet kTestUnitReady{};
const char* const kSignature = "D2H 00 01";
const char* const kPacketWanted = "PIO out 58, then D0, 12 bytes";
const char* const kDone = "D2H 50 00 I";
const char* const kAborted = "D2H 51 04 I";

class OpticalDriveTest : public AtaHostQueue, public testing::Test, private QuietLink {
 protected:
  static OpticalProfile profile_of_test() {
    OpticalProfile profile;
    profile.identity = {"MAKER   DVD-ROM", "S1", "1.23"};
    profile.ready_after_reset = 1 * kMs;
    profile.command = 100 * kUs;
    profile.access = 50 * kMs;
    profile.bytes_per_second = 2'048'000;  // a block in a millisecond
    profile.attention_after_reset = false;
    profile.asynchronous_notification = true;
    return profile;
  }
  void SetUp() override { drive.connect(this); }
  void run() {
    while (event_queue.run_one()) {
    }
  }
  void start() {
    drive.phy_lost();
    drive.hardware_reset(1);
    run();
    lines.clear();
  }
  void command(std::uint8_t opcode, std::uint16_t features = 0, std::uint64_t lba = 0, std::uint16_t count = 0) {
    sata::RegisterH2D fis;
    fis.command_bit = true;
    fis.command = opcode;
    fis.features = features;
    fis.lba = lba;
    fis.count = count;
    drive.frame_received(sata::encode(frames, fis));
    run();
  }
  void control(std::uint8_t value) {
    sata::RegisterH2D fis;
    fis.control = value;
    drive.frame_received(sata::encode(frames, fis));
    run();
  }
  void packet(const Packet& bytes, std::uint16_t features = 0, std::uint16_t limit = 0xFFFE) {
    command(0xA0, features, std::uint64_t{limit} << 8);
    sata::Frame frame = sata::make_data(frames, 0, 12);
    std::copy(bytes.begin(), bytes.end(), sata::payload(frame));
    drive.frame_received(frame);
    run();
  }
  std::uint16_t identify_word(std::size_t word) {
    lines.clear();
    data.clear();
    command(0xA1);
    return static_cast<std::uint16_t>(data.at(2 * word) | data.at(2 * word + 1) << 8);
  }

  sata::FramePool frames;
  StripedFactory contents;
  OpticalProfile profile = profile_of_test();
  OpticalDrive drive{profile, OpticalParts{event_queue, frames, Medium{&contents, 1000}}};
  std::vector<std::string> lines;
  Bytes data;
  sata::RegisterD2H status;          // the last Register FIS
  std::vector<sata::PioSetup> pios;  // all of them
  bool refuse_data = false;

 private:
  sata::Frame refused_;

  // The link: a frame arrives at once.
  void send(sata::Frame frame) override {
    lines.push_back(describe_frame(frame));
    sata::decode(frame, status);
    sata::PioSetup pio;
    if (sata::decode(frame, pio)) pios.push_back(pio);
    if (frame.type() == 0x46) {
      data.insert(data.end(), sata::payload(frame), sata::payload(frame) + sata::payload_bytes(frame));
    }
    if (refuse_data && frame.type() == 0x46) {
      refused_ = std::move(frame);
      event_queue.post(
          event_queue.now(), event_queue.add_owner(),
          [](void* t, std::uint64_t) {
            auto* test = static_cast<OpticalDriveTest*>(t);
            EXPECT_FALSE(test->drive.frame_refused(test->refused_, sata::Refusal::r_err, 1));
          },
          this, 0);
      return;
    }
    const auto owner = event_queue.add_owner();
    event_queue.post(
        event_queue.now(), owner, [](void* d, std::uint64_t) { static_cast<OpticalDrive*>(d)->frame_sent(); }, &drive,
        0);
  }
};

// ---- life

TEST_F(OpticalDriveTest, TheSignatureIsThatOfAnAtapiDevice) {
  drive.hardware_reset(1);
  run();
  EXPECT_THAT(lines, ElementsAre(kSignature));
  EXPECT_EQ(event_queue.now(), 1 * kMs);
  EXPECT_EQ(status.lba, 0xEB1401U);
  EXPECT_EQ(status.count, 1U);
}

TEST_F(OpticalDriveTest, SoftwareResetGivesTheSignatureAgain) {
  start();
  control(0x04);
  EXPECT_THAT(lines, IsEmpty());
  control(0x00);
  EXPECT_THAT(lines, ElementsAre(kSignature));
}

TEST_F(OpticalDriveTest, DeviceResetGivesTheSignatureWithoutAnInterruptEvenDuringACommand) {
  start();
  command(0xA0);
  lines.clear();
  command(0x08);
  EXPECT_THAT(lines, ElementsAre(kSignature));
  lines.clear();
  packet(kTestUnitReady);
  EXPECT_THAT(lines, ElementsAre(kPacketWanted, kDone));
}

TEST_F(OpticalDriveTest, IdentifyDeviceAndReadSectorsAreAbortedWithTheSignature) {
  for (const std::uint8_t opcode : {0xEC, 0x20}) {
    start();
    command(opcode);
    EXPECT_THAT(lines, ElementsAre(kAborted));
    EXPECT_EQ(status.lba, 0xEB1401U);
    EXPECT_EQ(status.count, 1U);
  }
}

TEST_F(OpticalDriveTest, TheDiagnosticGivesTheSignatureWithAnInterrupt) {
  start();
  command(0x90);
  EXPECT_THAT(lines, ElementsAre("D2H 00 01 I"));
  EXPECT_EQ(status.lba, 0xEB1401U);
}

TEST_F(OpticalDriveTest, CommandsThatAMediumWouldNeedAreAborted) {
  start();
  for (const std::uint8_t opcode : {0x00, 0x25, 0x60, 0xC8, 0x99}) command(opcode);
  EXPECT_THAT(lines, ElementsAre(kAborted, kAborted, kAborted, kAborted, kAborted));
}

TEST_F(OpticalDriveTest, PowerCommandsSucceedAndSleepNeedsAReset) {
  start();
  for (const std::uint8_t opcode : {0xE0, 0xE1, 0xE5, 0xE7, 0xE6}) command(opcode);
  EXPECT_THAT(lines, ElementsAre(kDone, kDone, kDone, kDone, kDone));
  lines.clear();
  command(0xE5);
  EXPECT_THAT(lines, IsEmpty());
  command(0x08);
  EXPECT_THAT(lines, ElementsAre(kSignature));
}

// ---- identify

TEST_F(OpticalDriveTest, IdentifyPacketIsOnePioBlock) {
  start();
  command(0xA1);
  EXPECT_THAT(lines, ElementsAre("PIO in 58, then 50, 512 bytes I", "Data 512"));
  unsigned sum = 0;
  for (const std::uint8_t byte : data) sum += byte;
  EXPECT_EQ(sum % 256, 0U);
}

TEST_F(OpticalDriveTest, IdentifyPacketMayEndWithARegisterFis) {
  profile.register_fis_after_identify = true;
  start();
  command(0xA1);
  EXPECT_THAT(lines, ElementsAre("PIO in 58, then D0, 512 bytes I", "Data 512", "D2H 50 00 I"));
}

TEST_F(OpticalDriveTest, IdentifyPacketNamesARemovableCdDriveWithPacketsOf12Bytes) {
  start();
  EXPECT_EQ(identify_word(0), 0x85C0);
  EXPECT_EQ(identify_word(27), 'M' << 8 | 'A');
  EXPECT_EQ(identify_word(49), 0x0B00);
  EXPECT_EQ(identify_word(62), 0);
  EXPECT_EQ(identify_word(76), 0x0202);
  EXPECT_EQ(identify_word(82), 0x4218);
}

// ---- PACKET

TEST_F(OpticalDriveTest, ThePacketIsAskedForByPioWithoutAnInterrupt) {
  start();
  command(0xA0);
  ASSERT_THAT(lines, ElementsAre(kPacketWanted));
  EXPECT_EQ(pios[0].count, 1U);  // C/D
}

TEST_F(OpticalDriveTest, APacketWithoutDataEndsWithStatus) {
  start();
  const sim::Time before = event_queue.now();
  packet(kTestUnitReady);
  EXPECT_THAT(lines, ElementsAre(kPacketWanted, kDone));
  EXPECT_EQ(status.count, 3U);  // I/O and C/D
  EXPECT_EQ(event_queue.now() - before, 100 * kUs);
}

TEST_F(OpticalDriveTest, AFailedPacketHasItsSenseKeyInTheErrorRegister) {
  start();
  drive.open_tray();
  packet(kTestUnitReady);
  EXPECT_EQ(lines.back(), "D2H 51 20 I");
  packet({0xFE});
  EXPECT_EQ(lines.back(), "D2H 51 54 I");
}

TEST_F(OpticalDriveTest, DataByDmaAreDataFisAndStatus) {
  start();
  packet({0x28, 0, 0, 0, 0, 7, 0, 0, 5}, 0x01);
  EXPECT_THAT(lines, ElementsAre(kPacketWanted, "Data 8192", "Data 2048", kDone));
  EXPECT_EQ(data, AtaHost::factory(28, 20));
}

// INQUIRY's 36 bytes are cut by the packet's own allocation length.
TEST_F(OpticalDriveTest, TheLastDwordOfDataIsFilledWithZeros) {
  for (const bool dma : {false, true}) {
    start();
    lines.clear();
    data.clear();
    packet({0x12, 0, 0, 0, 5}, dma ? 0x01 : 0x00);
    EXPECT_EQ(lines.at(dma ? 1 : 2), "Data 8");
    ASSERT_EQ(data.size(), 8U);
    EXPECT_EQ((std::vector<std::uint8_t>(data.begin() + 4, data.end())), (std::vector<std::uint8_t>{31, 0, 0, 0}));
  }
}

TEST_F(OpticalDriveTest, DataByPioAreBlocksOfAtMost8KiB) {
  start();
  packet({0x28, 0, 0, 0, 0, 7, 0, 0, 5});
  EXPECT_THAT(lines, ElementsAre(kPacketWanted, "PIO in 58, then D0, 8192 bytes I", "Data 8192",
                                 "PIO in 58, then D0, 2048 bytes I", "Data 2048", kDone));
  EXPECT_EQ(data, AtaHost::factory(28, 20));
  EXPECT_EQ(pios[1].count, 2U);  // I/O
  EXPECT_EQ(pios[1].lba >> 8, 8192U);
  EXPECT_EQ(pios[2].lba >> 8, 2048U);
}

TEST_F(OpticalDriveTest, TheByteCountLimitCutsBlocksAnywhere) {
  start();
  packet({0x28, 0, 0, 0, 0, 7, 0, 0, 2}, 0, 1500);
  EXPECT_THAT(lines, ElementsAre(kPacketWanted, "PIO in 58, then D0, 1500 bytes I", "Data 1500",
                                 "PIO in 58, then D0, 1500 bytes I", "Data 1500", "PIO in 58, then D0, 1096 bytes I",
                                 "Data 1096", kDone));
  EXPECT_EQ(data, AtaHost::factory(28, 8));
}

TEST_F(OpticalDriveTest, AnOddLimitIsOneLess) {
  start();
  packet({0x28, 0, 0, 0, 0, 7, 0, 0, 1}, 0, 1501);
  EXPECT_EQ(lines.at(1), "PIO in 58, then D0, 1500 bytes I");
  EXPECT_EQ(data, AtaHost::factory(28, 4));
}

TEST_F(OpticalDriveTest, ALimitOfNothingIsAbortedByPioAndNotLookedAtByDma) {
  start();
  packet({0x28, 0, 0, 0, 0, 7, 0, 0, 1}, 0, 0);
  EXPECT_THAT(lines, ElementsAre(kPacketWanted, kAborted));
  lines.clear();
  packet({0x28, 0, 0, 0, 0, 7, 0, 0, 1}, 1, 0);
  EXPECT_THAT(lines, ElementsAre(kPacketWanted, "Data 2048", kDone));
}

TEST_F(OpticalDriveTest, WhereDmaDirectionIsRequiredItMustBeGiven) {
  profile.dma_direction_required = true;
  start();
  EXPECT_EQ(identify_word(62), 0x8000);
  lines.clear();
  packet({0x28, 0, 0, 0, 0, 7, 0, 0, 1}, 0x01);
  EXPECT_THAT(lines, ElementsAre(kAborted));
  lines.clear();
  packet({0x28, 0, 0, 0, 0, 7, 0, 0, 1}, 0x05);
  EXPECT_THAT(lines, ElementsAre(kPacketWanted, "Data 2048", kDone));
}

TEST_F(OpticalDriveTest, AReadElsewhereTakesAnAccessAndOneThatGoesOnDoesNot) {
  start();
  sim::Time before = event_queue.now();
  packet({0x28, 0, 0, 0, 0, 7, 0, 0, 2}, 1);
  EXPECT_EQ(event_queue.now() - before, 100 * kUs + 50 * kMs + 2 * kMs);
  before = event_queue.now();
  packet({0x28, 0, 0, 0, 0, 9, 0, 0, 1}, 1);
  EXPECT_EQ(event_queue.now() - before, 100 * kUs + 1 * kMs);
}

TEST_F(OpticalDriveTest, DataWithoutAPacketAreIgnored) {
  start();
  drive.frame_received(sata::make_data(frames, 0, 12));
  run();
  EXPECT_THAT(lines, IsEmpty());
}

TEST_F(OpticalDriveTest, AResetEndsAPacketUnderWay) {
  start();
  command(0xA0);
  drive.phy_lost();
  drive.hardware_reset(1);
  run();
  lines.clear();
  drive.frame_received(sata::make_data(frames, 0, 12));
  run();
  EXPECT_THAT(lines, IsEmpty());
}

// ---- the link

TEST_F(OpticalDriveTest, RefusedDataEndThePacketWithAbortedCommand) {
  start();
  refuse_data = true;
  packet({0x28, 0, 0, 0, 0, 7, 0, 0, 5}, 0x01);
  EXPECT_THAT(lines, ElementsAre(kPacketWanted, "Data 8192", "D2H 51 B0 I"));
  refuse_data = false;
  lines.clear();
  packet({0x03, 0, 0, 0, 18});
  EXPECT_EQ(data.at(data.size() - 20 + 2), 0x0B);
  EXPECT_EQ(data.at(data.size() - 20 + 12), 0x47);
}

TEST_F(OpticalDriveTest, ADamagedPacketEndsTheCommandToo) {
  start();
  command(0xA0);
  drive.frame_damaged(sata::make_data(frames, 0, 12), sata::Damage::crc);
  run();
  EXPECT_THAT(lines, ElementsAre(kPacketWanted, "D2H 51 B0 I"));
}

TEST_F(OpticalDriveTest, PowerStatesAreEnteredBetweenCommandsIfTheProfileSaysSo) {
  start();
  EXPECT_TRUE(drive.accepts_power(sata::LinkPower::partial));
  EXPECT_TRUE(drive.accepts_power(sata::LinkPower::slumber));
  EXPECT_FALSE(drive.accepts_power(sata::LinkPower::dev_sleep));
  command(0xA0);
  EXPECT_FALSE(drive.accepts_power(sata::LinkPower::partial));
  profile.host_power = false;
  start();
  EXPECT_FALSE(drive.accepts_power(sata::LinkPower::partial));
}

// ---- notification

TEST_F(OpticalDriveTest, AChangeIsToldUnaskedOnceThatIsEnabled) {
  start();
  drive.open_tray();
  run();
  EXPECT_THAT(lines, IsEmpty());
  command(0xEF, 0x10, 0, 5);
  EXPECT_EQ(identify_word(79), 1U << 5);
  lines.clear();
  drive.close_tray();
  run();
  EXPECT_THAT(lines, ElementsAre("SDB 50 00000000 I N"));
}

TEST_F(OpticalDriveTest, WithoutItInTheProfileItCannotBeEnabled) {
  profile.asynchronous_notification = false;
  start();
  command(0xEF, 0x10, 0, 5);
  EXPECT_THAT(lines, ElementsAre(kAborted));
}

}  // namespace
}  // namespace ncqlab::drive
