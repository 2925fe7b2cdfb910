// READ and WRITE FPDMA QUEUED frame by frame (SATA 3.x, 13.6), and how the queue halts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testbench/tests/unit/drive_ata_host.h"

namespace ncqlab::drive {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::uint8_t kRead = 0x60;
constexpr std::uint8_t kWrite = 0x61;
constexpr std::uint8_t kFua = 0xC0;  // with the LBA bit
const char* const kReleased = "D2H 40 00";
const char* const kAborted = "D2H 51 04 I";
const char* const kNotFound = "D2H 51 10 I";

class DriveAtaQueued : public testing::Test {
 protected:
  void SetUp() override { host.start(); }
  void run_for(sim::Time time) { host.run_until(host.now() + time); }

  AtaHost host;
};

// ---- reads

TEST_F(DriveAtaQueued, AReadIsReleaseSetupDataAndSetDeviceBits) {
  host.queued(kRead, 3, 50, 8);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kReleased, "Setup in tag 3, 4096 bytes", "Data 4096", "SDB 40 00000008 I"));
  EXPECT_EQ(host.data(), AtaHost::factory(50, 8));
}

TEST_F(DriveAtaQueued, TheReleaseComesAtOnce) {
  const sim::Time submitted = host.now();
  host.queued(kRead, 3, 50, 8);
  host.run();
  EXPECT_EQ(host.time_of(kReleased), submitted);
}

TEST_F(DriveAtaQueued, TheSetupComesNoEarlierThanTheLinkCanGoOnWithoutAStop) {
  const sim::Time submitted = host.now();
  host.queued(kRead, 3, 50, 1);
  host.run();
  const sim::Time revolutions = (submitted + 490 * kUs) / kRevolution * kRevolution;
  EXPECT_EQ(host.time_of("Setup in tag 3, 512 bytes"), revolutions + 5 * kMs + kOuterSector);
}

TEST_F(DriveAtaQueued, ALongReadIsOneSetupAndDataFisOf8KiB) {
  host.queued(kRead, 0, 50, 20);
  host.run();
  EXPECT_THAT(host.lines(),
              ElementsAre(kReleased, "Setup in tag 0, 10240 bytes", "Data 8192", "Data 2048", "SDB 40 00000001 I"));
}

TEST_F(DriveAtaQueued, ACountOf0Is65536Sectors) {
  Profile profile = small_profile();
  profile.capacity_sectors = 65'536;
  AtaHost big(profile);
  big.start();
  big.queued(kRead, 31, 0, 0);
  big.run();
  EXPECT_EQ(big.sent.at(1).line, "Setup in tag 31, 33554432 bytes");
  EXPECT_EQ(big.sent.size(), 2 + 4096U + 1);
  EXPECT_EQ(big.data(), AtaHost::factory(0, 65'536));
  EXPECT_EQ(big.sent.back().line, "SDB 40 80000000 I");
}

TEST_F(DriveAtaQueued, ReadsAreAnsweredInTheOrderInWhichTheHeadReadsThem) {
  host.queued(kRead, 0, 90, 1);
  host.queued(kRead, 1, 92, 1);
  host.queued(kRead, 2, 30'000, 1);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kReleased, kReleased, kReleased,                               //
                                        "Setup in tag 0, 512 bytes", "Data 512", "SDB 40 00000001 I",  //
                                        "Setup in tag 1, 512 bytes", "Data 512", "SDB 40 00000002 I",  //
                                        "Setup in tag 2, 512 bytes", "Data 512", "SDB 40 00000004 I"));
}

// ---- writes

TEST_F(DriveAtaQueued, AWriteIsReleaseSetupActivateAndSetDeviceBits) {
  host.outgoing = AtaHost::filled(8, 0x33);
  host.queued(kWrite, 5, 50, 8);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kReleased, "Setup out tag 5, 4096 bytes", "Activate", "SDB 40 00000020 I"));
}

TEST_F(DriveAtaQueued, ALongWriteIsOneActivateForEachDataFis) {
  host.outgoing = AtaHost::filled(20, 0x33);
  host.queued(kWrite, 5, 50, 20);
  host.run();
  EXPECT_THAT(host.lines(),
              ElementsAre(kReleased, "Setup out tag 5, 10240 bytes", "Activate", "Activate", "SDB 40 00000020 I"));
}

TEST_F(DriveAtaQueued, WhatWasWrittenIsReadBack) {
  host.outgoing = AtaHost::factory(9000, 20);
  host.queued(kWrite, 5, 50, 20);
  host.run();
  host.queued(kRead, 5, 50, 20);
  host.run();
  EXPECT_EQ(host.data(), AtaHost::factory(9000, 20));
}

TEST_F(DriveAtaQueued, ACachedWriteIsCompleteWithItsData) {
  const sim::Time submitted = host.now();
  host.outgoing = AtaHost::filled(1, 0x33);
  host.queued(kWrite, 0, 50, 1);
  host.run();
  // Setup 150 us after the command, a frame each for Setup, Activate and Data.
  EXPECT_EQ(host.time_of("SDB 40 00000001 I"), submitted + 150 * kUs + 3 * kFrame);
}

TEST_F(DriveAtaQueued, AForcedWriteIsCompleteWhenItIsOnThePlatter) {
  const sim::Time submitted = host.now();
  host.outgoing = AtaHost::filled(1, 0x33);
  host.queued(kWrite, 0, 50, 1, kFua);
  host.run();
  const sim::Time revolutions = (submitted + 503 * kUs) / kRevolution * kRevolution;
  EXPECT_EQ(host.time_of("SDB 40 00000001 I"), revolutions + 5 * kMs + kOuterSector + 20 * kUs);
}

