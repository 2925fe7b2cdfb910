// A drive in which nothing turns.
#include <gtest/gtest.h>

#include "model/drive/ata/identify.h"
#include "model/drive/mechanics/flash.h"
#include "testbench/tests/unit/drive_disk_bench.h"

namespace ncqlab::drive {
namespace {

// 100 us to read, 40 us to write, 512 bytes in 1 us.
Profile flash_profile() {
  Profile profile = small_profile();
  profile.capacity_sectors = 1'000'000'000;
  profile.mechanics = flash_mechanics({100 * kUs, 40 * kUs, 512'000'000}, profile.capacity_sectors);
  return profile;
}

class DriveFlash : public testing::Test {
 protected:
  sim::Time way(std::uint64_t lba, bool write) const { return mechanism.way(0, mechanism.locate(lba), write); }
  Mechanism mechanism{tables_of(flash_profile())};
};

TEST_F(DriveFlash, EveryAccessTakesAsLong) {
  EXPECT_EQ(way(0, false), 100 * kUs);
  EXPECT_EQ(way(1, false), 100 * kUs);
  EXPECT_EQ(way(999'999'999, false), 100 * kUs);
  EXPECT_EQ(way(999'999'999, true), 40 * kUs);
}

TEST_F(DriveFlash, SectorsPassAtItsRateWithoutAGapAnywhere) {
  Pass pass;
  pass.begin(12'345, mechanism.locate(12'345), 0, false);
  EXPECT_NEAR(static_cast<double>(pass.reached(mechanism, 12'346)), 1.0 * kUs, 2.0);
  EXPECT_NEAR(static_cast<double>(pass.reached(mechanism, 12'345 + 1'000'000)), 1e6 * kUs, 1e3 * kUs / 1e3);
}

TEST_F(DriveFlash, TheTableOfASeekIsSmallWhateverTheCapacity) { EXPECT_LE(mechanism.geometry().cylinders(), 65'536U); }

TEST_F(DriveFlash, NoneOfAWayIsRotation) {
  const Location there = mechanism.locate(5);
  EXPECT_EQ(mechanism.rotation_in(way(5, false), there, false), 0);
}

TEST(DriveFlashIdentify, TheRotationRateSaysThatNothingTurns) {
  EXPECT_EQ(identify_words(flash_profile(), {})[217], 1U);
  EXPECT_EQ(identify_words(small_profile(), {})[217], 6000U);
}

}  // namespace
}  // namespace ncqlab::drive
