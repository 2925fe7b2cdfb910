#include "testbench/frontend/qtest/line_buffer.h"

#include <gtest/gtest.h>

namespace ncqlab::qtest {
namespace {

std::string text_of(const std::optional<LineBuffer::Line>& line) {
  if (!line) return "(none)";
  return line->too_long ? "(too long)" : line->text;
}

TEST(QtestLineBuffer, ALineIsThereOnceItsNewlineHasCome) {
  LineBuffer buffer(10);
  buffer.append("in");
  EXPECT_EQ(text_of(buffer.next()), "(none)");
  buffer.append("b\n");
  EXPECT_EQ(text_of(buffer.next()), "inb");
  EXPECT_EQ(text_of(buffer.next()), "(none)");
}

TEST(QtestLineBuffer, SeveralLinesOfOnePieceComeInOrder) {
  LineBuffer buffer(10);
  buffer.append("a\n\nb\nc");
  EXPECT_EQ(text_of(buffer.next()), "a");
  EXPECT_EQ(text_of(buffer.next()), "");
  EXPECT_EQ(text_of(buffer.next()), "b");
  EXPECT_EQ(text_of(buffer.next()), "(none)");
}

TEST(QtestLineBuffer, ALineOfTheLimitPassesAndOneMoreCharacterIsTooLong) {
  LineBuffer buffer(4);
  buffer.append("1234\n12345\nok\n");
  EXPECT_EQ(text_of(buffer.next()), "1234");
  EXPECT_EQ(text_of(buffer.next()), "(too long)");
  EXPECT_EQ(text_of(buffer.next()), "ok");
}

TEST(QtestLineBuffer, ALineThatNeverEndsIsDroppedAsItComesAndReportedOnce) {
  LineBuffer buffer(4);
  for (int i = 0; i < 100; ++i) {
    buffer.append("12345678");
    EXPECT_EQ(text_of(buffer.next()), "(none)");
  }
  buffer.append("\nok\n");
  EXPECT_EQ(text_of(buffer.next()), "(too long)");
  EXPECT_EQ(text_of(buffer.next()), "ok");
}

TEST(QtestLineBuffer, TheRestIsWhatHasNoNewline) {
  LineBuffer buffer(4);
  buffer.append("a\nb");
  EXPECT_EQ(text_of(buffer.next()), "a");
  EXPECT_EQ(text_of(buffer.next()), "(none)");
  EXPECT_EQ(text_of(buffer.rest()), "b");
  EXPECT_EQ(text_of(buffer.rest()), "(none)");
}

}  // namespace
}  // namespace ncqlab::qtest
