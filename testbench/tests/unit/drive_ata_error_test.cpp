// Errors of the media and of the queue, frame by frame (SATA 3.x, 11.15 and 13.6.6), and what log 10h says of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "testbench/tests/unit/drive_ata_host.h"

namespace ncqlab::drive {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::uint8_t kRead = 0x60;
constexpr std::uint8_t kWrite = 0x61;
constexpr std::uint8_t kReadLog = 0x2F;
constexpr std::uint8_t kReadLogDma = 0x47;
constexpr std::uint64_t kErrorLog = 0x10;
const char* const kReleased = "D2H 40 00";
const char* const kDone = "D2H 50 00 I";
const char* const kAborted = "D2H 51 04 I";
const char* const kUnreadable = "D2H 51 40 I";
const char* const kClearAll = "SDB 40 FFFFFFFF";
const char* const kLogBlock = "PIO in 58, then 50, 512 bytes I";

class DriveAtaError : public testing::Test {
 protected:
  void SetUp() override { host.start(); }
  void run_for(sim::Time time) { host.run_until(host.now() + time); }
  // Reads log 10h and returns its 512 bytes; sent() is empty afterwards.
  AtaHost::Bytes error_log() {
    host.run();
    host.sent.clear();
    host.command(kReadLog, kErrorLog, 1);
    host.run();
    AtaHost::Bytes bytes = host.data();
    host.sent.clear();
    return bytes;
  }

  AtaHost host;
};

// ---- media errors of non-queued commands

TEST_F(DriveAtaError, AReadOfAnUnreadableSectorFailsWithItsAddress) {
  host.drive.mark_unreadable(50);
  host.command(0x25, 50, 1);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kUnreadable));
  EXPECT_EQ(host.last_status().lba, 50U);
}

TEST_F(DriveAtaError, TheSectorsBeforeTheUnreadableOneAreSent) {
  host.drive.mark_unreadable(53);
  host.command(0x25, 50, 8);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre("Data 1536", kUnreadable));
  EXPECT_EQ(host.data(), AtaHost::factory(50, 3));
  EXPECT_EQ(host.last_status().lba, 53U);
}

TEST_F(DriveAtaError, TheFirstOfSeveralIsNamed) {
  for (const std::uint64_t lba : {57, 52, 55}) host.drive.mark_unreadable(lba);
  host.command(0x25, 50, 8);
  host.run();
  EXPECT_EQ(host.last_status().lba, 52U);
}

TEST_F(DriveAtaError, ItsNeighboursAreReadable) {
  host.drive.mark_unreadable(53);
  host.command(0x25, 51, 2);
  host.run();
  host.command(0x25, 54, 2);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre("Data 1024", kDone, "Data 1024", kDone));
}

TEST_F(DriveAtaError, TheErrorComesWhenTheHeadHasPassedTheSector) {
  const sim::Time submitted = host.now();
  host.drive.mark_unreadable(50);
  host.command(0x25, 50, 1);
  host.run();
  const sim::Time revolutions = (submitted + 400 * kUs) / kRevolution * kRevolution;
  EXPECT_EQ(host.time_of(kUnreadable), revolutions + 5 * kMs + kOuterSector);
}

TEST_F(DriveAtaError, A28BitCommandNamesTheAddressInFourFields) {
  Profile profile = small_profile();
  profile.capacity_sectors = 0x0200'0000;
  AtaHost big(profile);
  big.start();
  big.drive.mark_unreadable(0x0123'4567);
  sata::RegisterH2D fis;
  fis.command_bit = true;
  fis.command = 0xC8;
  fis.lba = 0x23'4567;
  fis.device = 0x41;
  fis.count = 1;
  big.send(fis);
  big.run();
  EXPECT_EQ(big.last_status().lba, 0x23'4567U);
  EXPECT_EQ(big.last_status().device, 0x41);
}

TEST_F(DriveAtaError, APioReadEndsBeforeTheBlockThatCannotBeRead) {
  host.drive.mark_unreadable(51);
  host.command(0x24, 50, 2);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre("PIO in 58, then D0, 512 bytes I", "Data 512", kUnreadable));
}

TEST_F(DriveAtaError, AVerifyFailsAsAReadDoes) {
  host.drive.mark_unreadable(53);
  host.command(0x42, 50, 8);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kUnreadable));
  EXPECT_EQ(host.last_status().lba, 53U);
}

TEST_F(DriveAtaError, AWriteHealsTheSector) {
  host.drive.mark_unreadable(50);
  host.outgoing = AtaHost::filled(1, 0x11);
  host.command(0x35, 50, 1);
  host.run();
  host.sent.clear();
  host.command(0x25, 50, 1);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre("Data 512", kDone));
}

