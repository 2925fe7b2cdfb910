// Every shipped drive profile: it loads without a warning, a disk can be made of it, and its IDENTIFY DEVICE decodes to
// what such a drive says (ACS-3, 7.12.7).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "model/config/drive_profile.h"
#include "model/config/files.h"
#include "model/drive/ata/identify.h"
#include "model/drive/mechanics/mechanism.h"

namespace ncqlab::drive {
namespace {

class ShippedDrive : public testing::TestWithParam<std::string> {
 protected:
  std::vector<std::string> warnings;
  Profile profile = config::load_drive_profile(GetParam(), &warnings);
  IdentifyWords words = identify_words(profile, {});
  bool bit(std::size_t word, unsigned number) const { return (words[word] >> number & 1) != 0; }
};

TEST_P(ShippedDrive, LoadsWithoutAWarning) { EXPECT_THAT(warnings, testing::IsEmpty()); }

TEST_P(ShippedDrive, HoldsItsCapacityInAnyLayout) {
  for (std::uint64_t number = 0; number < 3; ++number) {
    const MechanicsTables tables(profile.mechanics, profile.capacity_sectors, Layout{number});
    EXPECT_EQ(tables.geometry.locate(profile.capacity_sectors - 1).track_end, profile.capacity_sectors);
  }
}

// From 1.5 to 24 ms at the ends: what any disk of the last thirty years is within; the image disk is quicker.
TEST_P(ShippedDrive, HasASeekCurveThatRisesUnlessNothingMoves) {
  const auto tables = std::make_shared<const MechanicsTables>(profile.mechanics, profile.capacity_sectors, Layout{});
  if (profile.mechanics.flash) {
    const Mechanism mechanism(tables);
    const Location far = mechanism.locate(profile.capacity_sectors - 1);
    EXPECT_EQ(mechanism.way(0, far, false), profile.mechanics.flash->read_access);
    return;
  }
  const SeekTable& seek = tables->seek;
  for (std::uint32_t d = 1; d < seek.cylinders(); ++d) ASSERT_GE(seek[d], seek[d - 1]) << d;
  EXPECT_LT(sim::to_ms(seek[seek.cylinders() - 1]), 24);
}

TEST_P(ShippedDrive, SaysItsCapacityIn28And48Bits) {
  std::uint64_t sectors = 0;
  for (std::size_t i = 0; i < 4; ++i) sectors |= static_cast<std::uint64_t>(words[100 + i]) << (16 * i);
  EXPECT_EQ(sectors, profile.capacity_sectors);
  EXPECT_EQ(words[60] | static_cast<std::uint64_t>(words[61]) << 16, std::min<std::uint64_t>(sectors, 0x0FFFFFFF));
}

TEST_P(ShippedDrive, NamesItsLinkRatesAndItsQueue) {
  for (unsigned generation = 1; generation <= 3; ++generation) {
    EXPECT_EQ(bit(76, generation), generation <= profile.interface.generation) << generation;
  }
  EXPECT_FALSE(bit(76, 0));
  EXPECT_EQ(bit(76, 8), profile.interface.ncq);
  EXPECT_EQ(words[75] + 1U, profile.interface.queue_depth);
}

TEST_P(ShippedDrive, MarksItsCommandSetWordsAsValid) {
  for (const std::size_t word : {83, 84, 87}) EXPECT_EQ(words[word] >> 14, 1) << word;
  EXPECT_NE(words[80], 0) << "the versions of ATA";
  EXPECT_TRUE(bit(83, 10)) << "48-bit addresses";
  EXPECT_TRUE(bit(82, 5)) << "a write cache";
}

TEST_P(ShippedDrive, SaysHowItsSectorsLie) {
  EXPECT_EQ(words[106] >> 14, 1);
  EXPECT_EQ(bit(106, 13), profile.physical_sectors.bytes > 512);
  EXPECT_EQ(512U << (words[106] & 0xFU), profile.physical_sectors.bytes);
  EXPECT_FALSE(bit(106, 12)) << "logical sectors of 512 bytes";
  EXPECT_EQ(words[209] >> 14, profile.physical_sectors.bytes > 512 ? 1 : 0);
}

TEST_P(ShippedDrive, SaysHowFastItTurns) {
  if (profile.mechanics.flash) {
    EXPECT_EQ(words[217], 1);
  } else {
    EXPECT_GE(words[217], 0x0401);  // the least that the standard has for a rate
    EXPECT_EQ(words[217], std::lround(profile.mechanics.rpm));
  }
}

TEST_P(ShippedDrive, HasARightChecksum) {
  unsigned sum = 0;
  for (const std::uint16_t word : words) sum += (word & 0xFFU) + (word >> 8U);
  EXPECT_EQ(sum & 0xFFU, 0U);
}

std::vector<std::string> names() { return config::file_names(config::kDriveFiles); }
std::string as_test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
}
INSTANTIATE_TEST_SUITE_P(All, ShippedDrive, testing::ValuesIn(names()), as_test_name);

TEST(ShippedDrives, ThoseThatThePublishedTablesNeedAreThere) {
  EXPECT_THAT(names(),
              testing::IsSupersetOf({"st31000340as", "st3120827as", "7b300s0", "st3400832as", "st3200826as",
                                     "hds725050kla360", "hts543232l9a300", "hus728t8tale6l4", "st18000nm000j", "ssd"}));
}

TEST(ShippedDrives, LargeOnesHavePhysicalSectorsOf4096Bytes) {
  for (const char* name : {"hus728t8tale6l4", "st18000nm000j"}) {
    const IdentifyWords words = identify_words(config::load_drive_profile(name), {});
    EXPECT_EQ(words[106], 0x6003) << name;
    EXPECT_EQ(words[209], 0x4000) << name;
  }
}

// The average seek that the maker states, weighted as makers do: over all pairs of cylinders.
TEST(ShippedDrives, DataSheetsAverageSeeksAreMet) {
  const std::pair<const char*, double> stated[] = {
      {"hds725050kla360", 8.2}, {"hts543232l9a300", 12.0}, {"hus728t8tale6l4", 8.0}};
  for (const auto& [name, average_ms] : stated) {
    const Profile profile = config::load_drive_profile(name);
    const MechanicsTables tables(profile.mechanics, profile.capacity_sectors, Layout{});
    const double cylinders = tables.seek.cylinders();
    double sum = 0;
    for (std::uint32_t d = 1; d < tables.seek.cylinders(); ++d) sum += 2 * (cylinders - d) * sim::to_ms(tables.seek[d]);
    EXPECT_NEAR(sum / (cylinders * (cylinders - 1)), average_ms, 0.02 * average_ms) << name;
  }
}

}  // namespace
}  // namespace ncqlab::drive
