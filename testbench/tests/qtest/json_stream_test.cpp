#include "testbench/frontend/qtest/json_stream.h"

#include <gtest/gtest.h>

namespace ncqlab::qtest {
namespace {

std::string text_of(const std::optional<JsonStream::Object>& object) {
  if (!object) return "(none)";
  return object->refused ? "(refused)" : object->text;
}

TEST(QtestJsonStream, AnObjectNeedsNoNewlineBehindIt) {
  JsonStream stream;
  stream.append(R"({"a": 1}{"b": 2})");
  EXPECT_EQ(text_of(stream.next()), R"({"a": 1})");
  EXPECT_EQ(text_of(stream.next()), R"({"b": 2})");
  EXPECT_EQ(text_of(stream.next()), "(none)");
}

TEST(QtestJsonStream, AnObjectMayComeByteByByte) {
  JsonStream stream;
  const std::string text = "\r\n {\"a\": [1, {\"b\": \"}\\\"}\"}]}";
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    stream.append(text.substr(i, 1));
    ASSERT_EQ(text_of(stream.next()), "(none)") << i;
  }
  stream.append("}");
  EXPECT_EQ(text_of(stream.next()), text.substr(3));
}

TEST(QtestJsonStream, BytesThatBeginNoObjectAreSkippedUpToTheNext) {
  JsonStream stream;
  stream.append("nonsense {}");
  EXPECT_EQ(text_of(stream.next()), "(refused)");
  EXPECT_EQ(text_of(stream.next()), "{}");
  stream.append("]");
  EXPECT_EQ(text_of(stream.next()), "(refused)");
  EXPECT_EQ(text_of(stream.next()), "(none)");
}

TEST(QtestJsonStream, ObjectsNestSixtyFourLevelsAndNoMore) {
  const auto nested = [](int levels) { return std::string(levels, '{') + std::string(levels, '}'); };
  JsonStream stream;
  stream.append(nested(64));
  EXPECT_EQ(text_of(stream.next()), nested(64));
  stream.append(nested(65));
  EXPECT_EQ(text_of(stream.next()), "(refused)");
}

TEST(QtestJsonStream, AnObjectThatNeverEndsIsRefusedBeyondOneMebibyte) {
  JsonStream stream;
  stream.append("{\"a\": \"" + std::string(1U << 20, 'x'));
  EXPECT_EQ(text_of(stream.next()), "(refused)");
  stream.append("{}");
  EXPECT_EQ(text_of(stream.next()), "{}");
}

}  // namespace
}  // namespace ncqlab::qtest
