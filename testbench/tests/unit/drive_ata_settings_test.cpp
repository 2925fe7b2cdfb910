// Settings and small commands: SET FEATURES, SET MULTIPLE MODE, power modes, and what probing code asks for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testbench/tests/unit/drive_ata_host.h"

namespace ncqlab::drive {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const char* const kDone = "D2H 50 00 I";
const char* const kAborted = "D2H 51 04 I";

class DriveAtaSettings : public testing::Test {
 protected:
  void SetUp() override { host.start(); }
  // The last line after one command.
  std::string answer_to(std::uint8_t opcode, std::uint64_t lba = 0, std::uint16_t count = 0,
                        std::uint16_t features = 0) {
    host.sent.clear();
    host.command(opcode, lba, count, features);
    host.run();
    return host.sent.empty() ? "" : host.sent.back().line;
  }
  std::uint16_t identify_word(std::size_t word) {
    answer_to(0xEC);
    const AtaHost::Bytes bytes = host.data();
    return static_cast<std::uint16_t>(bytes.at(2 * word) | bytes.at(2 * word + 1) << 8);
  }
  static Profile all_features() {
    Profile profile = small_profile();
    profile.serial_ata.auto_activate = profile.serial_ata.buffer_offsets = profile.serial_ata.in_order_delivery = true;
    profile.serial_ata.device_power = profile.serial_ata.device_sleep = true;
    return profile;
  }

  AtaHost host{all_features()};
};

// ---- Serial ATA features

TEST_F(DriveAtaSettings, ASataFeatureIsEnabledAndDisabled) {
  EXPECT_EQ(answer_to(0xEF, 0, 2, 0x10), kDone);
  EXPECT_EQ(identify_word(79), 0x0044);
  EXPECT_EQ(answer_to(0xEF, 0, 2, 0x90), kDone);
  EXPECT_EQ(identify_word(79), 0x0040);
}

TEST_F(DriveAtaSettings, ASataFeatureThatTheDriveDoesNotOfferIsAborted) {
  EXPECT_EQ(answer_to(0xEF, 0, 5, 0x10), kAborted);  // asynchronous notification
  EXPECT_EQ(answer_to(0xEF, 0, 0, 0x10), kAborted);  // there is none of that number
  EXPECT_EQ(answer_to(0xEF, 0, 200, 0x10), kAborted);
}

TEST_F(DriveAtaSettings, SataFeaturesSurviveASoftwareReset) {
  answer_to(0xEF, 0, 2, 0x10);
  host.control(0x04);
  host.control(0x00);
  host.run();
  EXPECT_EQ(identify_word(79), 0x0044);
}

TEST_F(DriveAtaSettings, AComresetDisablesSataFeatures) {
  answer_to(0xEF, 0, 2, 0x10);
  host.start();
  EXPECT_EQ(identify_word(79), 0x0040);
}

TEST_F(DriveAtaSettings, OtherSettingsSurviveAComreset) {
  answer_to(0xEF, 0, 0, 0x82);
  answer_to(0xC6, 0, 8);
  host.start();
  EXPECT_FALSE(host.drive.disk().write_cache_enabled());
  EXPECT_EQ(identify_word(59), 0x0108);
}

TEST_F(DriveAtaSettings, WithoutSettingsPreservationTheyDoNot) {
  answer_to(0xEF, 0, 6, 0x90);
  answer_to(0xEF, 0, 0, 0x82);
  answer_to(0xC6, 0, 8);
  host.start();
  EXPECT_TRUE(host.drive.disk().write_cache_enabled());
  EXPECT_EQ(identify_word(59), 0);
  EXPECT_EQ(identify_word(79), 0x0040);
}

// ---- READ and WRITE MULTIPLE

TEST_F(DriveAtaSettings, MultipleNeedsABlockSizeFirst) {
  EXPECT_EQ(answer_to(0xC4, 50, 4), kAborted);
  EXPECT_EQ(answer_to(0xC5, 50, 4), kAborted);
}

TEST_F(DriveAtaSettings, ABlockIsAPowerOfTwoUpTo16) {
  for (const std::uint16_t good : {1, 2, 4, 8, 16, 0}) EXPECT_EQ(answer_to(0xC6, 0, good), kDone) << good;
  for (const std::uint16_t bad : {3, 12, 32, 128}) EXPECT_EQ(answer_to(0xC6, 0, bad), kAborted) << bad;
}

TEST_F(DriveAtaSettings, AReadMultipleIsADrqBlockOfThatSizeAndARest) {
  answer_to(0xC6, 0, 4);
  answer_to(0x29, 50, 6);
  EXPECT_THAT(host.lines(), ElementsAre("PIO in 58, then D0, 2048 bytes I", "Data 2048",
                                        "PIO in 58, then 50, 1024 bytes I", "Data 1024"));
  EXPECT_EQ(host.data(), AtaHost::factory(50, 6));
}

TEST_F(DriveAtaSettings, AWriteMultipleIsTheSameTheOtherWay) {
  answer_to(0xC6, 0, 4);
  host.outgoing = AtaHost::factory(900, 6);
  answer_to(0xC5, 50, 6);
  EXPECT_THAT(host.lines(), ElementsAre("PIO out 58, then D0, 2048 bytes", "PIO out 58, then D0, 1024 bytes I", kDone));
  answer_to(0xC8, 50, 6);
  EXPECT_EQ(host.data(), AtaHost::factory(900, 6));
}

TEST_F(DriveAtaSettings, WriteMultipleFuaWaitsForThePlatter) {
  answer_to(0xC6, 0, 4);
  host.outgoing = AtaHost::filled(1, 0x11);
  answer_to(0xCE, 50, 1);
  EXPECT_EQ(host.drive.disk().dirty_sectors(), 0U);
  EXPECT_EQ(host.drive.disk().statistics().destaged_sectors, 0U);
}

// ---- READ VERIFY

TEST_F(DriveAtaSettings, AVerifyTakesThePlatterButSendsNothing) {
  const sim::Time submitted = host.now();
  host.command(0x42, 50, 4);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kDone));
  const sim::Time revolutions = (submitted + 400 * kUs) / kRevolution * kRevolution;
  EXPECT_EQ(host.time_of(kDone), revolutions + 5 * kMs + 4 * kOuterSector);
}

