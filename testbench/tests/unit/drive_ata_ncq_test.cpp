// What goes beyond plain queuing: DMA Setup with auto-activate and buffer offsets, NCQ NON-DATA, SEND and RECEIVE FPDMA
// QUEUED, and the logs that tell of them (SATA 3.x, 13.3 and 13.6; ACS-3, clause 7).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testbench/tests/unit/drive_ata_host.h"

namespace ncqlab::drive {
namespace {

using testing::ElementsAre;

constexpr std::uint8_t kRead = 0x60;
constexpr std::uint8_t kWrite = 0x61;
const char* const kReleased = "D2H 40 00";
const char* const kAborted = "D2H 51 04 I";

Profile all_of_it() {
  Profile profile = small_profile();
  SerialAta& sata = profile.serial_ata;
  sata.auto_activate = sata.buffer_offsets = sata.in_order_delivery = true;
  sata.ncq_management = sata.ncq_send_receive = true;
  sata.data_phase_sectors = 16;
  sata.trim_blocks = 2;
  return profile;
}

class DriveAtaNcq : public testing::Test {
 protected:
  void SetUp() override { host.start(); }
  void run_for(sim::Time time) { host.run_until(host.now() + time); }
  void enable(std::uint16_t feature) {
    host.command(0xEF, 0, feature, 0x10);
    host.run();
    host.sent.clear();
  }
  void non_data(unsigned tag, std::uint16_t features, std::uint64_t lba = 0, std::uint16_t count_high = 0) {
    host.command(0x63, lba, static_cast<std::uint16_t>(tag << 3 | count_high << 8), features);
  }
  AtaHost::Bytes log(std::uint64_t address) {
    host.sent.clear();
    host.command(0x2F, address, 1);
    host.run();
    return host.data();
  }

  AtaHost host{all_of_it()};
};

// ---- auto-activate

TEST_F(DriveAtaNcq, WithoutAutoActivateTheFirstDataFisIsActivated) {
  host.outgoing = AtaHost::filled(1, 0x33);
  host.queued(kWrite, 5, 50, 1);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kReleased, "Setup out tag 5, 512 bytes", "Activate", "SDB 40 00000020 I"));
}

TEST_F(DriveAtaNcq, AutoActivateStandsForTheFirstActivateOnly) {
  enable(2);
  host.outgoing = AtaHost::filled(20, 0x33);
  host.queued(kWrite, 5, 50, 20);
  host.run();
  EXPECT_THAT(host.lines(),
              ElementsAre(kReleased, "Setup out tag 5, 10240 bytes, activated", "Activate", "SDB 40 00000020 I"));
}

TEST_F(DriveAtaNcq, AutoActivateIsNotForReads) {
  enable(2);
  host.queued(kRead, 5, 50, 1);
  host.run();
  EXPECT_EQ(host.sent.at(1).line, "Setup in tag 5, 512 bytes");
}

// ---- buffer offsets

TEST_F(DriveAtaNcq, WithoutBufferOffsetsACommandIsOneDataPhase) {
  host.queued(kRead, 0, 50, 40);
  host.run();
  EXPECT_EQ(host.sent.at(1).line, "Setup in tag 0, 20480 bytes");
}

TEST_F(DriveAtaNcq, WithBufferOffsetsItsPartsComeFromTheLastToTheFirst) {
  enable(1);
  host.queued(kRead, 0, 50, 40);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kReleased, "Setup in tag 0, 4096 bytes at 16384", "Data 4096",
                                        "Setup in tag 0, 8192 bytes at 8192", "Data 8192", "Setup in tag 0, 8192 bytes",
                                        "Data 8192", "SDB 40 00000001 I"));
  AtaHost::Bytes expected = AtaHost::factory(82, 8);
  for (const std::uint64_t lba : {66, 50}) {
    const AtaHost::Bytes part = AtaHost::factory(lba, 16);
    expected.insert(expected.end(), part.begin(), part.end());
  }
  EXPECT_EQ(host.data(), expected);
}

