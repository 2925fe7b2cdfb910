// Non-queued commands: what is refused, and the DMA, PIO and non-data protocols frame by frame.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testbench/tests/unit/drive_ata_host.h"

namespace ncqlab::drive {
namespace {

using testing::ElementsAre;

const char* const kDone = "D2H 50 00 I";
const char* const kAborted = "D2H 51 04 I";
const char* const kNotFound = "D2H 51 10 I";

class DriveAtaCommand : public testing::Test {
 protected:
  void SetUp() override { host.start(); }
  // The size of all Data FIS of a read, in sectors.
  static std::size_t sectors_of(const AtaHost& h) { return h.data().size() / kSector_bytes; }
  // A disk of which 65,536 sectors are not the whole.
  static Profile large() {
    Profile profile = small_profile();
    profile.capacity_sectors = 200'000;
    return profile;
  }

  AtaHost host;
};

// ---- refusals

TEST_F(DriveAtaCommand, AnUnknownOpcodeIsAborted) {
  host.command(0x99);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kAborted));
}

TEST_F(DriveAtaCommand, CylinderHeadSectorAddressesAreAborted) {
  sata::RegisterH2D fis;
  fis.command_bit = true;
  fis.command = 0xC8;
  fis.count = 1;
  host.send(fis);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kAborted));
}

