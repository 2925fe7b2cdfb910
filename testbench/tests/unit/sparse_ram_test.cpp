// A front end's guest RAM: a region from 0 that takes room where it is written.
#include "model/host/sparse_ram.h"

#include <gtest/gtest.h>

#include <array>
#include <stdexcept>

namespace ncqlab::host {
namespace {

constexpr std::uint64_t kPage = SparseRam::kPageBytes;

std::uint8_t byte_at(const SparseRam& ram, std::uint64_t address) {
  std::uint8_t byte = 0xEE;
  EXPECT_TRUE(ram.read(address, &byte, 1));
  return byte;
}

TEST(SparseRam, IsZeroEverywhereAndHoldsNothingAtFirst) {
  const SparseRam ram(4ULL << 30);
  EXPECT_EQ(byte_at(ram, 0), 0);
  EXPECT_EQ(byte_at(ram, (4ULL << 30) - 1), 0);
  EXPECT_EQ(ram.resident_bytes(), 0U);
}

TEST(SparseRam, AWriteIsReadBackAcrossPages) {
  SparseRam ram(3 * kPage);
  std::array<std::uint8_t, 2 * kPage> written;
  for (std::size_t i = 0; i < written.size(); ++i) written[i] = static_cast<std::uint8_t>(i * 7 + 1);
  ASSERT_TRUE(ram.write(kPage / 2, written.data(), written.size()));
  std::array<std::uint8_t, 2 * kPage> found{};
  ASSERT_TRUE(ram.read(kPage / 2, found.data(), found.size()));
  EXPECT_EQ(found, written);
  EXPECT_EQ(byte_at(ram, kPage / 2 - 1), 0);
  EXPECT_EQ(byte_at(ram, kPage / 2 + 2 * kPage), 0);
}

TEST(SparseRam, FillSetsItsRangeAndNoByteBesideIt) {
  SparseRam ram(3 * kPage);
  ASSERT_TRUE(ram.fill(kPage - 1, 0x5A, kPage + 2));
  EXPECT_EQ(byte_at(ram, kPage - 2), 0);
  EXPECT_EQ(byte_at(ram, kPage - 1), 0x5A);
  EXPECT_EQ(byte_at(ram, 2 * kPage), 0x5A);
  EXPECT_EQ(byte_at(ram, 2 * kPage + 1), 0);
}

TEST(SparseRam, ZerosOnAnUntouchedPageTakeNoRoom) {
  SparseRam ram(8 * kPage);
  const std::array<std::uint8_t, 512> zeros{};
  ASSERT_TRUE(ram.write(100, zeros.data(), zeros.size()));
  ASSERT_TRUE(ram.fill(0, 0, 8 * kPage));
  EXPECT_EQ(ram.resident_bytes(), 0U);
  ASSERT_TRUE(ram.fill(100, 1, 1));
  EXPECT_EQ(ram.resident_bytes(), kPage);
  ASSERT_TRUE(ram.fill(100, 0, 1));
  EXPECT_EQ(byte_at(ram, 100), 0);
}

TEST(SparseRam, TheLastByteIsInsideAndTheNextIsNot) {
  SparseRam ram(1000);
  std::uint8_t bytes[2] = {1, 2};
  EXPECT_TRUE(ram.write(999, bytes, 1));
  EXPECT_FALSE(ram.write(999, bytes, 2));
  EXPECT_FALSE(ram.read(1000, bytes, 1));
  EXPECT_FALSE(ram.fill(1000, 1, 1));
  EXPECT_FALSE(ram.read(0xFFFF'FFFF'FFFF'FFFF, bytes, 2));
  EXPECT_TRUE(ram.read(1000, bytes, 0));
  EXPECT_FALSE(ram.read(1001, bytes, 0));
}

TEST(SparseRam, WhatIsRefusedChangesNothing) {
  SparseRam ram(1000);
  const std::uint8_t bytes[2] = {1, 2};
  ASSERT_FALSE(ram.write(999, bytes, 2));
  EXPECT_EQ(byte_at(ram, 999), 0);
}

TEST(SparseRam, TheControllerReadsAndWritesIt) {
  SparseRam ram(384ULL << 20);
  std::uint8_t buffer[4] = {1, 2, 3, 4};
  EXPECT_EQ(ram.access({kPage - 2, buffer, 4, true}, nullptr), DmaTarget::Answer::done);
  EXPECT_EQ(byte_at(ram, kPage + 1), 4);
  std::uint8_t found[4] = {};
  EXPECT_EQ(ram.access({kPage - 2, found, 4, false}, nullptr), DmaTarget::Answer::done);
  EXPECT_EQ(found[3], 4);
  EXPECT_EQ(ram.access({(384ULL << 20) - 2, buffer, 4, true}, nullptr), DmaTarget::Answer::error);
}

TEST(SparseRam, ImpossibleSizesAreRefused) {
  EXPECT_THROW(SparseRam(0), std::invalid_argument);
  EXPECT_THROW(SparseRam(SparseRam::kLargestBytes + 1), std::invalid_argument);
}

}  // namespace
}  // namespace ncqlab::host
