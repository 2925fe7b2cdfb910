// IDENTIFY DEVICE word by word (ACS-3, 7.12.7), for the numbers that every host reads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "model/drive/ata/identify.h"
#include "testbench/tests/unit/drive_ata_host.h"

namespace ncqlab::drive {
namespace {

using Words = std::array<std::uint16_t, 256>;

Profile terabyte() {
  Profile profile = small_profile();
  profile.identity = {"ST31000340AS", "5QJ0AEM8", "SD15"};
  profile.capacity_sectors = 1'953'525'168;
  profile.mechanics.rpm = 7200;
  return profile;
}

Words identify(const Profile& profile = terabyte(), IdentifySettings settings = {}) {
  return identify_words(profile, settings);
}

bool bit(std::uint16_t word, unsigned number) { return (word >> number & 1) != 0; }

std::string text(const Words& words, std::size_t first, std::size_t count) {
  std::string result;
  for (std::size_t i = first; i < first + count; ++i) {
    result += static_cast<char>(words[i] >> 8);
    result += static_cast<char>(words[i] & 0xFF);
  }
  return result;
}

TEST(DriveIdentify, IsAFixedAtaDevice) { EXPECT_EQ(identify()[0], 0x0040); }

TEST(DriveIdentify, TheDefaultTranslationIsThatOfEveryLargeDisk) {
  EXPECT_EQ(identify()[1], 16'383);
  EXPECT_EQ(identify()[3], 16);
  EXPECT_EQ(identify()[6], 63);
}

TEST(DriveIdentify, Word5HoldsTheSectorsBytesByDepartureOnly) {
  Profile profile = terabyte();
  EXPECT_EQ(identify(profile)[5], 0);
  profile.departures.sector_bytes_in_word_5 = true;
  EXPECT_EQ(identify(profile)[5], 512);
}

TEST(DriveIdentify, TheSerialNumberIsPaddedWithSpaces) { EXPECT_EQ(text(identify(), 10, 10), "5QJ0AEM8            "); }
TEST(DriveIdentify, TheFirmwareIsPaddedWithSpaces) { EXPECT_EQ(text(identify(), 23, 4), "SD15    "); }
TEST(DriveIdentify, TheModelIsPaddedWithSpaces) {
  EXPECT_EQ(text(identify(), 27, 20), "ST31000340AS                            ");
}

TEST(DriveIdentify, TheFirstCharacterOfAStringIsInTheHighByte) { EXPECT_EQ(identify()[27], 'S' << 8 | 'T'); }

TEST(DriveIdentify, AStringOfOddLengthEndsWithASpace) {
  Profile profile = terabyte();
  profile.identity.firmware = "ABC";
  EXPECT_EQ(text(identify(profile), 23, 4), "ABC     ");
}

TEST(DriveIdentify, DmaAndLbaAreSupported) {
  EXPECT_TRUE(bit(identify()[49], 8));
  EXPECT_TRUE(bit(identify()[49], 9));
}

TEST(DriveIdentify, TheSectorsOf28BitsStopAtTheirLimit) {
  EXPECT_EQ(identify()[60] | identify()[61] << 16, 0x0FFFFFFF);
}

TEST(DriveIdentify, TheSectorsOfASmallDiskAreWhole) {
  EXPECT_EQ(identify(small_profile())[60] | identify(small_profile())[61] << 16, 40'000);
}

TEST(DriveIdentify, TheSectorsOf48BitsAreTheCapacity) {
  const Words words = identify();
  EXPECT_EQ(words[100], 1'953'525'168 & 0xFFFF);
  EXPECT_EQ(words[101], 1'953'525'168 >> 16);
  EXPECT_EQ(words[102], 0);
  EXPECT_EQ(words[103], 0);
}

TEST(DriveIdentify, TheQueueDepthIsGivenMinusOne) {
  EXPECT_EQ(identify()[75], 31);
  Profile profile = terabyte();
  profile.interface.queue_depth = 1;
  EXPECT_EQ(identify(profile)[75], 0);
}

TEST(DriveIdentify, TheGenerationsAndQueuingAreNamed) { EXPECT_EQ(identify()[76], 0x0106); }

TEST(DriveIdentify, TheThirdGenerationIsNamed) {
  Profile profile = terabyte();
  profile.interface.generation = 3;
  EXPECT_EQ(identify(profile)[76], 0x010E);
}

TEST(DriveIdentify, WithoutQueuingItsBitIsClear) {
  Profile profile = terabyte();
  profile.interface.ncq = false;
  EXPECT_FALSE(bit(identify(profile)[76], 8));
}

TEST(DriveIdentify, Flushes48BitAddressesAndFuaAreSupportedAndEnabled) {
  const Words words = identify();
  for (const std::size_t word : {83, 86}) {
    EXPECT_TRUE(bit(words[word], 10)) << word;  // 48-bit addresses
    EXPECT_TRUE(bit(words[word], 12)) << word;  // FLUSH CACHE
    EXPECT_TRUE(bit(words[word], 13)) << word;  // FLUSH CACHE EXT
  }
  EXPECT_TRUE(bit(words[84], 6));
  EXPECT_TRUE(bit(words[87], 6));
}

TEST(DriveIdentify, WordsThatProveTheirValidityCarryTheMark) {
  for (const std::size_t word : {50, 83, 84, 87, 106}) EXPECT_EQ(identify()[word] >> 14, 1) << word;
}

TEST(DriveIdentify, TheWriteCacheIsSupportedAndItsStateShown) {
  EXPECT_TRUE(bit(identify(terabyte(), {false, true})[82], 5));
  EXPECT_TRUE(bit(identify(terabyte(), {true, false})[85], 5));
  EXPECT_FALSE(bit(identify(terabyte(), {false, true})[85], 5));
}

TEST(DriveIdentify, ReadLookAheadIsSupportedAndItsStateShown) {
  EXPECT_TRUE(bit(identify(terabyte(), {true, false})[82], 6));
  EXPECT_TRUE(bit(identify(terabyte(), {false, true})[85], 6));
  EXPECT_FALSE(bit(identify(terabyte(), {true, false})[85], 6));
}

TEST(DriveIdentify, TheRotationRateIsShown) { EXPECT_EQ(identify()[217], 7200); }

TEST(DriveIdentify, TheChecksumMakesAllBytesZero) {
  const Words words = identify();
  EXPECT_EQ(words[255] & 0xFF, 0xA5);
  unsigned sum = 0;
  for (const std::uint16_t word : words) sum += (word & 0xFFU) + (word >> 8);
  EXPECT_EQ(sum % 256, 0U);
}

// ---- Serial ATA capabilities

TEST(DriveIdentify, APlainDriveOffersSettingsPreservationAndNothingElse) {
  EXPECT_EQ(identify()[77], 0);
  EXPECT_EQ(identify()[78], 1U << 6);
  EXPECT_EQ(identify()[79], 0);
}

TEST(DriveIdentify, EachCapabilityHasItsBit) {
  struct Case {
    bool SerialAta::*member;
    std::size_t word;
    unsigned bit;
  };
  const Case cases[] = {
      {&SerialAta::buffer_offsets, 78, 1},    {&SerialAta::auto_activate, 78, 2},    {&SerialAta::device_power, 78, 3},
      {&SerialAta::in_order_delivery, 78, 4}, {&SerialAta::ncq_autosense, 78, 7},    {&SerialAta::device_sleep, 78, 8},
      {&SerialAta::host_power, 76, 9},        {&SerialAta::ncq_priority, 76, 12},    {&SerialAta::read_log_dma, 76, 15},
      {&SerialAta::ncq_management, 77, 5},    {&SerialAta::ncq_send_receive, 77, 6}, {&SerialAta::read_log_dma, 119, 3},
      {&SerialAta::read_log_dma, 120, 3},     {&SerialAta::read_log_dma, 86, 15}};
  for (const Case& c : cases) {
    EXPECT_FALSE(bit(identify()[c.word], c.bit)) << c.word << " bit " << c.bit;
    Profile profile = terabyte();
    profile.serial_ata.*c.member = true;
    EXPECT_TRUE(bit(identify(profile)[c.word], c.bit)) << c.word << " bit " << c.bit;
  }
}

TEST(DriveIdentify, EnabledFeaturesStandInWord79AndDevSleepAtItsOwnPlace) {
  EXPECT_EQ(identify(terabyte(), {true, true, true, 0, 1U << 1 | 1U << 4})[79], 0x0012);
  EXPECT_EQ(identify(terabyte(), {true, true, true, 0, 1U << 9})[79], 0x0100);
}

TEST(DriveIdentify, TrimIsNamedWithItsBlocksAndWhatItLeaves) {
  Profile profile = terabyte();
  EXPECT_EQ(identify(profile)[169], 0);
  profile.serial_ata.trim_blocks = 8;
  EXPECT_EQ(identify(profile)[105], 8);
  EXPECT_TRUE(bit(identify(profile)[169], 0));
  EXPECT_TRUE(bit(identify(profile)[69], 14));
}

TEST(DriveIdentify, TheBlockOfReadMultipleIsShownOnceItIsSet) {
  EXPECT_EQ(identify()[47], 0x8010);
  EXPECT_EQ(identify()[59], 0);
  EXPECT_EQ(identify(terabyte(), {true, true, true, 8, 0})[59], 0x0108);
}

TEST(DriveIdentify, TheGeneralPurposeLogIsSupportedAndEnabled) {
  EXPECT_TRUE(bit(identify()[84], 5));
  EXPECT_TRUE(bit(identify()[87], 5));
}

TEST(DriveIdentify, SmartIsSupportedAndItsStateShown) {
  EXPECT_TRUE(bit(identify()[82], 0));
  EXPECT_TRUE(bit(identify()[85], 0));
  EXPECT_FALSE(bit(identify(terabyte(), {true, true, false, 0, 0})[85], 0));
}

// ---- the command

TEST(DriveIdentify, TheCommandIsOnePioBlock) {
  AtaHost host;
  host.start();
  host.command(0xEC);
  host.run();
  EXPECT_THAT(host.lines(), testing::ElementsAre("PIO in 58, then 50, 512 bytes I", "Data 512"));
}

TEST(DriveIdentify, TheCommandSendsTheWordsLittleEndian) {
  AtaHost host;
  host.start();
  host.command(0xEC);
  host.run();
  const Words words = identify(small_profile(), {true, true, true, 0, 1U << 6});
  const AtaHost::Bytes bytes = host.data();
  ASSERT_EQ(bytes.size(), 512U);
  for (std::size_t i = 0; i < 256; ++i) ASSERT_EQ(bytes[2 * i] | bytes[2 * i + 1] << 8, words[i]) << "word " << i;
}

TEST(DriveIdentify, TheCommandShowsWhatSetFeaturesSwitched) {
  AtaHost host;
  host.start();
  for (const std::uint16_t feature : {0x82, 0x55}) {
    host.command(0xEF, 0, 0, feature);
    host.run();
  }
  host.sent.clear();
  host.command(0xEC);
  host.run();
  EXPECT_EQ(host.data().at(2 * 85) & 0x60, 0);
}

}  // namespace
}  // namespace ncqlab::drive