TEST_F(DriveAtaNcq, InOrderDeliveryTurnsThemRound) {
  enable(1);
  enable(4);
  host.queued(kRead, 0, 50, 40);
  host.run();
  EXPECT_THAT(host.lines(),
              ElementsAre(kReleased, "Setup in tag 0, 8192 bytes", "Data 8192", "Setup in tag 0, 8192 bytes at 8192",
                          "Data 8192", "Setup in tag 0, 4096 bytes at 16384", "Data 4096", "SDB 40 00000001 I"));
}

TEST_F(DriveAtaNcq, AWriteInPartsIsReadBackWhole) {
  enable(1);
  const AtaHost::Bytes data = AtaHost::factory(9000, 40);
  // The host sends what each part asks for: the last sectors first.
  for (const std::size_t first : {32U, 16U, 0U}) {
    const std::size_t end = std::min<std::size_t>(first + 16, 40);
    host.outgoing.insert(host.outgoing.end(), data.begin() + static_cast<std::ptrdiff_t>(first * kSector_bytes),
                         data.begin() + static_cast<std::ptrdiff_t>(end * kSector_bytes));
  }
  host.queued(kWrite, 0, 50, 40);
  host.run();
  host.sent.clear();
  host.command(0x25, 50, 40);
  host.run();
  EXPECT_EQ(host.data(), data);
}

TEST_F(DriveAtaNcq, BetweenThePartsOfACommandAnotherHasItsTurn) {
  enable(1);
  enable(4);
  host.command(0x25, 50, 60);  // into the cache
  host.run();
  host.sent.clear();
  host.hold();
  host.queued(kRead, 0, 50, 32);
  host.queued(kRead, 1, 90, 1);
  run_for(1 * kMs);
  host.release();
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kReleased, kReleased, "Setup in tag 0, 8192 bytes", "Data 8192",
                                        "Setup in tag 1, 512 bytes", "Data 512", "SDB 40 00000002 I",
                                        "Setup in tag 0, 8192 bytes at 8192", "Data 8192", "SDB 40 00000001 I"));
}

TEST_F(DriveAtaNcq, AReadWithAnUnreadableSectorComesInOrderAndFailsThere) {
  enable(1);
  host.drive.mark_unreadable(60);
  host.queued(kRead, 0, 50, 40);
  host.run();
  EXPECT_THAT(host.lines(),
              ElementsAre(kReleased, "Setup in tag 0, 20480 bytes", "Data 5120", "SDB 41 error 40 00000000 I"));
}

// ---- NCQ NON-DATA

TEST_F(DriveAtaNcq, WithoutQueueManagementNonDataIsAborted) {
  AtaHost plain;
  plain.start();
  plain.command(0x63, 0, 0, 0);
  plain.run();
  EXPECT_THAT(plain.lines(), ElementsAre(kAborted));
}

