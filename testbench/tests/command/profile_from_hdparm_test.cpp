// `ncqlab profile from-hdparm`: what becomes of a drive's 256 words, and of files that are none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "model/config/drive_profile.h"
#include "model/config/error.h"
#include "model/drive/ata/identify.h"
#include "testbench/cli/profile_draft.h"

namespace ncqlab::cli {
namespace {

using testing::ElementsAre;

// Made up after ACS-3: a drive of 8 TB with physical sectors of 4096 bytes.
constexpr const char* kDump = "testbench/tests/command/data/hdparm_8tb.txt";

std::string dump() {
  std::ifstream stream(kDump);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

class ProfileFromHdparm : public testing::Test {
 protected:
  ~ProfileFromHdparm() override { std::remove(path.c_str()); }
  // The dump with one word replaced; its checksum is taken out.
  void write_with(std::size_t word, const std::string& digits) {
    std::string text = dump();
    text.replace(place_of(255), 4, "0000");
    text.replace(place_of(word), 4, digits);
    write(text);
  }
  static std::size_t place_of(std::size_t word) { return std::string("\n/dev/sda:\n").size() + word * 5; }
  void write(const std::string& text) { std::ofstream(path, std::ios::binary) << text; }
  std::vector<std::string> errors() const {
    try {
      profile_from_hdparm(path);
    } catch (const config::ConfigError& e) {
      return e.lines();
    }
    return {};
  }
  drive::Profile profile() const {
    return config::read_drive_profile(config::Document::parse(profile_from_hdparm(path), "p.json"), "p");
  }

  std::string path = testing::TempDir() + "ncqlab_from_hdparm.txt";
};

TEST_F(ProfileFromHdparm, NamesCapacityAndLinkAreTheDrives) {
  write(dump());
  const drive::Profile p = profile();
  EXPECT_EQ(p.identity.model, "HGST HUH728080ALE604");
  EXPECT_EQ(p.identity.serial, "VAGTEST8");
  EXPECT_EQ(p.identity.firmware, "A380W514");
  EXPECT_EQ(p.capacity_sectors, 15'628'053'168U);
  EXPECT_EQ(p.interface.generation, 3U);
  EXPECT_EQ(p.interface.queue_depth, 32U);
  EXPECT_TRUE(p.interface.ncq);
  EXPECT_EQ(p.mechanics.rpm, 7200);
  EXPECT_EQ(p.physical_sectors.bytes, 4096U);
  EXPECT_EQ(p.physical_sectors.lba_0_offset, 0U);
  EXPECT_TRUE(p.write_cache.enabled);
}

TEST_F(ProfileFromHdparm, FeaturesFollowFromTheirWords) {
  write(dump());
  const drive::Profile p = profile();
  EXPECT_TRUE(p.features.unload);
  EXPECT_TRUE(p.features.power_up_in_standby);
  EXPECT_TRUE(p.features.security);
  EXPECT_TRUE(p.features.download_microcode);
  EXPECT_TRUE(p.features.accessible_max_address);
  EXPECT_FALSE(p.features.host_protected_area) << "the newer one stands for both";
  EXPECT_TRUE(p.serial_ata.host_power);
  EXPECT_TRUE(p.serial_ata.ncq_priority);
  EXPECT_FALSE(p.serial_ata.ncq_management);
}

TEST_F(ProfileFromHdparm, TheModelAnswersWithTheDrivesOwnWords) {
  write(dump());
  const drive::IdentifyWords words = drive::identify_words(profile(), {});
  for (const std::size_t word : {27, 36, 46, 100, 101, 102, 103, 106, 108, 111, 209, 217, 222}) {
    EXPECT_EQ(words[word], std::stoul(dump().substr(place_of(word), 4), nullptr, 16)) << word;
  }
}

TEST_F(ProfileFromHdparm, WhatNobodySaidIsMarkedAsAnEstimate) {
  write(dump());
  const std::string text = profile_from_hdparm(path);
  const std::string words = "what drives of this capacity and speed are like";
  EXPECT_NE(text.find("{\"of\": \"/mechanics\", \"source\": \"" + words + "\", \"standing\": \"estimate\"}"),
            std::string::npos);
}

TEST_F(ProfileFromHdparm, ARotationRateOf1IsFlash) {
  write_with(217, "0001");
  EXPECT_TRUE(profile().mechanics.flash);
}

TEST_F(ProfileFromHdparm, WithoutARateItTurns7200Times) {
  write_with(217, "0000");
  EXPECT_EQ(profile().mechanics.rpm, 7200);
}

TEST_F(ProfileFromHdparm, ADriveWithoutSerialAtaWordsHasNoQueue) {
  write_with(76, "0000");
  EXPECT_FALSE(profile().interface.ncq);
}

TEST_F(ProfileFromHdparm, DrivesOfAnyCapacityGetAProfile) {
  // Up to 140 TB: beyond that the loader says that there are too many cylinders.
  for (const char* const low : {"0010", "0040"}) {
    for (const std::size_t word : {100, 101, 102}) {
      std::string text = dump();
      text.replace(place_of(255), 4, "0000");
      for (const std::size_t other : {100, 101, 102}) text.replace(place_of(other), 4, other == word ? low : "0000");
      write(text);
      EXPECT_THAT(errors(), ElementsAre()) << "word " << word << " is " << low;
    }
  }
}

// ---- what is wrong is named with file, line and what was expected

TEST_F(ProfileFromHdparm, AFileThatIsNotThere) {
  EXPECT_THAT(errors(), ElementsAre(path + ": cannot be read, or is empty; expected a text file"));
}
TEST_F(ProfileFromHdparm, AWordThatIsNone) {
  write_with(9, "00g0");
  EXPECT_THAT(errors(), ElementsAre(path + ":4: found \"00g0\", expected words of four hexadecimal digits, as hdparm "
                                           "--Istdout prints them"));
}
TEST_F(ProfileFromHdparm, TooFewWords) {
  write(dump().substr(0, place_of(248)));
  EXPECT_THAT(errors(), ElementsAre(path + ":33: the file ends after 248 words, expected 256"));
}
TEST_F(ProfileFromHdparm, TwoDrivesInOneFile) {
  write(dump() + dump());
  EXPECT_THAT(errors(), ElementsAre(path + ":37: more than 256 words, expected the words of one drive"));
}
TEST_F(ProfileFromHdparm, AChecksumThatDoesNotFit) {
  std::string text = dump();
  text.replace(place_of(100), 4, "0001");
  write(text);
  EXPECT_THAT(errors(),
              ElementsAre(path + ":34: word 255: the checksum of all words does not fit, expected an unchanged "
                                 "dump"));
}
TEST_F(ProfileFromHdparm, AnOpticalDrive) {
  write_with(0, "85c0");
  EXPECT_THAT(errors(),
              ElementsAre(path + ":3: word 0: bit 15 is set: no ATA device, expected a disk's IDENTIFY DEVICE"));
}
TEST_F(ProfileFromHdparm, LogicalSectorsOf4096Bytes) {
  std::string text = dump();
  text.replace(place_of(255), 4, "0000");
  text.replace(place_of(106), 4, "5000");
  text.replace(place_of(117), 4, "0800");
  write(text);
  EXPECT_THAT(errors(),
              ElementsAre(path + ":16: word 106: logical sectors of 4096 bytes, expected 512 bytes: this model "
                                 "has no others"));
}

}  // namespace
}  // namespace ncqlab::cli
