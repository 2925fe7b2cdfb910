// Bits, log text and the FIFO.
#include <gtest/gtest.h>

#include <string>

#include "driver/bits.h"
#include "driver/fifo.h"
#include "driver/text.h"

namespace ncqlab::driver {
namespace {

TEST(Bits, LowestBitOfEachPosition) {
  for (unsigned i = 0; i < 32; ++i) {
    EXPECT_EQ(lowest_bit(1U << i), i);
    EXPECT_EQ(lowest_bit(0xFFFFFFFFU << i), i);
  }
}

TEST(Bits, LowBitsFromNoneToAll) {
  EXPECT_EQ(low_bits(0), 0U);
  EXPECT_EQ(low_bits(31), 0x7FFFFFFFU);
  EXPECT_EQ(low_bits(32), 0xFFFFFFFFU);
}

std::string decimal(std::uint64_t value) {
  Text text;
  text << value;
  return text.c_str();
}

TEST(LogText, Decimal) {
  for (const std::uint64_t value :
       {std::uint64_t{0}, std::uint64_t{9}, std::uint64_t{10}, std::uint64_t{1953525168}, UINT64_MAX}) {
    EXPECT_EQ(decimal(value), std::to_string(value));
  }
}

TEST(LogText, Hexadecimal) {
  Text text;
  text.hex(0x00A1F) << "!";
  EXPECT_STREQ(text.c_str(), "00000A1F!");
}

TEST(LogText, WhatDoesNotFitIsCutOff) {
  Text text;
  for (unsigned i = 0; i < 100; ++i) text << "ab";
  EXPECT_EQ(std::string(text.c_str()).size(), 119U);
}

TEST(Fifo, KeepsOrderAndTakesBackAtTheFront) {
  RequestFifo fifo;
  Request a, b, c;
  fifo.push_back(b);
  fifo.push_back(c);
  fifo.push_front(a);
  EXPECT_EQ(&fifo.pop_front(), &a);
  EXPECT_EQ(&fifo.pop_front(), &b);
  EXPECT_EQ(&fifo.pop_front(), &c);
  EXPECT_TRUE(fifo.empty());
}

TEST(Fifo, WorksAgainAfterItWasEmptyAndFilledFromTheFront) {
  RequestFifo fifo;
  Request a, b;
  fifo.push_front(a);
  fifo.push_back(b);
  EXPECT_EQ(&fifo.pop_front(), &a);
  EXPECT_EQ(&fifo.pop_front(), &b);
  EXPECT_TRUE(fifo.empty());
}

}  // namespace
}  // namespace ncqlab::driver