TEST_F(DriveAtaNcq, AbortAllAnswersForItselfAndWhatItAborted) {
  host.queued(kRead, 0, 50, 1);
  run_for(2 * kMs);  // the arm has it
  host.queued(kRead, 1, 30'000, 1);
  host.queued(kRead, 2, 35'000, 1);
  run_for(200 * kUs);
  host.sent.clear();
  non_data(3, 0x00);
  run_for(1 * kUs);
  run_for(1 * kUs);
  EXPECT_THAT(host.lines(), ElementsAre(kReleased, "SDB 40 0000000E I"));
  host.run();
  EXPECT_EQ(host.sent.back().line, "SDB 40 00000001 I");
}

TEST_F(DriveAtaNcq, AbortSelectedTakesOneTag) {
  host.queued(kRead, 0, 50, 1);
  run_for(2 * kMs);
  host.queued(kRead, 1, 30'000, 1);
  host.queued(kRead, 2, 35'000, 1);
  run_for(200 * kUs);
  host.sent.clear();
  non_data(3, 0x30, 2 << 3);
  run_for(2 * kUs);
  EXPECT_THAT(host.lines(), ElementsAre(kReleased, "SDB 40 0000000C I"));
}

TEST_F(DriveAtaNcq, AbortStreamingTakesThoseOfIsochronousPriority) {
  host.queued(kRead, 0, 50, 1);
  run_for(2 * kMs);
  host.command(kRead, 30'000, 0x4000 | 1 << 3, 1);
  host.queued(kRead, 2, 35'000, 1);
  run_for(200 * kUs);
  host.sent.clear();
  non_data(3, 0x10);
  run_for(2 * kUs);
  EXPECT_THAT(host.lines(), ElementsAre(kReleased, "SDB 40 0000000A I"));
}

TEST_F(DriveAtaNcq, AbortNonStreamingLeavesThem) {
  host.queued(kRead, 0, 50, 1);
  run_for(2 * kMs);
  host.command(kRead, 30'000, 0x4000 | 1 << 3, 1);
  host.queued(kRead, 2, 35'000, 1);
  run_for(200 * kUs);
  host.sent.clear();
  non_data(3, 0x20);
  run_for(2 * kUs);
  EXPECT_THAT(host.lines(), ElementsAre(kReleased, "SDB 40 0000000C I"));
}

TEST_F(DriveAtaNcq, AnAbortThatFindsNothingSucceeds) {
  non_data(3, 0x00);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kReleased, "SDB 40 00000008 I"));
}

TEST_F(DriveAtaNcq, AnAbortedTagMayBeUsedAtOnce) {
  host.queued(kRead, 1, 30'000, 1);
  run_for(10 * kUs);
  non_data(3, 0x30, 1 << 3);
  run_for(10 * kUs);
  host.sent.clear();
  host.queued(kRead, 1, 50, 1);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kReleased, "Setup in tag 1, 512 bytes", "Data 512", "SDB 40 00000002 I"));
}

TEST_F(DriveAtaNcq, AbortOfItselfHaltsTheQueue) {
  non_data(3, 0x30, 3 << 3);
  host.run();
  host.queued(kRead, 0, 50, 1);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kAborted, kAborted));
}

TEST_F(DriveAtaNcq, AnUnknownAbortTypeAndAnUnknownSubcommandAreRefused) {
  for (const std::uint16_t features : {0x40, 0x02, 0x0F}) {
    host.start();
    non_data(3, features);
    host.run();
    EXPECT_THAT(host.lines(), ElementsAre(kAborted)) << features;
  }
}

TEST_F(DriveAtaNcq, DeadlineHandlingIsAccepted) {
  non_data(3, 0x31);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kReleased, "SDB 40 00000008 I"));
}

TEST_F(DriveAtaNcq, SetFeaturesGoesThroughTheQueue) {
  non_data(3, 0x1005, 0, 2);  // auto-activate
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kReleased, "SDB 40 00000008 I"));
  host.sent.clear();
  host.outgoing = AtaHost::filled(1, 0x33);
  host.queued(kWrite, 0, 50, 1);
  host.run();
  EXPECT_EQ(host.sent.at(1).line, "Setup out tag 0, 512 bytes, activated");
}

TEST_F(DriveAtaNcq, AFeatureThatIsNotThereIsRefusedThroughTheQueueToo) {
  non_data(3, 0x7705);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kAborted));
}

// ---- SEND and RECEIVE FPDMA QUEUED

TEST_F(DriveAtaNcq, ReceiveReadsALogByFirstPartyDma) {
  host.command(0x65, 0x12, 0x0100 | 4 << 3, 1);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kReleased, "Setup in tag 4, 512 bytes", "Data 512", "SDB 40 00000010 I"));
  const AtaHost::Bytes received = host.data();
  EXPECT_EQ(received, log(0x12));
}

TEST_F(DriveAtaNcq, ReceiveOfAnUnknownLogOrSubcommandIsRefused) {
  for (const auto& [lba, count] : {std::pair<std::uint64_t, std::uint16_t>{0x77, 0x0100}, {0x12, 0x0200}}) {
    host.start();
    host.command(0x65, lba, count, 1);
    host.run();
    EXPECT_THAT(host.lines(), ElementsAre(kAborted)) << lba;
  }
}

