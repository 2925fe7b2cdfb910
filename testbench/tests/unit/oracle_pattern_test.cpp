// The contents of a sector, and what is said of a damaged one.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "testbench/oracle/pattern.h"

namespace ncqlab::oracle {
namespace {

std::vector<std::uint8_t> filled(std::uint64_t lba, std::uint32_t sectors, std::uint64_t generation) {
  std::vector<std::uint8_t> buffer(std::size_t{sectors} * kSector_bytes);
  fill(buffer.data(), lba, sectors, generation);
  return buffer;
}

std::uint64_t word(const std::vector<std::uint8_t>& buffer, std::size_t index) {
  std::uint64_t value;
  std::memcpy(&value, buffer.data() + 8 * index, 8);
  return value;
}

TEST(Pattern, IsTheDocumentedFunctionOfLbaAndGeneration) {
  const auto buffer = filled(1000, 2, 7);
  for (std::uint64_t sector = 0; sector < 2; ++sector) {
    EXPECT_EQ(word(buffer, 64 * sector), (1000 + sector) ^ kTag);
    EXPECT_EQ(word(buffer, 64 * sector + 1), 7U);
    for (std::uint64_t i = 2; i < 64; ++i) {
      EXPECT_EQ(word(buffer, 64 * sector + i), base(1000 + sector, 7) + i * kStep);
    }
  }
}

TEST(Pattern, SectorsOfTheSameLbaAndOfTheSameGenerationDifferInEveryWordOfTheBody) {
  const auto one = filled(1000, 1, 7);
  const auto other_lba = filled(1001, 1, 7);
  const auto other_generation = filled(1000, 1, 8);
  for (std::size_t i = 2; i < 64; ++i) {
    EXPECT_NE(word(one, i), word(other_lba, i));
    EXPECT_NE(word(one, i), word(other_generation, i));
  }
}

TEST(Pattern, WhatWasFilledMatchesAtAnyAlignment) {
  std::vector<std::uint8_t> buffer(8 * kSector_bytes + 16);
  for (std::size_t shift = 0; shift < 16; ++shift) {
    fill(buffer.data() + shift, 5, 8, 3);
    EXPECT_EQ(matching_sectors(buffer.data() + shift, 5, 8, 3), 8U);
  }
}

TEST(Pattern, OneFlippedBitAnywhereIsFoundInItsSector) {
  auto buffer = filled(77, 3, 9);
  for (std::size_t bit = 0; bit < buffer.size() * 8; ++bit) {
    buffer[bit / 8] ^= static_cast<std::uint8_t>(1U << (bit % 8));
    EXPECT_EQ(matching_sectors(buffer.data(), 77, 3, 9), bit / 8 / kSector_bytes);
    buffer[bit / 8] ^= static_cast<std::uint8_t>(1U << (bit % 8));
  }
}

TEST(Pattern, AnotherGenerationOrAnotherLbaDoesNotMatch) {
  const auto buffer = filled(77, 3, 9);
  EXPECT_EQ(matching_sectors(buffer.data(), 77, 3, 8), 0U);
  EXPECT_EQ(matching_sectors(buffer.data(), 78, 3, 9), 0U);
}

TEST(Pattern, AnIntactSectorSaysWhichItIs) {
  const Found found = identify(filled(123456789, 1, 42).data());
  EXPECT_EQ(found.what, Found::What::intact);
  EXPECT_EQ(found.lba, 123456789U);
  EXPECT_EQ(found.generation, 42U);
}

TEST(Pattern, ZerosAreZeros) {
  const std::vector<std::uint8_t> zeros(kSector_bytes);
  EXPECT_EQ(identify(zeros.data()).what, Found::What::zeros);
}

TEST(Pattern, ATornSectorSaysWhereAndBetweenWhat) {
  auto buffer = filled(10, 1, 4);
  const auto older = filled(10, 1, 2);
  std::memcpy(buffer.data() + 200, older.data() + 200, kSector_bytes - 200);
  const Found found = identify(buffer.data());
  EXPECT_EQ(found.what, Found::What::torn);
  EXPECT_EQ(found.generation, 4U);
  EXPECT_EQ(found.torn_at, 200U);
  EXPECT_EQ(found.tail_base, base(10, 2));
}

TEST(Pattern, OtherBytesAreUnknown) {
  auto buffer = filled(10, 1, 4);
  for (std::size_t i = 16; i < kSector_bytes; ++i) buffer[i] = static_cast<std::uint8_t>(i * 31);
  EXPECT_EQ(identify(buffer.data()).what, Found::What::unknown);
}

}  // namespace
}  // namespace ncqlab::oracle
