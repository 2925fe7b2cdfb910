// Sectors that give trouble, alone and in a drive: retries, time limits, what writing makes of them, and their counts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testbench/tests/unit/drive_ata_host.h"

namespace ncqlab::drive {
namespace {

using testing::Contains;
using Kind = Defect::Kind;

constexpr std::uint8_t kReadDma = 0x25;
constexpr std::uint8_t kWriteDma = 0x35;
constexpr std::uint8_t kFlush = 0xEA;
const char* const kGood = "D2H 50 00 I";
const char* const kUnc = "D2H 51 40 I";

class Table : public testing::Test {
 protected:
  DefectHandling handling{7, 3, 2};
  Defects defects{handling};
};
using DriveDefects = Table;

TEST_F(DriveDefects, AnUnreadableSectorIsGivenUpAfterTheRetries) {
  defects.add(50, {Kind::unreadable});
  const auto trouble = defects.first_trouble(Operation::read, {0, 100});
  ASSERT_TRUE(trouble);
  EXPECT_EQ(trouble->lba, 50U);
  EXPECT_EQ(trouble->revolutions, 7U);
  EXPECT_TRUE(trouble->hopeless);
  EXPECT_FALSE(defects.first_trouble(Operation::write, {0, 100}));
  EXPECT_FALSE(defects.first_trouble(Operation::read, {51, 100}));
  EXPECT_FALSE(defects.first_trouble(Operation::read, {0, 50}));
}

TEST_F(DriveDefects, ASlowSectorIsReadAfterRevolutionsOfItsOwn) {
  defects.add(50, {Kind::slow, 4});
  const auto trouble = defects.first_trouble(Operation::read, {50, 51});
  ASSERT_TRUE(trouble);
  EXPECT_EQ(trouble->revolutions, 4U);
  EXPECT_FALSE(trouble->hopeless);
  EXPECT_EQ(defects.pending(), 0U);
}

TEST_F(DriveDefects, WritingMakesAnUnreadableSectorGoodAndLeavesASlowOneSlow) {
  defects.add(50, {Kind::unreadable});
  defects.add(51, {Kind::slow, 1});
  EXPECT_EQ(defects.pending(), 1U);
  defects.written({0, 100});
  EXPECT_EQ(defects.pending(), 0U);
  EXPECT_EQ(defects.reallocated(), 0U);
  EXPECT_EQ(defects.first_trouble(Operation::read, {0, 100})->lba, 51U);
}

TEST_F(DriveDefects, WritingADamagedSectorTakesASpareUntilThereIsNone) {
  for (const std::uint64_t lba : {10, 20, 30}) defects.add(lba, {Kind::damaged});
  EXPECT_EQ(defects.first_trouble(Operation::write, {10, 11})->revolutions, 3U);
  EXPECT_FALSE(defects.first_trouble(Operation::write, {10, 11})->hopeless);
  defects.written({0, 25});
  EXPECT_EQ(defects.reallocated(), 2U);
  EXPECT_EQ(defects.pending(), 1U);
  EXPECT_TRUE(defects.first_trouble(Operation::write, {30, 31})->hopeless);
}

TEST_F(DriveDefects, APlaceThatIsDamagedStaysSo) {
  defects.add(10, {Kind::damaged});
  defects.add(10, {Kind::unreadable});
  EXPECT_EQ(defects.pending(), 1U);
  defects.written({10, 11});
  EXPECT_EQ(defects.reallocated(), 1U);
}

// ---- in a drive

Profile with_handling(unsigned retries, unsigned reallocation, std::uint64_t spares) {
  Profile profile = small_profile();
  profile.defect_handling = {retries, reallocation, spares};
  return profile;
}

sim::Time time_to_read(AtaHost& host, std::uint64_t lba) {
  host.sent.clear();
  const sim::Time begin = host.now();
  host.command(kReadDma, lba, 1);
  host.run();
  return host.sent.back().time - begin;
}

TEST(DriveWithDefects, RetriesTakeARevolutionEach) {
  AtaHost plain(with_handling(5, 0, 1));
  AtaHost slow(with_handling(5, 0, 1));
  slow.drive.add_defect(50, {Kind::slow, 3});
  plain.start();
  slow.start();
  EXPECT_EQ(time_to_read(slow, 50) - time_to_read(plain, 50), 3 * kRevolution);
  EXPECT_THAT(slow.lines(), Contains(kGood));
}

TEST(DriveWithDefects, AnUnreadableSectorFailsAfterTheRetriesOfTheProfile) {
  AtaHost plain(with_handling(5, 0, 1));
  AtaHost bad(with_handling(5, 0, 1));
  bad.drive.mark_unreadable(50);
  plain.start();
  bad.start();
  const sim::Time expected = time_to_read(plain, 50) + 5 * kRevolution;
  EXPECT_NEAR(static_cast<double>(time_to_read(bad, 50)), static_cast<double>(expected), 10.0 * kUs);
  EXPECT_THAT(bad.lines(), Contains(kUnc));
}

TEST(DriveWithDefects, WritingAnUnreadableSectorMakesItReadableOnceItIsOnThePlatter) {
  AtaHost host;
  host.drive.mark_unreadable(50);
  host.start();
  EXPECT_EQ(host.drive.counts().pending, 1U);
  host.outgoing = AtaHost::filled(1, 0x77);
  host.command(kWriteDma, 50, 1);
  host.run_until(host.now() + 1 * kMs);
  EXPECT_EQ(host.drive.counts().pending, 1U);  // dirty, not written
  host.sent.clear();
  host.command(kReadDma, 50, 1);
  host.run_until(host.now() + 1 * kMs);
  EXPECT_EQ(host.data(), AtaHost::filled(1, 0x77));  // from the buffer
  host.run();
  EXPECT_EQ(host.drive.counts().pending, 0U);
}

TEST(DriveWithDefects, ADirtySectorAmidAReadNeedsNoPlatter) {
  AtaHost host;
  host.drive.mark_unreadable(52);
  host.start();
  host.outgoing = AtaHost::filled(1, 0x77);
  host.command(kWriteDma, 52, 1);
  host.run_until(host.now() + 1 * kMs);
  host.sent.clear();
  host.command(kReadDma, 50, 5);
  host.run();
  EXPECT_THAT(host.lines(), Contains(kGood));
  EXPECT_EQ(host.data().size(), 5U * 512);
}

TEST(DriveWithDefects, AFlushFailsWithTheSectorThatHasNoSpare) {
  AtaHost host(with_handling(0, 1, 0));
  host.drive.add_defect(50, {Kind::damaged});
  host.start();
  host.outgoing = AtaHost::filled(4, 0x77);
  host.command(kWriteDma, 48, 4);
  host.run_until(host.now() + 1 * kMs);
  host.sent.clear();
  host.command(kFlush);
  host.run();
  EXPECT_EQ(host.last_status().status & 1, 1);
  EXPECT_EQ(host.last_status().lba, 50U);
  // The sectors around it are there; its own data are gone.
  host.sent.clear();
  host.command(kReadDma, 50, 1);
  host.run();
  EXPECT_THAT(host.lines(), Contains(kUnc));
  host.sent.clear();
  host.command(kReadDma, 51, 1);
  host.run();
  EXPECT_EQ(host.data(), AtaHost::filled(1, 0x77));
}

TEST(DriveWithDefects, AReallocationShowsInTheCounts) {
  AtaHost host(with_handling(0, 1, 5));
  host.drive.add_defect(50, {Kind::damaged});
  host.start();
  host.outgoing = AtaHost::filled(4, 0x77);
  host.command(kWriteDma, 48, 4);
  host.run();
  EXPECT_EQ(host.drive.counts().reallocated, 1U);
  EXPECT_EQ(host.drive.counts().pending, 0U);
}

TEST(DriveWithDefects, WriteUncorrectableHidesWhatTheBufferHolds) {
  Profile profile = small_profile();
  profile.features.write_uncorrectable = true;
  AtaHost host(profile);
  host.start();
  host.outgoing = AtaHost::filled(4, 0x77);
  host.command(kWriteDma, 48, 4);
  host.run_until(host.now() + 1 * kMs);
  host.command(0x45, 50, 1, 0x55);
  host.run();
  host.sent.clear();
  host.command(kReadDma, 50, 1);
  host.run();
  EXPECT_THAT(host.lines(), Contains(kUnc));
}

}  // namespace
}  // namespace ncqlab::drive
