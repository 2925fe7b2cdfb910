// Commands, resets, and what follows an error: each FIS that is out of order has the finding that names it, and its
// legal neighbour none.
#include <gtest/gtest.h>

#include <string>

#include "testbench/tests/unit/oracle_ahci_conversation.h"

namespace ncqlab::oracle {
namespace {

class DeviceLegalityTest : public AhciConversation {
 protected:
  DeviceLegalityTest() { start(); }
};

// ---- commands

TEST_F(DeviceLegalityTest, AQueuedCommandNeedsTheBitOfItsOwnTagInPxSact) {
  set_active(1U << 4);
  issue(1U << 4 | 1U << 5);
  command(kReadQueued, 8, 4);
  release();
  expect_clean();
  command(kReadQueued, 8, 5);
  expect_one("queued command 60h for tag 5 without its bit in PxSACT");
}

TEST_F(DeviceLegalityTest, AQueuedCommandNeedsItsBitInPxCi) {
  set_active(3);
  issue(1);
  command(kReadQueued, 8, 1);
  expect_one("queued command 60h for tag 1 without its bit in PxCI");
}

TEST_F(DeviceLegalityTest, AQueuedCommandForATagThatIsOutstandingIsFound) {
  queued(kReadQueued, 7);
  command(kReadQueued, 8, 7);
  expect_one("queued command 60h for tag 7, which is outstanding already");
}

TEST_F(DeviceLegalityTest, ATagIsFreeAgainAfterItsSetDeviceBits) {
  queued(kReadQueued, 7);
  read_data(7);
  queued(kReadQueued, 7);
  expect_clean();
}

TEST_F(DeviceLegalityTest, ACommandWhileBsyWithANonQueuedOneIsFound) {
  set_active(2);
  issue(3);
  command(kReadDma);
  command(kFlush);
  expect_one("command EAh while the device is BSY with command 25h");
}

TEST_F(DeviceLegalityTest, DeviceResetMayComeWhileBsyAndEndsWithoutAnInterrupt) {
  non_queued(kPacket, 0);
  command(kDeviceReset, 0);
  d2h(0x00, false);
  expect_clean();
}

TEST_F(DeviceLegalityTest, AQueuedCommandBeforeTheReleaseOfTheLastIsFound) {
  set_active(3);
  issue(3);
  command(kReadQueued, 8, 0);
  command(kReadQueued, 8, 1);
  expect_one("command 60h before the release of the queued command that came last");
}

TEST_F(DeviceLegalityTest, ANonQueuedCommandWithQueuedOnesOutstandingIsFound) {
  queued(kReadQueued, 3);
  command(kReadDma);
  expect_one("non-queued command 25h while queued ones are outstanding: tags 08h");
}

TEST_F(DeviceLegalityTest, ANonQueuedCommandAfterTheLastQueuedOneIsLegal) {
  queued(kReadQueued, 3);
  read_data(3);
  non_queued(kFlush);
  expect_clean();
}

TEST_F(DeviceLegalityTest, ACommandDuringTheDataPhaseOfAReadIsFound) {
  set_active(3);
  issue(3);
  command(kReadQueued, 8, 0);
  release();
  setup_read(0);
  data_to_host(2048);
  command(kReadQueued, 8, 1);
  expect_one("command 60h during the data phase of tag 0 (AHCI 1.3.1, 5.3.2, P:Idle)");
}

TEST_F(DeviceLegalityTest, ACommandDuringTheDataPhaseOfAWriteIsFound) {
  set_active(3);
  issue(3);
  command(kWriteQueued, 8, 0);
  release();
  setup_write(0, true);
  command(kReadQueued, 8, 1);
  expect_one("command 60h during the data phase of tag 0");
}

TEST_F(DeviceLegalityTest, ACommandAfterADataPhaseIsLegal) {
  queued(kWriteQueued, 0);
  setup_write(0, true);
  data_to_device();
  queued(kReadQueued, 1);
  expect_clean();
}

// ---- resets

TEST_F(DeviceLegalityTest, ACommandBeforeTheSignatureIsFound) {
  phy_ready();
  command(kIdentify);
  expect_one("Register H2D before the device's signature");
}

TEST_F(DeviceLegalityTest, ACommandWhileSrstIsSetIsFound) {
  control(true);
  command(kIdentify);
  expect_one("command ECh while SRST is set");
}

TEST_F(DeviceLegalityTest, ACommandBetweenSoftwareResetAndSignatureIsFound) {
  control(true);
  control(false);
  command(kIdentify);
  expect_one("command ECh before the device's signature");
}

TEST_F(DeviceLegalityTest, ASignatureWhileSrstIsSetIsFound) {
  control(true);
  signature();
  expect_one("Register D2H while SRST is set");
}

TEST_F(DeviceLegalityTest, AControlFisThatDoesNotTouchSrstIsNotAnswered) {
  control(false);
  expect_clean();
  signature();
  expect_one("Register D2H that answers nothing");
}

TEST_F(DeviceLegalityTest, TheSignaturesOfTheFourKindsOfDeviceAreLegal) {
  for (const std::uint32_t lba : {0x000001U, 0xEB1401U, 0x966901U, 0xC33C01U}) {
    phy_ready();
    to_host(0x34, 20, head(0x34, 0, kReady, lba), 1);
  }
  expect_clean();
}

TEST_F(DeviceLegalityTest, ASignatureWithAnotherLbaIsFound) {
  phy_ready();
  to_host(0x34, 20, head(0x34, 0, kReady, 0xEB1400), 1);
  expect_one("signature with LBA EB1400h");
}

TEST_F(DeviceLegalityTest, ASignatureWithAnotherCountIsFound) {
  control(true);
  control(false);
  to_host(0x34, 20, head(0x34, 0, kReady, 1), 0);
  expect_one("signature with count 0");
}

// ---- after an error

TEST_F(DeviceLegalityTest, ACommandAfterAnErrorWithoutRestartIsFound) {
  non_queued(kReadDma);
  d2h(kFailed, true);
  command(kReadDma);
  expect_one("after an error from which nobody has recovered");
}

TEST_F(DeviceLegalityTest, AfterTheErrorOfANonQueuedCommandAndARestartAnyCommandIsLegal) {
  non_queued(kReadDma);
  d2h(kFailed, true);
  stop();
  start();
  queued(kReadQueued, 0);
  expect_clean();
}

TEST_F(DeviceLegalityTest, AfterAnErrorInTheQueueAnotherCommandThanReadingLog10hIsFound) {
  queued(kReadQueued, 0);
  queue_error();
  non_queued(kIdentify);
  expect_one("command ECh after an error in the queue, before log 10h was read (SATA 3.x, 13.6.6)");
}

TEST_F(DeviceLegalityTest, AnotherLogThan10hDoesNotEndTheHalt) {
  queued(kReadQueued, 0);
  queue_error();
  issue(1);
  command(kReadLog, 1, 0, 0x11);
  expect_one("command 2Fh after an error in the queue");
}

TEST_F(DeviceLegalityTest, ALogThatCouldNotBeReadDoesNotEndTheHalt) {
  queued(kReadQueued, 0);
  queue_error();
  command(kReadLog, 1, 0, 0x10);
  d2h(kFailed, true);
  stop();
  start();
  expect_clean();
  command(kFlush);
  expect_one("command EAh after an error in the queue");
}

TEST_F(DeviceLegalityTest, ARefusedQueuedCommandHaltsTheQueueToo) {
  set_active(1);
  issue(1);
  command(kReadQueued);
  d2h(kFailed, true);
  stop();
  start();
  expect_clean();
  command(kFlush);
  expect_one("after an error in the queue");
}

TEST_F(DeviceLegalityTest, ADeviceThatAcceptsAQueuedCommandWhileHaltedIsFound) {
  queued(kReadQueued, 0);
  queue_error();
  queued(kReadQueued, 0);
  ASSERT_EQ(legality_.count(), 2U) << legality_.report();  // the host's fault and the device's
  EXPECT_NE(legality_.report().find("queued command accepted while the queue is halted"), std::string::npos);
}

TEST_F(DeviceLegalityTest, ADeviceThatEndsACommandWellWhileHaltedIsFound) {
  queued(kReadQueued, 0);
  queue_error();
  non_queued(kFlush);
  end();
  ASSERT_EQ(legality_.count(), 2U) << legality_.report();
  EXPECT_NE(legality_.report().find("command EAh accepted while the queue is halted"), std::string::npos);
}

TEST_F(DeviceLegalityTest, AHardwareResetEndsTheHalt) {
  queued(kReadQueued, 0);
  queue_error();
  phy_lost();
  phy_ready();
  signature();
  queued(kReadQueued, 0);
  expect_clean();
}

TEST_F(DeviceLegalityTest, TheQueueIsClearedOnlyWhileLog10hIsBeingRead) {
  queued(kReadQueued, 0);
  queue_error();
  done(0xFFFFFFFF, kReady, false);
  ASSERT_EQ(legality_.count(), 2U);  // not outstanding, and without the interrupt bit
  EXPECT_NE(legality_.findings()[0].text.find("not outstanding: FFFFFFFFh"), std::string::npos);
}

TEST_F(DeviceLegalityTest, TheQueueIsNotClearedByAnotherLog) {
  command(kReadLog, 1, 0, 0x11);
  done(0xFFFFFFFF);
  expect_one("Set Device Bits for tags that are not outstanding: FFFFFFFFh");
}

TEST_F(DeviceLegalityTest, TheQueueIsNotClearedWithoutAnError) {
  command(kReadLog, 1, 0, 0x10);
  done(0xFFFFFFFF);
  expect_one("Set Device Bits for tags that are not outstanding: FFFFFFFFh");
}

}  // namespace
}  // namespace ncqlab::oracle
