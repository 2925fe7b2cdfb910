// Each FIS that is out of order has the finding that names it.
#include <gtest/gtest.h>

#include <string>

#include "testbench/tests/unit/oracle_ahci_conversation.h"

namespace ncqlab::oracle {
namespace {

class DeviceLegalityTest : public AhciConversation {};

TEST_F(DeviceLegalityTest, AQueuedCommandWithoutItsPxSactBitIsFound) {
  start();
  issue(1);
  command(kReadQueued);
  expect_one("queued command 60h without its bit in PxSACT");
}

TEST_F(DeviceLegalityTest, ACommandWhileBsyWithANonQueuedOneIsFound) {
  start();
  set_active(2);
  issue(3);
  command(kReadDma);
  command(kReadQueued);
  expect_one("command 60h while the device is BSY with command 25h");
}

TEST_F(DeviceLegalityTest, AQueuedCommandBeforeTheReleaseOfTheLastIsFound) {
  start();
  set_active(3);
  issue(3);
  command(kReadQueued);
  command(kReadQueued);
  expect_one("while the device is BSY with command 60h");
}

TEST_F(DeviceLegalityTest, ANonQueuedCommandWithQueuedOnesOutstandingIsFound) {
  start();
  queued(kReadQueued, 0);
  command(kReadDma);
  expect_one("non-queued command 25h with 1 queued outstanding");
}

TEST_F(DeviceLegalityTest, ACommandBeforeTheSignatureIsFound) {
  start();
  record(sim::Kind::phy, 0x123, 0, 0);
  command(kIdentify);
  expect_one("before the device's signature");
}

TEST_F(DeviceLegalityTest, ACommandAfterAnErrorWithoutRestartIsFound) {
  start();
  non_queued(kReadDma);
  d2h(0x51, true);
  command(kReadDma);
  expect_one("after an error from which nobody has recovered");
}

TEST_F(DeviceLegalityTest, AReleaseWithTheInterruptBitIsFound) {
  start();
  set_active(1);
  issue(1);
  command(kReadQueued);
  d2h(kReady, true);
  expect_one("release of a queued command with the interrupt bit set");
}

TEST_F(DeviceLegalityTest, AReleaseWithBsyIsFound) {
  start();
  set_active(1);
  issue(1);
  command(kReadQueued);
  d2h(0xD0, false);
  expect_one("release of a queued command with status D0h");
}

TEST_F(DeviceLegalityTest, ARegisterFisThatAnswersNothingIsFound) {
  d2h(kReady, true);
  expect_one("Register D2H that answers nothing");
}

TEST_F(DeviceLegalityTest, ARegisterFisForAReleasedQueuedCommandIsFound) {
  start();
  queued(kReadQueued, 0);
  d2h(kReady, true);
  expect_one("Register D2H while queued commands are outstanding");
}

TEST_F(DeviceLegalityTest, SetDeviceBitsForATagThatIsNotOutstandingIsFound) {
  start();
  queued(kReadQueued, 0);
  done(1U << 1);
  expect_one("Set Device Bits for tags that are not outstanding: 02h");
}

TEST_F(DeviceLegalityTest, SetDeviceBitsTwiceForOneTagIsFound) {
  start();
  queued(kReadQueued, 4);
  done(1U << 4);
  expect_clean();
  done(1U << 4);
  expect_one("Set Device Bits for tags that are not outstanding: 10h");
}

TEST_F(DeviceLegalityTest, DmaSetupForATagThatIsNotOutstandingIsFound) {
  start();
  queued(kReadQueued, 0);
  setup_read(1);
  expect_one("DMA Setup for tag 1, which is not outstanding");
}

TEST_F(DeviceLegalityTest, DataToTheHostWithoutSetupIsFound) {
  start();
  queued(kReadQueued, 0);
  data_to_host();
  expect_one("Data to the host without DMA Setup or PIO Setup");
}

TEST_F(DeviceLegalityTest, DataOfAPioReadWithoutPioSetupIsFound) {
  start();
  non_queued(kIdentify);
  data_to_host(516);
  expect_one("Data to the host without DMA Setup or PIO Setup");
}

TEST_F(DeviceLegalityTest, DataAfterTheEndOfATransferIsFound) {
  start();
  queued(kReadQueued, 0);
  setup_read(0);
  data_to_host();
  done(1);
  data_to_host();
  expect_one("Data to the host without DMA Setup or PIO Setup");
}

TEST_F(DeviceLegalityTest, DataToTheDeviceWithoutActivationIsFound) {
  start();
  queued(kWriteQueued, 0);
  setup_write(0, false);
  data_to_device();
  expect_one("Data to the device without DMA Activate");
}

TEST_F(DeviceLegalityTest, AnActivationIsForOneDataFis) {
  start();
  queued(kWriteQueued, 0);
  setup_write(0, true);
  data_to_device();
  expect_clean();
  data_to_device();
  expect_one("Data to the device without DMA Activate");
}

TEST_F(DeviceLegalityTest, AnActivationWithoutAWriteIsFound) {
  start();
  queued(kReadQueued, 0);
  activate();
  expect_one("DMA Activate without a write");
}

TEST_F(DeviceLegalityTest, ASecondActivationBeforeTheDataIsFound) {
  start();
  queued(kWriteQueued, 0);
  setup_write(0, true);
  activate();
  expect_one("DMA Activate before the Data FIS that was activated already");
}

TEST_F(DeviceLegalityTest, PioSetupWithoutACommandIsFound) {
  start();
  pio_setup(true);
  expect_one("PIO Setup without a non-queued command");
}

TEST_F(DeviceLegalityTest, ADataFisMayHave8192BytesOfPayloadAndNoMore) {
  start();
  queued(kReadQueued, 0);
  setup_read(0);
  data_to_host(8196);
  expect_clean();
  data_to_host(8200);
  expect_one("Data FIS of 8200 bytes");
}

TEST_F(DeviceLegalityTest, AFisOfAnotherLengthThanItsTypesIsFound) {
  record(sim::Kind::phy, 0x123, 0, 0);
  to_host(0x34, 16, head(0x34, 0, kReady, 0));
  expect_one("Register D2H FIS of 16 bytes");
}

TEST_F(DeviceLegalityTest, AFisOverADeadLinkIsFound) {
  start();
  queued(kReadQueued, 0);
  record(sim::Kind::phy, 0, 0, 0);
  command(kReadQueued);
  EXPECT_NE(legality_.report().find("Register H2D FIS while the PHY is down"), std::string::npos);
}

// ---- errors of the queue and their end

TEST_F(DeviceLegalityTest, ARefusedQueuedCommandHaltsTheQueueUntilLog10hIsRead) {
  start();
  set_active(1);
  issue(1);
  command(kReadQueued);
  d2h(0x51, true);
  stop();
  start();
  set_active(1);
  issue(1);
  command(kReadQueued);
  release();
  expect_one("command 60h accepted while the queue is halted by an error");
}

TEST_F(DeviceLegalityTest, ReadingLog10hClearsAllTagsAndEndsTheHalt) {
  start();
  queued(kReadQueued, 3);
  done(0, 0x41);
  stop();
  start();
  issue(1);
  read_log(0x10);
  done(0xFFFFFFFF);
  pio_setup(true);
  data_to_host(516);
  queued(kReadQueued, 3);
  setup_read(3);
  data_to_host();
  done(1U << 3);
  expect_clean();
}

TEST_F(DeviceLegalityTest, AllTagsAreNotClearedByAnotherLog) {
  start();
  queued(kReadQueued, 3);
  done(0, 0x41);
  stop();
  start();
  issue(1);
  read_log(0x11);
  done(0xFFFFFFFF);
  expect_one("Set Device Bits for tags that are not outstanding: FFFFFFFFh");
}

TEST_F(DeviceLegalityTest, AllTagsAreNotClearedWithoutAnError) {
  start();
  issue(1);
  read_log(0x10);
  done(0xFFFFFFFF);
  expect_one("Set Device Bits for tags that are not outstanding: FFFFFFFFh");
}

// ---- the data phase

TEST_F(DeviceLegalityTest, ACompletionBetweenSetupAndDataIsFound) {
  start();
  queued(kReadQueued, 0);
  queued(kReadQueued, 1);
  setup_read(1);
  done(1U << 0);
  expect_one("Set Device Bits between DMA Setup and Data of tag 1");
}

TEST_F(DeviceLegalityTest, AReleaseBetweenSetupAndDataIsFound) {
  start();
  queued(kReadQueued, 0);
  setup_read(0);
  queued(kReadQueued, 1);
  expect_one("Register D2H between DMA Setup and Data of tag 0");
}

TEST_F(DeviceLegalityTest, AnErrorMayEndADataPhase) {
  start();
  queued(kReadQueued, 0);
  setup_read(0);
  done(0, 0x41);
  expect_clean();
}

TEST_F(DeviceLegalityTest, ASecondSetupBeforeTheDataOfTheFirstIsFound) {
  start();
  queued(kReadQueued, 0);
  queued(kReadQueued, 1);
  setup_read(0);
  setup_read(1);
  expect_one("DMA Setup for tag 1 before the Data of the one before");
}

}  // namespace
}  // namespace ncqlab::oracle
