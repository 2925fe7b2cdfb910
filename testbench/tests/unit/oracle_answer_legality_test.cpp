// Answers of the device: each Register D2H and Set Device Bits that is out of order has the finding that names it, and
// its legal neighbour none.
#include <gtest/gtest.h>

#include <string>

#include "testbench/tests/unit/oracle_ahci_conversation.h"

namespace ncqlab::oracle {
namespace {

class AnswerLegalityTest : public AhciConversation {
 protected:
  AnswerLegalityTest() { start(); }
};

// ---- Register D2H

TEST_F(AnswerLegalityTest, AReleaseWithTheInterruptBitIsFound) {
  set_active(1);
  issue(1);
  command(kReadQueued);
  d2h(kReady, true);
  expect_one("release of a queued command with the interrupt bit set");
}

TEST_F(AnswerLegalityTest, AReleaseWithBsyIsFound) {
  set_active(1);
  issue(1);
  command(kReadQueued);
  d2h(kBusy, false);
  expect_one("release of a queued command with status D0h");
}

TEST_F(AnswerLegalityTest, AnEndWithoutTheInterruptBitIsFound) {
  non_queued(kFlush);
  d2h(kReady, false);
  expect_one("end of command EAh without the interrupt bit");
}

TEST_F(AnswerLegalityTest, AnEndWithDrqIsFound) {
  non_queued(kFlush);
  d2h(0x58, true);
  expect_one("end of command EAh with status 58h");
}

TEST_F(AnswerLegalityTest, AGoodEndBeforeAllDataHaveMovedIsFound) {
  non_queued(kReadDma, 16);
  data_to_host(4096);
  end();
  expect_one("end of command 25h before 4096 bytes of its data have moved");
}

TEST_F(AnswerLegalityTest, AnEndWithAnErrorMayComeBeforeAllDataHaveMoved) {
  non_queued(kReadDma, 16);
  data_to_host(4096);
  d2h(kFailed, true);
  expect_clean();
}

TEST_F(AnswerLegalityTest, ARegisterFisThatAnswersNothingIsFound) {
  d2h(kReady, true);
  expect_one("Register D2H that answers nothing");
}

TEST_F(AnswerLegalityTest, ARegisterFisForAReleasedQueuedCommandIsFound) {
  queued(kReadQueued, 0);
  d2h(kReady, true);
  expect_one("Register D2H while queued commands are outstanding");
}

TEST_F(AnswerLegalityTest, ARegisterFisDuringADataPhaseIsFound) {
  set_active(1);
  issue(1);
  command(kReadQueued);
  setup_read(0);
  release();
  expect_one("Register D2H during the data phase of tag 0");
}

TEST_F(AnswerLegalityTest, AReleaseMayComeAfterTheDataPhaseThatOvertookIt) {
  queued(kReadQueued, 0);
  set_active(2);
  issue(2);
  command(kReadQueued, 8, 1);
  setup_read(0);
  data_to_host();
  release();
  expect_clean();
}

// ---- Set Device Bits

TEST_F(AnswerLegalityTest, SetDeviceBitsForATagThatIsNotOutstandingIsFound) {
  queued(kReadQueued, 0);
  done(1U << 1);
  expect_one("Set Device Bits for tags that are not outstanding: 02h");
}

TEST_F(AnswerLegalityTest, SetDeviceBitsTwiceForOneTagIsFound) {
  queued(kReadQueued, 4);
  read_data(4);
  expect_clean();
  done(1U << 4);
  expect_one("Set Device Bits for tags that are not outstanding: 10h");
}

TEST_F(AnswerLegalityTest, SetDeviceBitsThatCrossTheStopOfThePortAreLegal) {
  queued(kReadQueued, 0);
  setup_read(0);
  data_to_host();
  stop();
  done(1);
  expect_clean();
}

TEST_F(AnswerLegalityTest, SetDeviceBitsBeforeAllDataOfTheTagHaveMovedAreFound) {
  queued(kReadQueued, 2, 16);
  setup_read(2, 4096);
  data_to_host();
  done(1U << 2);
  expect_one("Set Device Bits for tags whose data have not all moved: 04h");
}

TEST_F(AnswerLegalityTest, ACommandMayMoveItsDataInSeveralPhases) {
  queued(kReadQueued, 2, 16);
  setup_read(2, 4096);
  data_to_host();
  setup_read(2, 4096);
  data_to_host();
  done(1U << 2);
  expect_clean();
}

TEST_F(AnswerLegalityTest, SetDeviceBitsWithAnErrorMayLeaveDataBehind) {
  queued(kReadQueued, 2, 16);
  setup_read(2, 8192);
  data_to_host();
  done(0, kFailed);
  expect_clean();
}

TEST_F(AnswerLegalityTest, SetDeviceBitsDuringADataPhaseAreFound) {
  queued(kReadQueued, 0);
  queued(kReadQueued, 1, 16);
  setup_read(0);
  data_to_host();
  setup_read(1, 8192);
  data_to_host();
  done(1);
  expect_one("Set Device Bits during the data phase of tag 1");
}

TEST_F(AnswerLegalityTest, SetDeviceBitsWithoutTheInterruptBitAreFound) {
  queued(kReadQueued, 0);
  setup_read(0);
  data_to_host();
  done(1, kReady, false);
  expect_one("without the interrupt bit (SATA 3.x, 11.15, DFPDMAQ10)");
}

TEST_F(AnswerLegalityTest, AnAsynchronousNotificationMayComeAtAnyTime) {
  to_host(0xA1, 8, head(0xA1, 0xC0, kReady, 0));
  queued(kReadQueued, 0);
  to_host(0xA1, 8, head(0xA1, 0xC0, kReady, 0));
  expect_clean();
}

TEST_F(AnswerLegalityTest, QueuedNonDataEndsWithoutData) {
  queued(kQueuedNonData, 3, 5);
  done(1U << 3);
  expect_clean();
}

TEST_F(AnswerLegalityTest, AbortNcqQueueEndsOthersWithoutTheirData) {
  queued(kReadQueued, 0);
  queued(kQueuedNonData, 3, 0);
  done(1U << 3 | 1U << 0);
  expect_clean();
}

}  // namespace
}  // namespace ncqlab::oracle