TEST_F(DriveAtaError, AWriteOfTheNeighboursDoesNotHealIt) {
  host.drive.mark_unreadable(50);
  for (const std::uint64_t lba : {49, 51}) {
    host.outgoing = AtaHost::filled(1, 0x11);
    host.command(0x35, lba, 1);
    host.run();
  }
  host.sent.clear();
  host.command(0x25, 50, 1);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kUnreadable));
}

TEST_F(DriveAtaError, AfterAMediaErrorTheNextCommandRuns) {
  host.drive.mark_unreadable(50);
  host.command(0x25, 50, 1);
  host.run();
  host.sent.clear();
  host.command(0x25, 60, 1);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre("Data 512", kDone));
}

TEST_F(DriveAtaError, BehindTheLastLbaTheFirstAddressThatIsMissingIsNamed) {
  host.command(0x25, 39'999, 2);
  host.run();
  EXPECT_EQ(host.last_status().lba, 40'000U);
}

// ---- a queued command fails

TEST_F(DriveAtaError, AQueuedReadFailsBySetDeviceBitsWithoutItsTag) {
  host.drive.mark_unreadable(50);
  host.queued(kRead, 3, 50, 1);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kReleased, "SDB 41 error 40 00000000 I"));
}

TEST_F(DriveAtaError, ADataPhaseUnderWayEndsEarly) {
  host.drive.mark_unreadable(53);
  host.queued(kRead, 3, 50, 8);
  host.run();
  EXPECT_THAT(host.lines(),
              ElementsAre(kReleased, "Setup in tag 3, 4096 bytes", "Data 1536", "SDB 41 error 40 00000000 I"));
}

TEST_F(DriveAtaError, TheOthersAreNotHeardOfAnyMore) {
  host.drive.mark_unreadable(50);
  host.queued(kRead, 0, 50, 1);
  host.queued(kRead, 1, 30'000, 1);
  host.queued(kRead, 2, 35'000, 1);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kReleased, kReleased, kReleased, "SDB 41 error 40 00000000 I"));
}

TEST_F(DriveAtaError, UntilTheLogIsReadEveryCommandIsAborted) {
  host.drive.mark_unreadable(50);
  host.queued(kRead, 0, 50, 1);
  host.run();
  host.sent.clear();
  host.queued(kRead, 1, 60, 1);
  host.run();
  host.command(0xEC);
  host.run();
  host.command(kReadLog, 0x00, 1);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kAborted, kAborted, kAborted));
}

TEST_F(DriveAtaError, ReadingTheLogClearsAllTagsFirst) {
  host.drive.mark_unreadable(50);
  host.queued(kRead, 0, 50, 1);
  host.run();
  host.sent.clear();
  host.command(kReadLog, kErrorLog, 1);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kClearAll, kLogBlock, "Data 512"));
}

TEST_F(DriveAtaError, ALogReadOfNoPageDoesNotEndTheHalt) {
  host.drive.mark_unreadable(50);
  host.queued(kRead, 0, 50, 1);
  host.run();
  host.sent.clear();
  host.command(kReadLog, kErrorLog, 0);
  host.run();
  host.command(kReadLog, kErrorLog | 1 << 8, 1);  // there is no page 1
  host.run();
  host.queued(kRead, 0, 60, 1);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kAborted, kAborted, kAborted));
}

TEST_F(DriveAtaError, AfterTheLogTheQueueRunsAgainWithoutAReset) {
  host.drive.mark_unreadable(50);
  host.queued(kRead, 0, 50, 1);
  error_log();
  host.queued(kRead, 0, 60, 1);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kReleased, "Setup in tag 0, 512 bytes", "Data 512", "SDB 40 00000001 I"));
}

TEST_F(DriveAtaError, TheLogIsReadByDmaWhereTheDriveOffersIt) {
  Profile profile = small_profile();
  profile.serial_ata.read_log_dma = true;
  AtaHost dma(profile);
  dma.start();
  dma.drive.mark_unreadable(50);
  dma.queued(kRead, 0, 50, 1);
  dma.run();
  dma.sent.clear();
  dma.command(kReadLogDma, kErrorLog, 1);
  dma.run();
  EXPECT_THAT(dma.lines(), ElementsAre(kClearAll, "Data 512", kDone));
}

TEST_F(DriveAtaError, TheLogIsNotReadByDmaWhereTheDriveDoesNot) {
  host.command(kReadLogDma, kErrorLog, 1);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kAborted));
}

// ---- log 10h (SATA 3.x, 13.7)