TEST_F(DriveAtaCommand, TheLastLbaIsRead) {
  host.command(0x25, 39'999, 1);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre("Data 512", kDone));
}

TEST_F(DriveAtaCommand, BehindTheLastLbaIsNotFound) {
  host.command(0x25, 40'000, 1);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kNotFound));
}

TEST_F(DriveAtaCommand, AReadThatRunsBeyondTheLastLbaIsNotFound) {
  host.command(0x25, 39'999, 2);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kNotFound));
}

TEST_F(DriveAtaCommand, AWriteBeyondTheLastLbaIsNotFoundAndAsksForNoData) {
  host.command(0x35, 39'999, 2);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kNotFound));
}

TEST_F(DriveAtaCommand, AfterARefusalTheNextCommandRuns) {
  host.command(0x99);
  host.run();
  host.sent.clear();
  host.command(0x25, 50, 1);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre("Data 512", kDone));
}

// ---- addresses and counts

TEST_F(DriveAtaCommand, Lba28TakesItsHighestBitsFromTheDeviceField) {
  Profile profile = small_profile();
  profile.capacity_sectors = 0x0200'0000;
  AtaHost big(profile);
  big.start();
  sata::RegisterH2D fis;
  fis.command_bit = true;
  fis.command = 0xC8;
  fis.lba = 0xFF00'0005;  // the upper half is not part of a 28-bit address
  fis.device = 0x41;
  fis.count = 1;
  big.send(fis);
  big.run();
  EXPECT_EQ(big.data(), AtaHost::factory(0x0100'0005, 1));
}

TEST_F(DriveAtaCommand, ACountOf0Is256SectorsIn28Bits) {
  host.command(0xC8, 0, 0x0100);  // the high byte does not count
  host.run();
  EXPECT_EQ(sectors_of(host), 256U);
}

TEST_F(DriveAtaCommand, ACountOf0Is65536SectorsIn48Bits) {
  AtaHost big(large());
  big.start();
  big.command(0x25, 0, 0);
  big.run();
  EXPECT_EQ(sectors_of(big), 65'536U);
  EXPECT_EQ(big.sent.back().line, kDone);
}

TEST_F(DriveAtaCommand, SixtyFiveThousandSectorsMayEndWithTheLastLba) {
  AtaHost big(large());
  big.start();
  big.command(0x25, 200'000 - 65'536, 0);
  big.run();
  EXPECT_EQ(sectors_of(big), 65'536U);
}

TEST_F(DriveAtaCommand, SixtyFiveThousandSectorsMayNotEndBehindIt) {
  AtaHost big(large());
  big.start();
  big.command(0x25, 200'000 - 65'535, 0);
  big.run();
  EXPECT_THAT(big.lines(), ElementsAre(kNotFound));
}

// ---- DMA

TEST_F(DriveAtaCommand, ADmaReadIsDataAndStatus) {
  host.command(0x25, 50, 4);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre("Data 2048", kDone));
  EXPECT_EQ(host.data(), AtaHost::factory(50, 4));
}

TEST_F(DriveAtaCommand, ADataFisHoldsAtMost8KiB) {
  host.command(0x25, 50, 33);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre("Data 8192", "Data 8192", "Data 512", kDone));
  EXPECT_EQ(host.data(), AtaHost::factory(50, 33));
}

TEST_F(DriveAtaCommand, NoDataGoOutBeforeTheHeadHasReadThem) {
  const sim::Time submitted = host.now();
  host.command(0x25, 50, 1);
  host.run();
  const sim::Time revolutions = (submitted + 400 * kUs) / kRevolution * kRevolution;
  EXPECT_EQ(host.time_of("Data 512"), revolutions + 5 * kMs + kOuterSector);
}

// 33 sectors take 3.3 ms to read and 56.32 us on a line of 3 Gb/s: the transfer begins so much before the last sector,
// and its last frame waits for that all the same when the link is faster.
TEST_F(DriveAtaCommand, ATransferBeginsSoThatALineAtItsRateNeedNotWait) {
  const sim::Time submitted = host.now();
  host.command(0x25, 50, 33);
  host.run();
  const sim::Time revolutions = (submitted + 400 * kUs) / kRevolution * kRevolution;
  const sim::Time all = revolutions + 5 * kMs + 33 * kOuterSector;
  EXPECT_EQ(host.time_of("Data 8192"), all - 56'320 * sim::kNanosecond);
  EXPECT_EQ(host.time_of("Data 512"), all);
}

TEST_F(DriveAtaCommand, ADmaWriteIsOneActivateForEachDataFis) {
  host.outgoing = AtaHost::filled(33, 0x11);
  host.command(0x35, 50, 33);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre("Activate", "Activate", "Activate", kDone));
}

TEST_F(DriveAtaCommand, WhatWasWrittenIsReadBack) {
  host.outgoing = AtaHost::factory(12'345, 20);
  host.command(0x35, 50, 20);
  host.run();
  host.sent.clear();
  host.command(0x25, 49, 22);
  host.run();
  AtaHost::Bytes expected = AtaHost::factory(49, 1);
  const AtaHost::Bytes written = AtaHost::factory(12'345, 20);
  expected.insert(expected.end(), written.begin(), written.end());
  const AtaHost::Bytes behind = AtaHost::factory(70, 1);
  expected.insert(expected.end(), behind.begin(), behind.end());
  EXPECT_EQ(host.data(), expected);
}

TEST_F(DriveAtaCommand, ForcedUnitAccessWaitsForThePlatter) {
  const sim::Time submitted = host.now();
  host.outgoing = AtaHost::filled(1, 0x11);
  host.command(0x3D, 50, 1);
  host.run();
  const sim::Time revolutions = (submitted + 400 * kUs) / kRevolution * kRevolution;
  EXPECT_EQ(host.time_of(kDone), revolutions + 5 * kMs + kOuterSector + 20 * kUs);
}

// ---- PIO

TEST_F(DriveAtaCommand, APioReadIsAPioSetupForEachSectorAndTheLastOneEndsIt) {
  host.command(0x24, 50, 2);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre("PIO in 58, then D0, 512 bytes I", "Data 512",
                                        "PIO in 58, then 50, 512 bytes I", "Data 512"));
  EXPECT_EQ(host.data(), AtaHost::factory(50, 2));
}

TEST_F(DriveAtaCommand, AfterAPioReadTheNextCommandRuns) {
  host.command(0x20, 50, 1);
  host.run();
  host.sent.clear();
  host.command(0x20, 51, 1);
  host.run();
  EXPECT_EQ(host.data(), AtaHost::factory(51, 1));
}

TEST_F(DriveAtaCommand, APioWriteAsksForTheFirstSectorWithoutAnInterruptAndEndsWithStatus) {
  host.outgoing = AtaHost::filled(2, 0x22);
  host.command(0x34, 50, 2);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre("PIO out 58, then D0, 512 bytes", "PIO out 58, then D0, 512 bytes I", kDone));
}

TEST_F(DriveAtaCommand, WhatPioWroteIsReadBack) {
  host.outgoing = AtaHost::factory(777, 2);
  host.command(0x30, 50, 2);
  host.run();
  host.sent.clear();
  host.command(0xC8, 50, 2);
  host.run();
  EXPECT_EQ(host.data(), AtaHost::factory(777, 2));
}

// ---- no data

TEST_F(DriveAtaCommand, FlushEndsWhenNothingIsDirty) {
  host.outgoing = AtaHost::filled(1, 0x11);
  host.command(0x35, 50, 1);
  host.run_until(host.now() + 1 * kMs);
  host.sent.clear();
  EXPECT_EQ(host.drive.disk().dirty_sectors(), 1U);
  for (const std::uint8_t opcode : {0xE7, 0xEA}) {
    host.command(opcode);
    while (host.sent.empty()) host.run_until(host.now() + 1 * kUs);
    EXPECT_EQ(host.drive.disk().dirty_sectors(), 0U);
    EXPECT_THAT(host.lines(), ElementsAre(kDone));
    host.run_until(host.now() + 1 * kMs);
    host.sent.clear();
  }
}

TEST_F(DriveAtaCommand, SetFeaturesSwitchesTheWriteCache) {
  host.command(0xEF, 0, 0, 0x82);
  host.run();
  EXPECT_FALSE(host.drive.disk().write_cache_enabled());
  host.command(0xEF, 0, 0, 0x02);
  host.run();
  EXPECT_TRUE(host.drive.disk().write_cache_enabled());
  EXPECT_THAT(host.lines(), ElementsAre(kDone, kDone));
}

TEST_F(DriveAtaCommand, SwitchingTheWriteCacheOffFlushesIt) {
  host.outgoing = AtaHost::filled(1, 0x11);
  host.command(0x35, 50, 1);
  host.run_until(host.now() + 1 * kMs);
  host.sent.clear();
  host.command(0xEF, 0, 0, 0x82);
  while (host.sent.empty()) host.run_until(host.now() + 1 * kUs);
  EXPECT_EQ(host.drive.disk().dirty_sectors(), 0U);
  EXPECT_EQ(host.drive.disk().statistics().destaged_sectors, 1U);
}

TEST_F(DriveAtaCommand, SetFeaturesAcceptsATransferModeAndReadLookAhead) {
  for (const std::uint16_t feature : {0x03, 0x55, 0xAA}) host.command(0xEF, 0, 0x46, feature);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kDone, kDone, kDone));
}

TEST_F(DriveAtaCommand, AnUnknownFeatureIsAborted) {
  host.command(0xEF, 0, 0, 0x77);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kAborted));
}

}  // namespace
}  // namespace ncqlab::drive
