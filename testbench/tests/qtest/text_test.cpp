#include "testbench/frontend/qtest/text.h"

#include <gtest/gtest.h>

namespace ncqlab::qtest {
namespace {

using Words = std::vector<std::string_view>;

TEST(QtestText, WordsAreSeparatedByBlanks) {
  EXPECT_EQ(words_of("outl 0xcf8  0x1 "), (Words{"outl", "0xcf8", "0x1"}));
  EXPECT_EQ(words_of("   "), Words{});
  EXPECT_EQ(words_of(""), Words{});
}

TEST(QtestText, ACarriageReturnAtTheEndIsNoPartOfTheLastWord) { EXPECT_EQ(words_of("inb 1\r"), (Words{"inb", "1"})); }

TEST(QtestText, NumbersAreHexadecimalOctalOrDecimalAsInC) {
  EXPECT_EQ(parse_number("0xe0000398"), 0xE0000398U);
  EXPECT_EQ(parse_number("0XfF"), 255U);
  EXPECT_EQ(parse_number("017"), 15U);
  EXPECT_EQ(parse_number("0"), 0U);
  EXPECT_EQ(parse_number("100"), 100U);
}

TEST(QtestText, ANumberFillsSixtyFourBitsAndNoMore) {
  EXPECT_EQ(parse_number("0xffffffffffffffff"), UINT64_MAX);
  EXPECT_EQ(parse_number("18446744073709551615"), UINT64_MAX);
  EXPECT_EQ(parse_number("18446744073709551616"), std::nullopt);
  EXPECT_EQ(parse_number("0x10000000000000000"), std::nullopt);
}

TEST(QtestText, SignsBlanksAndForeignDigitsAreNoNumbers) {
  for (const char* text : {"", "-1", "+1", "0x", "08", "1f", "0xg", "1.5", " 1"}) {
    EXPECT_EQ(parse_number(text), std::nullopt) << text;
  }
}

TEST(QtestText, BytesAreWrittenAsLowerCaseDigits) { EXPECT_EQ(to_hex({0x01, 0xAB, 0xF0}), "01abf0"); }

TEST(QtestText, DigitsOfEitherCaseAreRead) {
  EXPECT_EQ(from_hex("01aBF0"), (Bytes{0x01, 0xAB, 0xF0}));
  EXPECT_EQ(from_hex(""), Bytes{});
}

TEST(QtestText, AnOddDigitOrAnotherCharacterIsNoByte) {
  EXPECT_EQ(from_hex("123"), std::nullopt);
  EXPECT_EQ(from_hex("zz"), std::nullopt);
}

// The test vectors of RFC 4648, clause 10.
TEST(QtestText, Base64IsThatOfRfc4648) {
  const std::pair<const char*, const char*> kVectors[] = {{"", ""},
                                                          {"f", "Zg=="},
                                                          {"fo", "Zm8="},
                                                          {"foo", "Zm9v"},
                                                          {"foob", "Zm9vYg=="},
                                                          {"fooba", "Zm9vYmE="},
                                                          {"foobar", "Zm9vYmFy"}};
  for (const auto& [plain, encoded] : kVectors) {
    const std::string text = plain;
    const Bytes bytes(text.begin(), text.end());
    EXPECT_EQ(to_base64(bytes), encoded);
    EXPECT_EQ(from_base64(encoded), bytes) << encoded;
  }
}

TEST(QtestText, WhatIsNoBase64IsRefused) {
  for (const char* text : {"Zg", "Zg=", "Z===", "====", "Zm9v!mFy", "Zg==Zg=="}) {
    EXPECT_EQ(from_base64(text), std::nullopt) << text;
  }
}

TEST(QtestText, AWordIsShownShortAndPrintable) {
  EXPECT_EQ(shown("ab\x01\xff"), "ab??");
  EXPECT_EQ(shown(std::string(41, 'a')), std::string(40, 'a') + "...");
}

}  // namespace
}  // namespace ncqlab::qtest
