// Guest memory: addresses, gaps, translation.
#include "model/host/memory.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace ncqlab::host {
namespace {

TEST(Memory, BlocksLieAboveFourGibibytesByDefault) {
  Memory memory;
  EXPECT_GE(memory.allocate(1, 1).address, 0x1'0000'0000U);
}

TEST(Memory, BlocksCanBeKeptBelowFourGibibytes) {
  Memory memory(MemoryOptions::below_4gib());
  const Block block = memory.allocate(1 << 20, 4096);
  EXPECT_LE(block.address + block.bytes, 0x1'0000'0000U);
}

TEST(Memory, AddressesFollowFromSizesAndOrderOnly) {
  Memory one;
  Memory other;
  for (const std::uint64_t bytes : {1, 4096, 100, 65536}) {
    EXPECT_EQ(one.allocate(bytes, 256).address, other.allocate(bytes, 256).address);
  }
}

TEST(Memory, AlignmentHoldsForAddressAndProcessor) {
  Memory memory;
  memory.allocate(3, 1);
  const Block block = memory.allocate(64, 1024);
  EXPECT_EQ(block.address % 1024, 0U);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block.cpu) % 1024, 0U);
  EXPECT_EQ(memory.allocate(64, 1 << 21).address % (1 << 21), 0U);
}

TEST(Memory, BlocksAreZeroed) {
  Memory memory;
  const Block block = memory.allocate(10'000, 2);
  for (std::uint64_t i = 0; i < block.bytes; ++i) ASSERT_EQ(block.cpu[i], 0);
}

TEST(Memory, ABlockTranslatesToItsLastByteAndNotOneFurther) {
  Memory memory;
  const Block block = memory.allocate(100, 4);
  EXPECT_EQ(memory.translate(block.address, 100), block.cpu);
  EXPECT_EQ(memory.translate(block.address + 99, 1), block.cpu + 99);
  EXPECT_EQ(memory.translate(block.address, 101), nullptr);
  EXPECT_EQ(memory.translate(block.address + 100, 1), nullptr);
  EXPECT_EQ(memory.translate(block.address - 1, 1), nullptr);
}

TEST(Memory, AGapLiesBetweenAnyTwoBlocks) {
  Memory memory;
  const Block first = memory.allocate(4096, 4096);
  const Block second = memory.allocate(4096, 4096);
  EXPECT_GE(second.address, first.address + first.bytes + 4096);
  EXPECT_EQ(memory.translate(first.address + first.bytes, 1), nullptr);
  EXPECT_EQ(memory.translate(second.address - 1, 1), nullptr);
}

TEST(Memory, EveryBlockIsFoundWhateverWasFoundBefore) {
  Memory memory;
  Block blocks[5];
  for (Block& block : blocks) block = memory.allocate(64, 64);
  for (const int i : {4, 0, 3, 1, 2, 2, 0, 4}) EXPECT_EQ(memory.translate(blocks[i].address + 8, 8), blocks[i].cpu + 8);
}

TEST(Memory, AnAccessCopiesInItsDirection) {
  Memory memory;
  const Block block = memory.allocate(16, 16);
  std::uint8_t buffer[4] = {1, 2, 3, 4};
  EXPECT_EQ(memory.access({block.address + 4, buffer, 4, true}, nullptr), DmaTarget::Answer::done);
  EXPECT_EQ(block.cpu[4], 1);
  EXPECT_EQ(block.cpu[7], 4);
  block.cpu[8] = 9;
  EXPECT_EQ(memory.access({block.address + 5, buffer, 4, false}, nullptr), DmaTarget::Answer::done);
  EXPECT_EQ(buffer[0], 2);
  EXPECT_EQ(buffer[3], 9);
}

TEST(Memory, AnAccessOutsideOfTheBlocksIsAnError) {
  Memory memory;
  const Block block = memory.allocate(16, 16);
  std::uint8_t buffer[8] = {};
  EXPECT_EQ(memory.access({0, buffer, 4, false}, nullptr), DmaTarget::Answer::error);
  EXPECT_EQ(memory.access({block.address + 12, buffer, 8, true}, nullptr), DmaTarget::Answer::error);
  EXPECT_EQ(memory.access({0xFFFF'FFFF'FFFF'FFFC, buffer, 8, true}, nullptr), DmaTarget::Answer::error);
}

TEST(Memory, ImpossibleAllocationsAreRefused) {
  Memory memory(MemoryOptions::below_4gib());
  EXPECT_THROW(memory.allocate(0, 1), std::invalid_argument);
  EXPECT_THROW(memory.allocate(1, 3), std::invalid_argument);
  EXPECT_THROW(memory.allocate(1, 0), std::invalid_argument);
  EXPECT_THROW(memory.allocate(1ULL << 32, 1), std::length_error);
}

}  // namespace
}  // namespace ncqlab::host