// ---- power modes

TEST_F(DriveAtaSettings, CheckPowerModeTellsTheMode) {
  EXPECT_EQ(answer_to(0xE5), kDone);
  EXPECT_EQ(host.last_status().count, 0xFF);
  answer_to(0xE1);
  answer_to(0xE5);
  EXPECT_EQ(host.last_status().count, 0x80);
  answer_to(0xE0);
  answer_to(0xE5);
  EXPECT_EQ(host.last_status().count, 0x00);
}

TEST_F(DriveAtaSettings, AMediaCommandMakesTheDriveActive) {
  answer_to(0xE0);
  answer_to(0x25, 50, 1);
  answer_to(0xE5);
  EXPECT_EQ(host.last_status().count, 0xFF);
}

TEST_F(DriveAtaSettings, StandbyDestagesTheWriteCacheFirst) {
  host.outgoing = AtaHost::filled(1, 0x11);
  host.command(0x35, 50, 1);
  host.run_until(host.now() + 1 * kMs);
  host.sent.clear();
  host.command(0xE0);
  while (host.sent.empty()) host.run_until(host.now() + 1 * kUs);
  EXPECT_EQ(host.drive.disk().dirty_sectors(), 0U);
}

TEST_F(DriveAtaSettings, ASleepingDriveAnswersNothingUntilAReset) {
  EXPECT_EQ(answer_to(0xE6), kDone);
  EXPECT_EQ(answer_to(0xE5), "");
  host.control(0x04);
  host.control(0x00);
  host.run();
  EXPECT_EQ(answer_to(0xE5), kDone);
  EXPECT_EQ(host.last_status().count, 0x00);
}

// ---- what probing code asks for

TEST_F(DriveAtaSettings, ANopIsAborted) { EXPECT_EQ(answer_to(0x00), kAborted); }

TEST_F(DriveAtaSettings, TheDiagnosticAnswersWithTheSignature) {
  EXPECT_EQ(answer_to(0x90), "D2H 50 01 I");
  EXPECT_EQ(host.last_status().lba, 1U);
  EXPECT_EQ(host.last_status().count, 1U);
}