// ---- Set Device Bits

TEST_F(DriveAtaQueued, CompletionsThatWaitForTheLinkGoOutInOneSetDeviceBits) {
  host.outgoing = AtaHost::filled(2, 0x33);
  host.queued(kWrite, 0, 50, 1, kFua);
  host.queued(kWrite, 1, 70, 1, kFua);
  run_for(1 * kMs);
  host.sent.clear();
  host.hold();
  host.queued(kRead, 2, 30'000, 1);
  run_for(50 * kMs);
  EXPECT_THAT(host.lines(), ElementsAre(kReleased));
  host.release();
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kReleased, "SDB 40 00000003 I", "Setup in tag 2, 512 bytes", "Data 512",
                                        "SDB 40 00000004 I"));
}

TEST_F(DriveAtaQueued, ATagMayBeUsedAgainAfterItsSetDeviceBits) {
  for (int i = 0; i < 3; ++i) {
    host.queued(kRead, 7, 50, 1);
    host.run();
  }
  EXPECT_EQ(host.sent.size(), 3 * 4U);
}

// ---- errors

TEST_F(DriveAtaQueued, ATagInUseIsAborted) {
  host.queued(kRead, 0, 50, 1);
  run_for(1 * kMs);
  host.queued(kRead, 0, 60, 1);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kReleased, kAborted));
}

TEST_F(DriveAtaQueued, ANonQueuedCommandAmongQueuedOnesIsAbortedWithThem) {
  host.queued(kRead, 0, 50, 1);
  run_for(1 * kMs);
  host.command(0xEC);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kReleased, kAborted));
}

TEST_F(DriveAtaQueued, AnUnknownOpcodeAmongQueuedOnesIsAbortedWithThem) {
  host.queued(kRead, 0, 50, 1);
  run_for(1 * kMs);
  host.command(0x99);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kReleased, kAborted));
}

TEST_F(DriveAtaQueued, AnAddressBehindTheDiskIsNotFound) {
  host.queued(kRead, 0, 39'999, 2);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kNotFound));
}

TEST_F(DriveAtaQueued, TheLastSectorIsFound) {
  host.queued(kRead, 0, 39'999, 1);
  host.run();
  EXPECT_EQ(host.sent.back().line, "SDB 40 00000001 I");
}

TEST_F(DriveAtaQueued, ATagBeyondTheQueueDepthIsAborted) {
  Profile profile = small_profile();
  profile.interface.queue_depth = 8;
  AtaHost shallow(profile);
  shallow.start();
  shallow.queued(kRead, 7, 50, 1);
  shallow.run();
  EXPECT_EQ(shallow.sent.back().line, "SDB 40 00000080 I");
  shallow.sent.clear();
  shallow.queued(kRead, 8, 50, 1);
  shallow.run();
  EXPECT_THAT(shallow.lines(), ElementsAre(kAborted));
}

TEST_F(DriveAtaQueued, ADriveWithoutQueuingAbortsAQueuedCommandAndGoesOn) {
  Profile profile = small_profile();
  profile.interface.ncq = false;
  AtaHost plain(profile);
  plain.start();
  plain.queued(kRead, 0, 50, 1);
  plain.run();
  plain.command(0x25, 50, 1);
  plain.run();
  EXPECT_THAT(plain.lines(), ElementsAre(kAborted, "Data 512", "D2H 50 00 I"));
}

TEST_F(DriveAtaQueued, AMalformedCommandHaltsTheQueueEvenWhenItIsAlone) {
  host.queued(kRead, 0, 40'000, 1);
  host.run();
  host.sent.clear();
  host.queued(kRead, 1, 50, 1);
  host.run();
  host.command(0xEC);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kAborted, kAborted));
}

TEST_F(DriveAtaQueued, AHaltedQueueAsksForNoMoreData) {
  host.queued(kWrite, 0, 50, 1);
  host.queued(kWrite, 1, 60, 1);
  run_for(1 * kMs);  // tag 0 has been activated and waits for its data
  host.sent.clear();
  host.queued(kRead, 0, 70, 1);
  host.send_data(AtaHost::filled(1, 0x44));
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kAborted));
}

TEST_F(DriveAtaQueued, ComresetEndsTheHalt) {
  host.queued(kRead, 0, 40'000, 1);
  host.run();
  host.start();
  host.queued(kRead, 0, 50, 1);
  host.run();
  EXPECT_EQ(host.sent.back().line, "SDB 40 00000001 I");
}

TEST_F(DriveAtaQueued, SoftwareResetEndsTheHalt) {
  host.queued(kRead, 0, 40'000, 1);
  host.run();
  host.control(0x04);
  host.control(0x00);
  host.run();
  host.queued(kRead, 0, 50, 1);
  host.run();
  EXPECT_EQ(host.sent.back().line, "SDB 40 00000001 I");
}

TEST_F(DriveAtaQueued, AHaltedDriveStillDestages) {
  host.outgoing = AtaHost::filled(1, 0x44);
  host.queued(kWrite, 0, 50, 1);
  run_for(1 * kMs);
  host.queued(kRead, 0, 40'000, 1);
  EXPECT_EQ(host.drive.disk().dirty_sectors(), 1U);
  host.run();
  EXPECT_EQ(host.drive.disk().dirty_sectors(), 0U);
}

}  // namespace
}  // namespace ncqlab::drive
