// Physical sectors of eight LBAs (512e): what a write of a part of one costs, and when it costs nothing.
//
// Each time is compared with that of the same commands on a drive whose sectors have 512 bytes.
#include <gtest/gtest.h>

#include <functional>

#include "model/drive/ata/identify.h"
#include "testbench/tests/unit/drive_disk_bench.h"

namespace ncqlab::drive {
namespace {

constexpr unsigned kPlain = kNonQueuedTag;

Profile write_through(unsigned physical_bytes, unsigned offset = 0) {
  Profile profile = small_profile();
  profile.write_cache.enabled = false;
  profile.physical_sectors = {physical_bytes, offset};
  return profile;
}

// How much later tag 0 ends than it would with sectors of 512 bytes.
sim::Time cost(const std::function<void(DiskBench&)>& commands, unsigned offset = 0) {
  DiskBench plain(write_through(512));
  DiskBench emulated(write_through(4096, offset));
  for (DiskBench* bench : {&plain, &emulated}) {
    commands(*bench);
    bench->run();
  }
  return emulated.done(0) - plain.done(0);
}
sim::Time cost_of_write(std::uint64_t lba, std::uint32_t sectors, unsigned offset = 0) {
  return cost([&](DiskBench& bench) { bench.write(0, lba, sectors); }, offset);
}

TEST(DriveDiskPartial, AnAlignedWriteCostsNothing) {
  EXPECT_EQ(cost_of_write(200, 8), 0);
  EXPECT_EQ(cost_of_write(208, 64), 0);
}
TEST(DriveDiskPartial, AWriteOfAPartCostsARevolution) {
  EXPECT_EQ(cost_of_write(200, 1), kRevolution);
  EXPECT_EQ(cost_of_write(207, 1), kRevolution);
  EXPECT_EQ(cost_of_write(203, 2), kRevolution);
}
TEST(DriveDiskPartial, SoDoesOneThatBeginsOrEndsWithinOne) {
  EXPECT_EQ(cost_of_write(201, 15), kRevolution);
  EXPECT_EQ(cost_of_write(200, 15), kRevolution);
}
TEST(DriveDiskPartial, BothEndsOnOneTrackAreReadInTheSameRevolution) { EXPECT_EQ(cost_of_write(201, 20), kRevolution); }
TEST(DriveDiskPartial, OnTwoTracksEachEndCostsOne) {
  EXPECT_EQ(cost_of_write(201, 150), 2 * kRevolution);  // LBA 300 is the next track
}
TEST(DriveDiskPartial, TheAlignmentOfLbaZeroCounts) {
  EXPECT_EQ(cost_of_write(199, 8, 1), 0) << "LBA 199 is 200 sectors behind the start of the first physical one";
  EXPECT_EQ(cost_of_write(200, 8, 1), kRevolution);
  EXPECT_EQ(cost_of_write(0, 7, 1), 0);
}
TEST(DriveDiskPartial, TheEndOfTheDiskIsTheEndOfItsSector) {
  Profile profile = write_through(4096);
  profile.capacity_sectors = 39'999;
  DiskBench bench(profile);
  profile.physical_sectors = {512, 0};
  DiskBench plain(profile);
  for (DiskBench* one : {&bench, &plain}) {
    one->write(0, 39'992, 7);
    one->run();
  }
  EXPECT_EQ(bench.done(0), plain.done(0));
}

TEST(DriveDiskPartial, WhatHasBeenReadNeedNotBeReadAgain) {
  EXPECT_EQ(cost([](DiskBench& bench) {
              bench.read(1, 200, 8);
              bench.run_until(100 * kMs);
              bench.write(0, 203, 1);
            }),
            0);
}
TEST(DriveDiskPartial, ARestOfWhichAPartWasReadIsReadAgain) {
  EXPECT_EQ(cost([](DiskBench& bench) {
              bench.profile.read_ahead.limit_bytes = bench.profile.read_ahead.hold_bytes = 0;
              bench.read(1, 200, 7);
              bench.run_until(100 * kMs);
              bench.write(0, 203, 1);
            }),
            kRevolution);
}
TEST(DriveDiskPartial, TheNextPartialWriteOfTheSameSectorIsAnotherRevolution) {
  EXPECT_EQ(cost([](DiskBench& bench) {
              bench.write(1, 203, 1);
              bench.run_until(100 * kMs);
              bench.write(0, 204, 1);
            }),
            kRevolution);
}

// ---- through the write cache

sim::Time flushed(unsigned physical_bytes, const std::function<void(DiskBench&)>& commands) {
  Profile profile = small_profile();
  profile.physical_sectors = {physical_bytes, 0};
  DiskBench bench(profile);
  commands(bench);
  bench.run_until(200 * kUs);
  bench.flush();
  bench.run();
  return bench.done(kPlain);
}

TEST(DriveDiskPartial, DestagingAPartCostsARevolution) {
  const auto write = [](DiskBench& bench) { bench.write(0, 203, 2); };
  EXPECT_EQ(flushed(4096, write), flushed(512, write) + kRevolution);
}

TEST(DriveDiskPartial, PartsThatMakeAWholeSectorInTheCacheCostNothing) {
  const auto write = [](DiskBench& bench) {
    bench.write(0, 200, 3);
    bench.write(1, 203, 5);
  };
  EXPECT_EQ(flushed(4096, write), flushed(512, write));
}

TEST(DriveDiskPartial, ACachedWriteIsDoneAsSoonAsWithWholeSectors) {
  Profile profile = small_profile();
  profile.physical_sectors = {4096, 0};
  DiskBench bench(profile);
  bench.write(0, 203, 1);
  bench.run_until(150 * kUs);
  EXPECT_EQ(bench.done(0), 150 * kUs);
}

// ---- what the host is told

TEST(DriveDiskPartial, IdentifyTellsOfThePhysicalSector) {
  Profile profile = small_profile();
  EXPECT_EQ(identify_words(profile, {})[106], 0x4000);
  EXPECT_EQ(identify_words(profile, {})[209], 0);
  profile.physical_sectors = {4096, 1};
  EXPECT_EQ(identify_words(profile, {})[106], 0x6003);
  EXPECT_EQ(identify_words(profile, {})[209], 0x4001);
}

}  // namespace
}  // namespace ncqlab::drive