TEST_F(DriveAtaSettings, TheNativeMaxAddressIsTheLastLba) {
  EXPECT_EQ(answer_to(0x27), kDone);
  EXPECT_EQ(host.last_status().lba, 39'999U);
  EXPECT_EQ(answer_to(0xF8), kDone);
  EXPECT_EQ(host.last_status().lba, 39'999U);
  EXPECT_EQ(host.last_status().device, 0x40);
}

TEST_F(DriveAtaSettings, The28BitNativeMaxAddressStopsAtItsLimit) {
  Profile profile = small_profile();
  profile.mechanics.zones = {1, 60'000, 60'000, 60'000};
  profile.mechanics.heads = 16;
  profile.capacity_sectors = 0x2000'0000;
  AtaHost large(profile);
  large.start();
  large.command(0xF8);
  large.run();
  EXPECT_EQ(large.last_status().lba, 0xFF'FFFFU);
  EXPECT_EQ(large.last_status().device, 0x4F);
  large.command(0x27);
  large.run();
  EXPECT_EQ(large.last_status().lba, 0x1FFF'FFFFU);
}

TEST_F(DriveAtaSettings, SmartReturnsThatNoThresholdIsExceeded) {
  EXPECT_EQ(answer_to(0xB0, 0xC2'4F00, 0, 0xDA), kDone);
  EXPECT_EQ(host.last_status().lba, 0xC2'4F00U);
}

TEST_F(DriveAtaSettings, SmartNeedsItsKey) { EXPECT_EQ(answer_to(0xB0, 0, 0, 0xDA), kAborted); }

TEST_F(DriveAtaSettings, DisabledSmartAnswersOnlyItsEnabling) {
  EXPECT_EQ(answer_to(0xB0, 0xC2'4F00, 0, 0xD9), kDone);
  EXPECT_EQ(answer_to(0xB0, 0xC2'4F00, 0, 0xDA), kAborted);
  EXPECT_EQ(answer_to(0xB0, 0xC2'4F00, 0, 0xD8), kDone);
  EXPECT_EQ(answer_to(0xB0, 0xC2'4F00, 0, 0xDA), kDone);
}

// ---- TRIM

TEST_F(DriveAtaSettings, WithoutTrimDataSetManagementIsAborted) { EXPECT_EQ(answer_to(0x06, 0, 1, 1), kAborted); }

class DriveAtaTrim : public testing::Test {
 protected:
  static Profile trimming() {
    Profile profile = small_profile();
    profile.serial_ata.trim_blocks = 2;
    return profile;
  }
  void SetUp() override {
    host.start();
    host.outgoing = AtaHost::filled(20, 0x11);
    host.command(0x35, 50, 20);
    host.run();
    host.sent.clear();
  }
  static AtaHost::Bytes range(std::uint64_t lba, std::uint16_t sectors) {
    AtaHost::Bytes block(kSector_bytes);
    for (unsigned i = 0; i < 6; ++i) block[i] = static_cast<std::uint8_t>(lba >> (8 * i));
    block[6] = static_cast<std::uint8_t>(sectors);
    block[7] = static_cast<std::uint8_t>(sectors >> 8);
    return block;
  }
  AtaHost host{trimming()};
};

TEST_F(DriveAtaTrim, ItsRangesComeByDma) {
  host.outgoing = range(53, 2);
  host.command(0x06, 0, 1, 1);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre("Activate", kDone));
}

TEST_F(DriveAtaTrim, ATrimmedSectorReadsAsBeforeItWasWritten) {
  host.outgoing = range(53, 2);
  host.command(0x06, 0, 1, 1);
  host.run();
  host.sent.clear();
  host.command(0x25, 52, 4);
  host.run();
  AtaHost::Bytes expected = AtaHost::filled(4, 0x11);
  const AtaHost::Bytes trimmed = AtaHost::factory(53, 2);
  std::copy(trimmed.begin(), trimmed.end(), expected.begin() + kSector_bytes);
  EXPECT_EQ(host.data(), expected);
}

TEST_F(DriveAtaTrim, ARangeBehindTheEndIsNotFound) {
  host.outgoing = range(39'999, 2);
  host.command(0x06, 0, 1, 1);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre("Activate", "D2H 51 10 I"));
}

TEST_F(DriveAtaTrim, MoreBlocksThanTheDriveTakesAreAborted) {
  host.command(0x06, 0, 3, 1);
  host.run();
  host.command(0x06, 0, 0, 1);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kAborted, kAborted));
}

TEST_F(DriveAtaTrim, DataSetManagementWithoutTrimIsAborted) {
  host.command(0x06, 0, 1, 0);
  host.run();
  EXPECT_THAT(host.lines(), ElementsAre(kAborted));
}

}  // namespace
}  // namespace ncqlab::drive
