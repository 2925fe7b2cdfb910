// IDENTIFY DEVICE data: what is read, what is believed (ACS-3, 7.12).
#include "driver/identify.h"

#include <gtest/gtest.h>

#include "testbench/tests/driver/mock_platform.h"

namespace ncqlab::driver {
namespace {

class Identify : public testing::Test {
 protected:
  IdentifyResult parse() {
    info = DeviceInfo{};
    return parse_identify(data.data(), info);
  }

  std::vector<std::uint8_t> data = identify_data();
  DeviceInfo info;
};

TEST_F(Identify, StringsAreSwappedAndTrimmedAtBothEnds) {
  ASSERT_EQ(parse(), IdentifyResult::ok);
  EXPECT_STREQ(info.model, "ST31000340AS");
  EXPECT_STREQ(info.serial, "9QJ00001");
  EXPECT_STREQ(info.firmware, "SD15");
}

TEST_F(Identify, AStringOfFullLengthIsKeptWhole) {
  for (unsigned i = 0; i < 40; ++i) data[54 + i] = 'x';
  ASSERT_EQ(parse(), IdentifyResult::ok);
  EXPECT_EQ(std::string(info.model), std::string(40, 'x'));
}

TEST_F(Identify, UnprintableCharactersBecomeQuestionMarks) {
  set_word(data, 27, 0x1B53);
  ASSERT_EQ(parse(), IdentifyResult::ok);
  EXPECT_STREQ(info.model, "?S31000340AS");
}

TEST_F(Identify, AStringOfZeroesOrSpacesIsEmpty) {
  for (unsigned i = 0; i < 40; ++i) data[54 + i] = i < 20 ? 0 : ' ';
  ASSERT_EQ(parse(), IdentifyResult::ok);
  EXPECT_STREQ(info.model, "");
}

TEST_F(Identify, CapacityIsWords100To103) {
  ASSERT_EQ(parse(), IdentifyResult::ok);
  EXPECT_EQ(info.sectors, 1953525168U);
}

TEST_F(Identify, CapacityOfExactly2To48IsTakenAndOneMoreIsNot) {
  data = identify_data(std::uint64_t{1} << 48);
  EXPECT_EQ(parse(), IdentifyResult::ok);
  data = identify_data((std::uint64_t{1} << 48) + 1);
  EXPECT_EQ(parse(), IdentifyResult::no_capacity);
}

TEST_F(Identify, NoCapacity) {
  data = identify_data(0);
  EXPECT_EQ(parse(), IdentifyResult::no_capacity);
}

TEST_F(Identify, WithoutThe48BitFeatureSet) {
  set_word(data, 83, 0x4000);
  EXPECT_EQ(parse(), IdentifyResult::no_lba48);
}

TEST_F(Identify, Word83IsBelievedOnlyWithBits15And14As01) {
  for (const std::uint16_t word : {0x0400, 0x8400, 0xC400, 0xFFFF}) {
    set_word(data, 83, word);
    EXPECT_EQ(parse(), IdentifyResult::no_lba48);
  }
}

TEST_F(Identify, NotAnAtaDevice) {
  set_word(data, 0, 0x85C0);
  EXPECT_EQ(parse(), IdentifyResult::not_ata);
}

TEST_F(Identify, AChecksumIsCheckedWhereThereIsOne) {
  data[510] = 0xA5;
  std::uint8_t sum = 0;
  for (unsigned i = 0; i < 511; ++i) sum = static_cast<std::uint8_t>(sum + data[i]);
  data[511] = static_cast<std::uint8_t>(-sum);
  EXPECT_EQ(parse(), IdentifyResult::ok);
  ++data[511];
  EXPECT_EQ(parse(), IdentifyResult::bad_checksum);
}

TEST_F(Identify, NcqAndItsDepth) {
  data = identify_data(1000, 31);
  ASSERT_EQ(parse(), IdentifyResult::ok);
  EXPECT_TRUE(info.ncq);
  EXPECT_EQ(info.queue_depth, 31U);
}

TEST_F(Identify, Word76OfAllOnesOrZeroSaysNothing) {
  for (const std::uint16_t word : {0x0000, 0xFFFF}) {
    set_word(data, 76, word);
    ASSERT_EQ(parse(), IdentifyResult::ok);
    EXPECT_FALSE(info.ncq);
    EXPECT_EQ(info.queue_depth, 1U);
  }
}

TEST_F(Identify, WriteCacheSupportedAndEnabledAreDifferentWords) {
  set_word(data, 82, 0x0020);
  set_word(data, 85, 0x0000);
  ASSERT_EQ(parse(), IdentifyResult::ok);
  EXPECT_TRUE(info.write_cache_supported);
  EXPECT_FALSE(info.write_cache_enabled);
  set_word(data, 85, 0x0020);
  ASSERT_EQ(parse(), IdentifyResult::ok);
  EXPECT_TRUE(info.write_cache_enabled);
  EXPECT_FALSE(info.read_look_ahead_enabled);
}

TEST_F(Identify, WriteDmaFuaExtIsBit6OfAValidWord84) {
  set_word(data, 84, 0x0040);
  ASSERT_EQ(parse(), IdentifyResult::ok);
  EXPECT_FALSE(info.write_dma_fua);
  set_word(data, 84, 0x4040);
  ASSERT_EQ(parse(), IdentifyResult::ok);
  EXPECT_TRUE(info.write_dma_fua);
}

TEST_F(Identify, EightLogicalSectorsPerPhysicalOne) {
  set_word(data, 106, 0x6003);
  ASSERT_EQ(parse(), IdentifyResult::ok);
  EXPECT_EQ(info.logical_sector_bytes, 512U);
  EXPECT_EQ(info.physical_sector_bytes, 4096U);
}

TEST_F(Identify, ImpossibleLogicalSectorSizes) {
  set_word(data, 106, 0x5000);
  for (const std::uint16_t words : {0, 128, 300, 32768}) {
    set_word(data, 117, words);
    EXPECT_EQ(parse(), IdentifyResult::no_capacity) << words;
  }
}

}  // namespace
}  // namespace ncqlab::driver
