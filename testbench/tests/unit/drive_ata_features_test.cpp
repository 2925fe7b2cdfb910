// Optional feature sets as a host sees them: power modes, capacity, security, SMART, SCT, logs, microcode.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "testbench/tests/unit/drive_ata_host.h"

namespace ncqlab::drive {
namespace {

using testing::ElementsAre;

const char* const kDone = "D2H 50 00 I";
const char* const kAborted = "D2H 51 04 I";
constexpr std::uint64_t kSmartKey = 0xC2'4F00;
constexpr sim::Time kSpinUp = 8 * sim::kSecond;

Profile every_feature() {
  Profile profile = small_profile();
  FeatureSets& features = profile.features;
  features.unload = features.power_up_in_standby = features.advanced_power_management = true;
  features.acoustic_management = features.host_protected_area = features.security = true;
  features.download_microcode = features.write_uncorrectable = features.sense_data_reporting = true;
  features.buffers = features.device_statistics = features.phy_event_counters = features.identify_data_log = true;
  profile.spindle = {kSpinUp, 1 * sim::kSecond};
  profile.erase = {600 * sim::kSecond, 300 * sim::kSecond};
  profile.smart.present = true;
  profile.smart.attributes = {{0x05, 0x0033, 100, 100, 36, 7}, {0xC5, 0x0012, 100, 100, 0, 0}};
  profile.smart.short_self_test = 60 * sim::kSecond;
  profile.smart.extended_self_test = 600 * sim::kSecond;
  profile.smart.temperature_celsius = 33;
  profile.sct.present = true;
  profile.serial_ata.read_log_dma = true;
  return profile;
}

class DriveAtaFeatures : public testing::Test {
 protected:
  void SetUp() override { host.start(); }
  std::string answer_to(std::uint8_t opcode, std::uint64_t lba = 0, std::uint16_t count = 0,
                        std::uint16_t features = 0) {
    host.sent.clear();
    host.command(opcode, lba, count, features);
    host.run();
    return host.sent.empty() ? "" : host.sent.back().line;
  }
  std::string answer_with(const AtaHost::Bytes& page, std::uint8_t opcode, std::uint64_t lba = 0,
                          std::uint16_t count = 0, std::uint16_t features = 0) {
    host.outgoing = page;
    return answer_to(opcode, lba, count, features);
  }
  std::uint16_t identify_word(std::size_t word) {
    answer_to(0xEC);
    const AtaHost::Bytes bytes = host.data();
    return static_cast<std::uint16_t>(bytes.at(2 * word) | bytes.at(2 * word + 1) << 8);
  }
  std::uint16_t power_mode() {
    answer_to(0xE5);
    return host.last_status().count;
  }
  static AtaHost::Bytes password(const std::string& text, std::uint8_t who = 0, std::uint8_t level = 0) {
    AtaHost::Bytes page(kSector_bytes);
    page[0] = who;
    page[1] = level;
    std::copy(text.begin(), text.end(), page.begin() + 2);
    return page;
  }
  void power_cycle() {
    host.drive.power_on();
    host.start();
  }