TEST_F(DriveAtaError, TheLogTellsTagStatusErrorAndAddress) {
  Profile profile = small_profile();
  profile.capacity_sectors = 0x0200'0000;
  AtaHost big(profile);
  big.start();
  big.drive.mark_unreadable(0x0123'4567);
  big.queued(kRead, 9, 0x0123'4567, 1);
  big.run();
  big.sent.clear();
  big.command(kReadLog, kErrorLog, 1);
  big.run();
  const AtaHost::Bytes log = big.data();
  const AtaHost::Bytes head(log.begin(), log.begin() + 14);
  EXPECT_EQ(head, (AtaHost::Bytes{9, 0, 0x41, 0x40, 0x67, 0x45, 0x23, 0x40, 0x01, 0, 0, 0, 9 << 3, 0}));
}

TEST_F(DriveAtaError, AllBytesOfTheLogAddUpToZero) {
  host.drive.mark_unreadable(50);
  host.queued(kRead, 9, 50, 1);
  const AtaHost::Bytes log = error_log();
  ASSERT_EQ(log.size(), 512U);
  EXPECT_EQ(std::accumulate(log.begin(), log.end(), 0U) % 256, 0U);
  EXPECT_NE(log[511], 0);
}

TEST_F(DriveAtaError, TheLogOfARefusedQueuedCommandNamesItsTag) {
  host.queued(kRead, 5, 40'000, 1);
  const AtaHost::Bytes log = error_log();
  EXPECT_EQ(log.at(0), 5);
  EXPECT_EQ(log.at(2), 0x51);
  EXPECT_EQ(log.at(3), 0x10);
}

TEST_F(DriveAtaError, TheLogOfANonQueuedCommandAmongQueuedOnesNamesNoTag) {
  host.queued(kRead, 5, 50, 1);
  run_for(1 * kMs);
  host.command(0xEC);
  const AtaHost::Bytes log = error_log();
  EXPECT_EQ(log.at(0), 0x80);
  EXPECT_EQ(log.at(3), 0x04);
}

TEST_F(DriveAtaError, WithoutAnErrorTheLogNamesNoTag) { EXPECT_EQ(error_log().at(0), 0x80); }

TEST_F(DriveAtaError, WithoutAnErrorReadingTheLogClearsNoTags) {
  host.command(kReadLog, kErrorLog, 1);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kLogBlock, "Data 512"));
}

TEST_F(DriveAtaError, SenseDataAreInTheLogOnlyWhereTheDriveOffersThem) {
  for (const bool offered : {false, true}) {
    Profile profile = small_profile();
    profile.serial_ata.ncq_autosense = offered;
    AtaHost sensing(profile);
    sensing.start();
    sensing.drive.mark_unreadable(50);
    sensing.queued(kRead, 0, 50, 1);
    sensing.run();
    sensing.sent.clear();
    sensing.command(kReadLog, kErrorLog, 1);
    sensing.run();
    const AtaHost::Bytes log = sensing.data();
    const AtaHost::Bytes sense(log.begin() + 14, log.begin() + 17);
    EXPECT_EQ(sense, offered ? (AtaHost::Bytes{0x03, 0x11, 0x00}) : (AtaHost::Bytes{0, 0, 0})) << offered;
  }
}

// ---- the other logs

TEST_F(DriveAtaError, TheDirectoryNamesTheLogsThatAreThere) {
  host.command(kReadLog, 0x00, 1);
  host.run();
  AtaHost::Bytes expected(512);
  expected[0] = 1;  // version
  expected[2 * 0x10] = 1;
  EXPECT_EQ(host.data(), expected);
}

TEST_F(DriveAtaError, ALogThatIsNotThereIsAborted) {
  for (const std::uint64_t address : {0x01, 0x12, 0x13, 0x30, 0xFF}) host.command(kReadLog, address, 1);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kAborted, kAborted, kAborted, kAborted, kAborted));
}

// ---- what a data phase keeps back (11.15: DFPDMAQ8 and DFPDMAQ9 go back to Idle when the count is exhausted)

TEST_F(DriveAtaError, ACommandThatComesInADataPhaseIsReleasedBehindIt) {
  host.queued(kRead, 0, 50, 40);
  while (host.sent.empty() || host.sent.back().line != "Data 8192") run_for(100 * sim::kNanosecond);
  host.sent.clear();
  host.queued(kRead, 1, 30'000, 1);
  run_for(1 * kMs);
  EXPECT_THAT(host.lines(), ElementsAre("Data 8192", "Data 4096", kReleased, "SDB 40 00000001 I"));
}

TEST_F(DriveAtaError, ACompletionThatComesInADataPhaseIsSentBehindIt) {
  host.outgoing = AtaHost::filled(1, 0x33);
  host.queued(kWrite, 0, 50, 1, 0xC0);  // FUA: complete when it is on the platter
  run_for(1 * kMs);
  host.queued(kWrite, 1, 30'000, 1);  // set up, activated, and the host has nothing to send
  run_for(50 * kMs);
  EXPECT_EQ(host.time_of("SDB 40 00000001 I"), sim::kNever);
  host.send_data(AtaHost::filled(1, 0x44));
  host.run();
  EXPECT_EQ(host.sent.back().line, "SDB 40 00000003 I");
}

}  // namespace
}  // namespace ncqlab::drive
