// What a drive and its contents take of memory, by the C library's own account. A sanitizer has an allocator of its
// own, which keeps none: these tests are not in its build.
#include <gtest/gtest.h>
#include <malloc.h>

#include <memory>
#include <vector>

#include "testbench/lab/factory_pattern.h"
#include "testbench/tests/unit/drive_ata_host.h"

#if !defined(__SANITIZE_ADDRESS__)

namespace ncqlab::drive {
namespace {

constexpr std::size_t kKiB = 1024;
constexpr std::size_t kMiB = 1024 * kKiB;
constexpr std::uint32_t kChunk_sectors = 16;  // a Data FIS

std::size_t allocated() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

// Writes and destages so many sectors, in an order that is not the disk's; gives the memory they take then.
std::size_t memory_of(std::uint64_t sectors, bool pattern) {
  const lab::OraclePattern oracle_pattern;
  const std::size_t before = allocated();
  Contents contents(nullptr, &oracle_pattern);
  std::vector<std::uint8_t> data(kChunk_sectors * kSector_bytes, 0x5A);
  const std::uint64_t chunks = sectors / kChunk_sectors;
  for (std::uint64_t i = 0; i < chunks; ++i) {
    const std::uint64_t lba = i * 7 % chunks * kChunk_sectors;
    if (pattern) oracle::fill(data.data(), lba, kChunk_sectors, i + 1);
    contents.write(lba, kChunk_sectors, data.data());
    contents.write_pass_begins({lba, lba + kChunk_sectors});
    contents.write_pass_ended(0, {lba, lba + kChunk_sectors});
  }
  return allocated() - before;
}

TEST(DriveMemory, WrittenDataTakeAtMostAFifthMoreThanTheirSize) {
  EXPECT_LT(memory_of(64 * kMiB / kSector_bytes, false), 64 * kMiB * 12 / 10);
}

TEST(DriveMemory, TheOraclesPatternTakesLessThan32MiBPerGiB) {
  EXPECT_LT(memory_of(64 * kMiB / kSector_bytes, true), 2 * kMiB);
}

TEST(DriveMemory, AnUntouchedDriveOfAProfileInUseTakesLessThan256KiB) {
  sim::EventQueue queue;
  sim::Trace trace;
  sata::FramePool frames;
  const Profile profile = small_profile();
  const auto tables = tables_of(profile);
  const Drive first(profile, DriveParts{queue, trace, frames, tables});
  const std::size_t before = allocated();
  const auto second = std::make_unique<Drive>(profile, DriveParts{queue, trace, frames, tables});
  EXPECT_LT(allocated() - before, 256 * kKiB);
}

}  // namespace
}  // namespace ncqlab::drive

#endif