TEST_F(DriveAtaNcq, SendTrims) {
  host.outgoing = AtaHost::filled(1, 0x11);
  host.queued(kWrite, 0, 50, 1);
  host.run();
  host.sent.clear();
  host.outgoing = AtaHost::Bytes(kSector_bytes);
  host.outgoing[0] = 50;
  host.outgoing[6] = 1;
  sata::RegisterH2D fis;
  fis.command_bit = true;
  fis.command = 0x64;
  fis.count = 4 << 3;
  fis.features = 1;
  fis.auxiliary = 1;
  fis.device = 0x40;
  host.send(fis);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kReleased, "Setup out tag 4, 512 bytes", "Activate", "SDB 40 00000010 I"));
  host.sent.clear();
  host.queued(kRead, 0, 50, 1);
  host.run();
  EXPECT_EQ(host.data(), AtaHost::factory(50, 1));
}

TEST_F(DriveAtaNcq, ASentRangeBehindTheEndHaltsTheQueue) {
  host.outgoing = AtaHost::Bytes(kSector_bytes, 0xFF);
  sata::RegisterH2D fis;
  fis.command_bit = true;
  fis.command = 0x64;
  fis.count = 4 << 3;
  fis.features = 1;
  fis.auxiliary = 1;
  host.send(fis);
  host.run();
  EXPECT_EQ(host.sent.back().line, "SDB 41 error 10 00000000 I");
}

// The FUA write reaches the platter while the host has not yet sent the ranges: both are told of in one FIS.
TEST_F(DriveAtaNcq, TheErrorNamesTheTagsThatHadCompleted) {
  host.outgoing = AtaHost::filled(1, 0x11);
  host.queued(kWrite, 0, 50, 1, 0xC0);
  run_for(1 * kMs);
  sata::RegisterH2D fis;
  fis.command_bit = true;
  fis.command = 0x64;
  fis.count = 4 << 3;
  fis.features = 1;
  fis.auxiliary = 1;
  host.send(fis);
  run_for(50 * kMs);
  host.send_data(AtaHost::filled(1, 0xFF));
  host.run();
  EXPECT_EQ(host.sent.back().line, "SDB 41 error 10 00000001 I");
}

TEST_F(DriveAtaNcq, SendOfAnotherSubcommandOrWithoutTrimIsRefused) {
  for (const std::uint32_t auxiliary : {0U, 1U}) {
    host.start();
    sata::RegisterH2D fis;
    fis.command_bit = true;
    fis.command = 0x64;
    fis.count = static_cast<std::uint16_t>(auxiliary == 0 ? 0 : 0x0200);
    fis.features = 1;
    fis.auxiliary = auxiliary;
    host.send(fis);
    host.run();
    EXPECT_THAT(host.lines(), ElementsAre(kAborted)) << auxiliary;
  }
}

// ---- logs

TEST_F(DriveAtaNcq, TheDirectoryNamesTheQueuesLogs) {
  const AtaHost::Bytes directory = log(0x00);
  EXPECT_EQ(directory.at(2 * 0x12), 1);
  EXPECT_EQ(directory.at(2 * 0x13), 1);
}

TEST_F(DriveAtaNcq, Log12hNamesTheSubcommandsOfNonData) {
  AtaHost::Bytes expected(512);
  expected[0] = 0x1F;   // ABORT NCQ QUEUE and its four types
  expected[4] = 0x07;   // DEADLINE HANDLING with WDNC and RDNC
  expected[20] = 0x01;  // SET FEATURES
  EXPECT_EQ(log(0x12), expected);
}

TEST_F(DriveAtaNcq, Log13hNamesTrimAndReadLog) {
  AtaHost::Bytes expected(512);
  expected[0] = 0x01;  // DATA SET MANAGEMENT
  expected[4] = 0x01;  // TRIM
  expected[8] = 0x01;  // READ LOG DMA EXT
  EXPECT_EQ(log(0x13), expected);
}

}  // namespace
}  // namespace ncqlab::drive