  AtaHost host{every_feature()};
};

// ---- power

TEST_F(DriveAtaFeatures, TheStandbyTimersCountIsThatOfTheStandard) {
  EXPECT_EQ(PowerModes::standby_period(0), 0);
  EXPECT_EQ(PowerModes::standby_period(1), 5 * sim::kSecond);
  EXPECT_EQ(PowerModes::standby_period(240), 20 * 60 * sim::kSecond);
  EXPECT_EQ(PowerModes::standby_period(241), 30 * 60 * sim::kSecond);
  EXPECT_EQ(PowerModes::standby_period(251), 330 * 60 * sim::kSecond);
  EXPECT_EQ(PowerModes::standby_period(252), 21 * 60 * sim::kSecond);
  EXPECT_EQ(PowerModes::standby_period(255), (21 * 60 + 15) * sim::kSecond);
}

TEST_F(DriveAtaFeatures, TheTimerPutsAnIdleDriveIntoStandbyAndNotBefore) {
  answer_to(0xE3, 0, 1);
  const sim::Time idle = host.now();
  host.run_until(idle + 4 * sim::kSecond);
  EXPECT_EQ(power_mode(), 0x80);
  host.run_until(host.now() + 5 * sim::kSecond);
  EXPECT_EQ(power_mode(), 0x00);
}

TEST_F(DriveAtaFeatures, AReadInStandbyWaitsForTheSpindle) {
  answer_to(0xE0);
  host.run_until(host.now() + 10 * sim::kSecond);
  const sim::Time asked = host.now();
  EXPECT_EQ(answer_to(0x25, 50, 1), kDone);
  EXPECT_GE(host.time_of(kDone), asked + kSpinUp);
  EXPECT_LT(host.time_of(kDone), asked + kSpinUp + 3 * kRevolution);
  EXPECT_EQ(power_mode(), 0xFF);
}

TEST_F(DriveAtaFeatures, UnloadingAnswersC4h) {
  EXPECT_EQ(answer_to(0xE1, 0x55'4E4C, 0, 0x44), kDone);
  EXPECT_EQ(host.last_status().lba & 0xFF, 0xC4U);
  EXPECT_EQ(answer_to(0xE1, 0x55'4E4D, 0, 0x44), kAborted);
}

// The heads by themselves: a second to come back, after a minute of rest.
class DriveHeadUnload : public testing::Test {
 protected:
  DriveHeadUnload() {
    profile.features.unload = true;
    profile.head_unload = {1 * sim::kSecond, 60 * sim::kSecond};
    power.power_on(0);
  }
  void unload_at(sim::Time now) {
    sata::RegisterH2D fis;
    fis.features = 0x44;
    fis.lba = 0x55'4E4C;
    power.idle(fis, true, now);
  }
  Profile profile = small_profile();
  PowerModes power{profile};
};

TEST_F(DriveHeadUnload, TheyLeaveAfterTheirRestAndNotBefore) {
  EXPECT_FALSE(power.resting(60 * sim::kSecond - 1));
  EXPECT_TRUE(power.resting(60 * sim::kSecond));
  EXPECT_EQ(power.spin_up(60 * sim::kSecond), 61 * sim::kSecond);
  EXPECT_EQ(power.head_loads(), 2U);
}

TEST_F(DriveHeadUnload, UsePutsTheRestOffAndOtherCommandsDoNot) {
  power.heads_used(30 * sim::kSecond);
  power.used(80 * sim::kSecond);
  EXPECT_FALSE(power.resting(90 * sim::kSecond - 1));
  EXPECT_TRUE(power.resting(90 * sim::kSecond));
}

TEST_F(DriveHeadUnload, IdleImmediateWithUnloadSendsThemAwayAtOnce) {
  unload_at(5 * sim::kSecond);
  EXPECT_TRUE(power.resting(5 * sim::kSecond));
  EXPECT_EQ(power.spin_up(6 * sim::kSecond), 7 * sim::kSecond);
  EXPECT_FALSE(power.resting(7 * sim::kSecond));
}

TEST_F(DriveHeadUnload, WithoutTheSectionTheWayBackTakesNoTime) {
  profile.head_unload = {};
  unload_at(5 * sim::kSecond);
  EXPECT_EQ(power.spin_up(6 * sim::kSecond), 6 * sim::kSecond);
}

TEST_F(DriveAtaFeatures, InPowerUpStandbyTheMediaWaitForTheSpinUpCommand) {
  EXPECT_EQ(answer_to(0xEF, 0, 0, 0x06), kDone);
  power_cycle();
  EXPECT_EQ(power_mode(), 0x00);
  EXPECT_EQ(identify_word(2), 0x738C);
  EXPECT_EQ(answer_to(0x25, 50, 1), kAborted);
  EXPECT_EQ(answer_to(0xEF, 0, 0, 0x07), kDone);
  EXPECT_EQ(answer_to(0x25, 50, 1), kDone);
  EXPECT_EQ(identify_word(2), 0xC837);
}

// ---- SET FEATURES

TEST_F(DriveAtaFeatures, ATransferModeThatIsNotAnnouncedIsAborted) {
  EXPECT_EQ(answer_to(0xEF, 0, 0x22, 0x03), kDone);
  EXPECT_EQ(identify_word(63), 0x0407);
  EXPECT_EQ(identify_word(88), 0x007F);
  EXPECT_EQ(answer_to(0xEF, 0, 0x47, 0x03), kAborted);
  EXPECT_EQ(answer_to(0xEF, 0, 0x10, 0x03), kAborted);
}

TEST_F(DriveAtaFeatures, PowerAndAcousticLevelsAreShown) {
  answer_to(0xEF, 0, 0x80, 0x05);
  answer_to(0xEF, 0, 0x90, 0x42);
  EXPECT_EQ(identify_word(91), 0x80);
  EXPECT_EQ(identify_word(94), 0x8090);
  EXPECT_EQ(answer_to(0xEF, 0, 0x00, 0x05), kAborted);
  EXPECT_EQ(answer_to(0xEF, 0, 0x7F, 0x42), kAborted);
}

TEST_F(DriveAtaFeatures, AnErrorsSenseDataCanBeAskedFor) {
  answer_to(0xEF, 0, 1, 0xC3);
  host.drive.mark_unreadable(50);
  EXPECT_EQ(answer_to(0x25, 50, 1), "D2H 53 40 I");
  EXPECT_EQ(answer_to(0x0B), kDone);
  EXPECT_EQ(host.last_status().lba, 0x03'1100U);
}

// ---- capacity

TEST_F(DriveAtaFeatures, SetMaxAddressMustFollowReadNativeMaxAddress) {
  EXPECT_EQ(answer_to(0x37, 9'999), kAborted);
  answer_to(0x27);
  EXPECT_EQ(answer_to(0x37, 9'999), kDone);
  EXPECT_EQ(identify_word(100), 10'000);
  EXPECT_EQ(answer_to(0x25, 9'999, 1), kDone);
  EXPECT_EQ(answer_to(0x25, 10'000, 1), "D2H 51 10 I");
}

TEST_F(DriveAtaFeatures, OnlyALastingMaximumOutlivesAPowerCycle) {
  answer_to(0x27);
  answer_to(0x37, 9'999, 0);
  power_cycle();
  EXPECT_EQ(identify_word(100), 40'000);
  answer_to(0x27);
  answer_to(0x37, 9'999, 1);
  power_cycle();
  EXPECT_EQ(identify_word(100), 10'000);
}

// ---- security

TEST_F(DriveAtaFeatures, ADriveWithAPasswordIsLockedFromTheNextPowerOn) {
  EXPECT_EQ(answer_with(password("secret"), 0xF1), kDone);
  EXPECT_EQ(identify_word(128), 0x0023);
  power_cycle();
  EXPECT_EQ(identify_word(128), 0x0027);
  EXPECT_EQ(answer_to(0x25, 50, 1), kAborted);
  EXPECT_EQ(answer_with(password("wrong"), 0xF2), kAborted);
  EXPECT_EQ(answer_with(password("secret"), 0xF2), kDone);
  EXPECT_EQ(answer_to(0x25, 50, 1), kDone);
}

TEST_F(DriveAtaFeatures, TheFifthWrongPasswordIsTheLast) {
  answer_with(password("secret"), 0xF1);
  power_cycle();
  for (int i = 0; i < 5; ++i) answer_with(password("wrong"), 0xF2);
  EXPECT_EQ(answer_with(password("secret"), 0xF2), kAborted);
  EXPECT_EQ(identify_word(128), 0x0037);
}

TEST_F(DriveAtaFeatures, AnEraseMustBePreparedAndTakesItsTime) {
  host.outgoing = AtaHost::filled(1, 0x11);
  answer_to(0x35, 50, 1);
  answer_with(password("secret"), 0xF1);
  EXPECT_EQ(answer_with(password("secret"), 0xF4), kAborted);
  answer_to(0xF3);
  const sim::Time asked = host.now();
  EXPECT_EQ(answer_with(password("secret"), 0xF4), kDone);
  EXPECT_GE(host.time_of(kDone), asked + 600 * sim::kSecond);
  answer_to(0x25, 50, 1);
  EXPECT_EQ(host.data(), AtaHost::factory(50, 1));
}

// ---- SMART

TEST_F(DriveAtaFeatures, AttributesCountWhatCannotBeRead) {
  host.drive.mark_unreadable(50);
  answer_to(0xB0, kSmartKey, 1, 0xD0);
  const AtaHost::Bytes page = host.data();
  ASSERT_EQ(page.size(), 512U);
  EXPECT_EQ(page[2], 0x05);
  EXPECT_EQ(page[2 + 5], 7);
  EXPECT_EQ(page[14], 0xC5);
  EXPECT_EQ(page[14 + 3], 99);
  EXPECT_EQ(page[14 + 5], 1);
  EXPECT_EQ(std::accumulate(page.begin(), page.end(), 0U) & 0xFF, 0U);
}

TEST_F(DriveAtaFeatures, ASelfTestEndsAtTheSectorThatCannotBeRead) {
  host.drive.mark_unreadable(19'999);
  EXPECT_EQ(answer_to(0xB0, kSmartKey | 2, 0, 0xD4), kDone);
  host.run_until(host.now() + 301 * sim::kSecond);
  answer_to(0xB0, kSmartKey | 6, 1, 0xD5);
  const AtaHost::Bytes log = host.data();
  ASSERT_EQ(log.size(), 512U);
  EXPECT_EQ(log[2], 2);
  EXPECT_EQ(log[3] >> 4, 7);
  EXPECT_EQ(log[7] | log[8] << 8, 19'999);
  EXPECT_EQ(log[508], 1);
}

TEST_F(DriveAtaFeatures, AnUncorrectableErrorIsLoggedWithItsCommand) {
  EXPECT_EQ(answer_to(0x45, 60, 1, 0x55), kDone);
  EXPECT_EQ(answer_to(0x25, 60, 1), "D2H 51 40 I");
  answer_to(0xB0, kSmartKey | 1, 1, 0xD5);
  const AtaHost::Bytes log = host.data();
  ASSERT_EQ(log.size(), 512U);
  EXPECT_EQ(log[1], 1);
  EXPECT_EQ(log[2 + 4 * 12 + 7], 0x25);
  EXPECT_EQ(log[2 + 60 + 1], 0x40);
  EXPECT_EQ(log[2 + 60 + 3], 60);
}

// ---- logs and SCT

TEST_F(DriveAtaFeatures, TheDirectoryNamesTheLogsThatCanBeRead) {
  answer_to(0x2F, 0, 1);
  const AtaHost::Bytes directory = host.data();
  ASSERT_EQ(directory.size(), 512U);
  for (unsigned address = 1; address < 256; ++address) {
    const auto pages = static_cast<std::uint16_t>(directory[2 * address] | directory[2 * address + 1] << 8);
    const bool readable = pages != 0 && address != 0xE1;
    EXPECT_EQ(answer_to(0x2F, address, pages == 0 ? 1 : pages) != kAborted, readable) << address;
    EXPECT_EQ(answer_to(0x2F, address, static_cast<std::uint16_t>(pages + 1)), kAborted) << address;
  }
}

TEST_F(DriveAtaFeatures, AHostLogKeepsWhatWasWritten) {
  const AtaHost::Bytes page = AtaHost::filled(1, 0x5A);
  EXPECT_EQ(answer_with(page, 0x3F, 0x0380, 1), kDone);
  answer_to(0x2F, 0x0380, 1);
  EXPECT_EQ(host.data(), page);
}

TEST_F(DriveAtaFeatures, AnErrorRecoveryLimitIsSetAndReturned) {
  AtaHost::Bytes page(kSector_bytes);
  page[0] = 3;
  page[2] = 1;
  page[4] = 1;
  page[6] = 70;
  EXPECT_EQ(answer_with(page, 0x3F, 0xE0, 1), kDone);
  EXPECT_EQ(host.drive.error_recovery().read_recovery_limit(), 7 * sim::kSecond);
  page[2] = 2;
  EXPECT_EQ(answer_with(page, 0x3F, 0xE0, 1), kDone);
  EXPECT_EQ(host.last_status().count, 70);
}

// ---- microcode

TEST_F(DriveAtaFeatures, AnImageBringsItsRevisionAndADamagedOneDoesNot) {
  const std::string header = "NCQLABFWFW02    ";
  AtaHost::Bytes image(kSector_bytes);
  std::copy(header.begin(), header.end(), image.begin());
  image[16] = 1;
  EXPECT_EQ(answer_with(image, 0x92, 0, 1, 0x07), kAborted);
  image[511] = static_cast<std::uint8_t>(-std::accumulate(image.begin(), image.end(), 0));
  EXPECT_EQ(answer_with(image, 0x92, 0, 1, 0x07), kDone);
  EXPECT_EQ(host.drive.firmware(), "FW02");
  EXPECT_EQ(identify_word(23), 'F' << 8 | 'W');
}

TEST_F(DriveAtaFeatures, TheBufferGivesBackWhatWasWritten) {
  const AtaHost::Bytes page = AtaHost::filled(1, 0x77);
  EXPECT_EQ(answer_with(page, 0xE8), kDone);
  answer_to(0xE4);
  EXPECT_EQ(host.data(), page);
}

}  // namespace
}  // namespace ncqlab::drive
