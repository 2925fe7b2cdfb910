#include "testbench/frontend/qtest/blkdebug.h"

#include <gtest/gtest.h>

#include "testbench/frontend/qtest/option_string.h"

namespace ncqlab::qtest {
namespace {

Blkdebug script(const std::string& text) { return Blkdebug::parse(text, "script"); }

std::string refusal(const std::string& text) {
  try {
    script(text);
  } catch (const ArgumentError& error) {
    return error.what();
  }
  return "";
}

TEST(QtestBlkdebug, AnEmptyScriptLetsEverythingPass) { EXPECT_EQ(script("").happen(BlockEvent::write), 0); }

TEST(QtestBlkdebug, ARuleMeetsItsEventOnly) {
  Blkdebug rules = script("[inject-error]\nevent = \"write_aio\"\nerrno = \"28\"\n");
  EXPECT_EQ(rules.happen(BlockEvent::read), 0);
  EXPECT_EQ(rules.happen(BlockEvent::flush), 0);
  EXPECT_EQ(rules.happen(BlockEvent::write), 28);
  EXPECT_EQ(rules.happen(BlockEvent::write), 28);
}

TEST(QtestBlkdebug, TheErrorIsEioUnlessSaidOtherwise) {
  EXPECT_EQ(script("[inject-error]\nevent = \"read_aio\"\n").happen(BlockEvent::read), 5);
}

TEST(QtestBlkdebug, ARuleForOnceIsSpentAfterwards) {
  Blkdebug rules = script("[inject-error]\nevent = \"flush_to_disk\"\nonce = \"on\"\n");
  EXPECT_EQ(rules.happen(BlockEvent::flush), 5);
  EXPECT_EQ(rules.happen(BlockEvent::flush), 0);
}

// The script that QEMU's ahci-test writes.
TEST(QtestBlkdebug, AStateArmsARuleAndItsEventDisarmsIt) {
  Blkdebug rules = script(
      "[inject-error]\nevent = \"write_aio\"\nerrno = \"5\"\nstate = \"1\"\nimmediately = \"off\"\nonce = \"on\"\n"
      "[set-state]\nevent = \"write_aio\"\nnew_state = \"2\"\n");
  EXPECT_EQ(rules.happen(BlockEvent::write), 5);
  EXPECT_EQ(rules.happen(BlockEvent::write), 0);
}

TEST(QtestBlkdebug, RulesSeeTheStateBeforeTheEvent) {
  Blkdebug rules = script(
      "[set-state]\nevent = \"write_aio\"\nnew_state = \"2\"\n"
      "[inject-error]\nevent = \"write_aio\"\nstate = \"2\"\n");
  EXPECT_EQ(rules.happen(BlockEvent::write), 0);
  EXPECT_EQ(rules.happen(BlockEvent::write), 5);
}

TEST(QtestBlkdebug, CommentsBlanksAndBareValuesAreRead) {
  EXPECT_EQ(script("# a comment\r\n\n [inject-error] \n event=read_aio\n").happen(BlockEvent::read), 5);
}

TEST(QtestBlkdebug, MistakesAreNamedWithTheirLine) {
  EXPECT_EQ(refusal("[inject-error]\nevent = \"l2_load\"\n"),
            "script:2: 'l2_load': the events are read_aio, write_aio and flush_to_disk");
  EXPECT_EQ(refusal("event = \"read_aio\"\n"),
            "script:1: expected [inject-error], [set-state] or KEY = \"VALUE\" below one of them");
  EXPECT_EQ(refusal("[inject-error]\nsector = \"5\"\n"), "script:2: 'sector' is not known here");
  EXPECT_EQ(refusal("[inject-error]\nonce = \"maybe\"\n"), "script:2: 'maybe' is not on or off");
  EXPECT_EQ(refusal("[inject-error]\nerrno = \"4096\"\n"), "script:2: '4096' is no number from 0 to 4095");
  EXPECT_EQ(refusal("[set-state]\nerrno = \"5\"\n"), "script:2: 'errno' is not known here");
  EXPECT_EQ(refusal("[inject-error]\n"), "script: a rule without an event");
}

TEST(QtestBlkdebug, AFileThatIsNotThereIsNamed) { EXPECT_THROW(Blkdebug::load("/nonexistent/script"), ArgumentError); }

}  // namespace
}  // namespace ncqlab::qtest
