// Guest memory that is scattered, and guest memory without coherence.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "model/host/memory.h"

namespace ncqlab::host {
namespace {

constexpr std::uint64_t kPage = 4096;

std::uint8_t device_byte(Memory& memory, std::uint64_t address) {
  std::uint8_t byte = 0xEE;
  EXPECT_EQ(memory.access({address, &byte, 1, false}, nullptr), DmaTarget::Answer::done);
  return byte;
}

void device_writes(Memory& memory, std::uint64_t address, std::uint8_t byte) {
  EXPECT_EQ(memory.access({address, &byte, 1, true}, nullptr), DmaTarget::Answer::done);
}

// ---- scattered

TEST(ScatteredMemory, NoPageLiesBesideItsNeighbour) {
  Memory memory;
  const ScatteredBlock block = memory.allocate_scattered(64 * kPage, kPage);
  ASSERT_EQ(block.addresses.size(), 64U);
  for (std::size_t i = 1; i < block.addresses.size(); ++i) {
    EXPECT_NE(block.addresses[i], block.addresses[i - 1] + kPage);
  }
}

TEST(ScatteredMemory, PagesAreInNoOrder) {
  Memory memory;
  const ScatteredBlock block = memory.allocate_scattered(64 * kPage, kPage);
  EXPECT_FALSE(std::is_sorted(block.addresses.begin(), block.addresses.end()));
  EXPECT_EQ(std::set<std::uint64_t>(block.addresses.begin(), block.addresses.end()).size(), 64U);
}

TEST(ScatteredMemory, OrderFollowsFromSizesAndOrderOfAllocationsOnly) {
  Memory one;
  Memory other;
  for (const std::uint64_t pages : {3, 16, 7}) {
    EXPECT_EQ(one.allocate_scattered(pages * kPage, kPage).addresses,
              other.allocate_scattered(pages * kPage, kPage).addresses);
  }
}

TEST(ScatteredMemory, IsContiguousForTheProcessor) {
  Memory memory;
  const ScatteredBlock block = memory.allocate_scattered(16 * kPage, kPage);
  for (std::uint64_t offset = 0; offset < 16 * kPage; offset += 512) {
    EXPECT_EQ(memory.translate(block.address_of(offset), 512), block.cpu + offset);
  }
}

TEST(ScatteredMemory, WhoRunsOverAPageMeetsAnError) {
  Memory memory;
  const ScatteredBlock block = memory.allocate_scattered(16 * kPage, kPage);
  std::uint8_t buffer[8] = {};
  EXPECT_EQ(memory.access({block.addresses[0] + kPage - 4, buffer, 8, true}, nullptr), DmaTarget::Answer::error);
}

TEST(ScatteredMemory, TheLastPageIsWholeHoweverFewBytesAreWanted) {
  Memory memory;
  const ScatteredBlock block = memory.allocate_scattered(kPage + 1, kPage);
  ASSERT_EQ(block.addresses.size(), 2U);
  EXPECT_EQ(block.bytes, kPage + 1);
  EXPECT_NE(memory.translate(block.addresses[1], kPage), nullptr);
}

TEST(ScatteredMemory, GranulesMayBeLarger) {
  Memory memory;
  const ScatteredBlock block = memory.allocate_scattered(4 * kPage, 2 * kPage);
  ASSERT_EQ(block.addresses.size(), 2U);
  EXPECT_EQ(block.address_of(3 * kPage + 5), block.addresses[1] + kPage + 5);
  EXPECT_EQ(memory.translate(block.addresses[1], 2 * kPage), block.cpu + 2 * kPage);
}

TEST(ScatteredMemory, GranulesAreWholePages) {
  Memory memory;
  EXPECT_THROW(memory.allocate_scattered(kPage, 0), std::invalid_argument);
  EXPECT_THROW(memory.allocate_scattered(kPage, 512), std::invalid_argument);
  EXPECT_THROW(memory.allocate_scattered(0, kPage), std::invalid_argument);
}

TEST(MemoryWindows, KeepScatteredPagesToo) {
  Memory low(MemoryOptions::below_4gib());
  for (const std::uint64_t address : low.allocate_scattered(64 * kPage, kPage).addresses) {
    EXPECT_LE(address + kPage, 0x1'0000'0000U);
  }
  Memory high(MemoryOptions::above_43_bits());
  for (const std::uint64_t address : high.allocate_scattered(64 * kPage, kPage).addresses) EXPECT_NE(address >> 43, 0U);
  EXPECT_NE(high.allocate(1, 1).address >> 43, 0U);
}

// ---- without coherence

MemoryOptions non_coherent() {
  MemoryOptions options;
  options.coherent = false;
  return options;
}

class NonCoherentMemory : public testing::Test {
 protected:
  Memory memory{non_coherent()};
  Block block = memory.allocate(64, 64);
};

TEST_F(NonCoherentMemory, TheDeviceSeesNothingBeforeSyncAndBarrier) {
  block.cpu[3] = 7;
  EXPECT_EQ(device_byte(memory, block.address + 3), 0);
  memory.sync_for_device(block.address, 64);
  EXPECT_EQ(device_byte(memory, block.address + 3), 0);
  memory.write_barrier();
  EXPECT_EQ(device_byte(memory, block.address + 3), 7);
}

TEST_F(NonCoherentMemory, ABarrierWithoutASyncPublishesNothing) {
  block.cpu[3] = 7;
  memory.write_barrier();
  EXPECT_EQ(device_byte(memory, block.address + 3), 0);
}

TEST_F(NonCoherentMemory, WhatIsStoredBetweenSyncAndBarrierStaysUnseen) {
  block.cpu[3] = 7;
  memory.sync_for_device(block.address, 64);
  block.cpu[3] = 8;
  memory.write_barrier();
  EXPECT_EQ(device_byte(memory, block.address + 3), 7);
}

TEST_F(NonCoherentMemory, OnlyTheSyncedRangeIsPublished) {
  block.cpu[3] = 7;
  block.cpu[4] = 8;
  block.cpu[6] = 9;
  memory.sync_for_device(block.address + 4, 2);
  memory.write_barrier();
  EXPECT_EQ(device_byte(memory, block.address + 3), 0);
  EXPECT_EQ(device_byte(memory, block.address + 4), 8);
  EXPECT_EQ(device_byte(memory, block.address + 6), 0);
}

TEST_F(NonCoherentMemory, TheProcessorSeesWhatTheDeviceWroteAfterItsSync) {
  device_writes(memory, block.address + 3, 7);
  EXPECT_EQ(block.cpu[3], 0);
  memory.sync_for_cpu(block.address + 3, 1);
  EXPECT_EQ(block.cpu[3], 7);
}

TEST_F(NonCoherentMemory, ALaterStoreOfTheDeviceNeedsALaterSync) {
  device_writes(memory, block.address + 3, 7);
  memory.sync_for_cpu(block.address, 64);
  device_writes(memory, block.address + 3, 8);
  EXPECT_EQ(block.cpu[3], 7);
}

TEST_F(NonCoherentMemory, ScatteredPagesHaveTwoViewsToo) {
  const ScatteredBlock pages = memory.allocate_scattered(4 * kPage, kPage);
  pages.cpu[2 * kPage] = 7;
  EXPECT_EQ(device_byte(memory, pages.addresses[2]), 0);
  memory.sync_for_device(pages.addresses[2], 1);
  memory.write_barrier();
  EXPECT_EQ(device_byte(memory, pages.addresses[2]), 7);
}

TEST_F(NonCoherentMemory, ASyncOfForeignMemoryIsAnError) {
  EXPECT_THROW(memory.sync_for_device(block.address + 60, 8), std::out_of_range);
  EXPECT_THROW(memory.sync_for_cpu(0, 1), std::out_of_range);
}

TEST(CoherentMemory, BothSeeEverythingAtOnce) {
  Memory memory;
  const Block block = memory.allocate(64, 64);
  block.cpu[3] = 7;
  EXPECT_EQ(device_byte(memory, block.address + 3), 7);
  device_writes(memory, block.address + 3, 8);
  EXPECT_EQ(block.cpu[3], 8);
}

}  // namespace
}  // namespace ncqlab::host
