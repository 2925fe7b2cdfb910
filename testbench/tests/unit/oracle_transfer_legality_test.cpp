// Data: what announces them and what follows, to the byte.
#include <gtest/gtest.h>

#include <string>

#include "testbench/tests/unit/oracle_ahci_conversation.h"

namespace ncqlab::oracle {
namespace {

class TransferLegalityTest : public AhciConversation {
 protected:
  TransferLegalityTest() { start(); }
};

// ---- DMA Setup

TEST_F(TransferLegalityTest, DmaSetupForATagThatIsNotOutstandingIsFound) {
  queued(kReadQueued, 0);
  setup_read(1);
  expect_one("DMA Setup for tag 1, which is not outstanding");
}

TEST_F(TransferLegalityTest, DmaSetupInTheOtherDirectionIsFound) {
  queued(kReadQueued, 0);
  setup_write(0, false);
  expect_one("DMA Setup for tag 0, which is no write, to the device");
}

TEST_F(TransferLegalityTest, DmaSetupToTheHostForAWriteIsFound) {
  queued(kWriteQueued, 0);
  setup_read(0);
  expect_one("DMA Setup for tag 0, which is no read, to the host");
}

TEST_F(TransferLegalityTest, DmaSetupForMoreThanTheCommandHasIsFound) {
  queued(kReadQueued, 0, 8);
  setup_read(0, 4098);
  expect_one("DMA Setup for tag 0 announces 4098 bytes where 4096 are left of the command");
}

TEST_F(TransferLegalityTest, AllPhasesTogetherMoveNoMoreThanTheCommandHas) {
  queued(kReadQueued, 0, 8);
  setup_read(0, 2048);
  data_to_host(2048);
  setup_read(0, 2048);
  data_to_host(2048);
  expect_clean();
  setup_read(0, 2);
  expect_one("DMA Setup for tag 0 announces 2 bytes where 0 are left of the command");
}

TEST_F(TransferLegalityTest, ACountOfZeroIs65536Sectors) {
  queued(kReadQueued, 0, 0);
  setup_read(0, 65536 * 512);
  expect_clean();
}

TEST_F(TransferLegalityTest, AnOddTransferCountIsFound) {
  queued(kReadQueued, 0);
  setup_read(0, 511);
  expect_one("DMA Setup for tag 0 with a transfer count of 511 (SATA 3.x, 10.5.9)");
}

TEST_F(TransferLegalityTest, DmaSetupDuringADataPhaseIsFound) {
  queued(kReadQueued, 0);
  queued(kReadQueued, 1);
  setup_read(0);
  data_to_host(2048);
  setup_read(1);
  expect_one("DMA Setup for tag 1 during the data phase of tag 0");
}

// ---- DMA Activate

TEST_F(TransferLegalityTest, AnActivationWithoutAWriteIsFound) {
  queued(kReadQueued, 0);
  activate();
  expect_one("DMA Activate without a write");
}

TEST_F(TransferLegalityTest, AnActivationAfterTheDataPhaseIsFound) {
  queued(kWriteQueued, 0);
  setup_write(0, true);
  data_to_device();
  activate();
  expect_one("DMA Activate without a write");
}

TEST_F(TransferLegalityTest, AnActivationInADmaReadIsFound) {
  non_queued(kReadDma);
  activate();
  expect_one("DMA Activate without a write");
}

TEST_F(TransferLegalityTest, ASecondActivationBeforeTheDataIsFound) {
  queued(kWriteQueued, 0);
  setup_write(0, true);
  activate();
  expect_one("DMA Activate before the Data FIS that was activated already");
}

// ---- PIO Setup

TEST_F(TransferLegalityTest, PioSetupWithoutACommandIsFound) {
  pio_setup(true, kReady);
  expect_one("PIO Setup without a non-queued command");
}

TEST_F(TransferLegalityTest, PioSetupForACommandThatMovesNothingByPioIsFound) {
  non_queued(kReadDma);
  pio_setup(true, kBusy);
  expect_one("PIO Setup to the host for command 25h, which moves nothing that way");
}

TEST_F(TransferLegalityTest, PioSetupInTheOtherDirectionIsFound) {
  non_queued(kReadPio);
  pio_setup(false, kBusy);
  expect_one("PIO Setup to the device for command 24h");
}

TEST_F(TransferLegalityTest, PioSetupForMoreThanTheCommandHasIsFound) {
  non_queued(kIdentify);
  pio_setup(true, kReady, 1024);
  expect_one("1024 bytes of data where 512 are left of command ECh");
}

TEST_F(TransferLegalityTest, ASecondPioSetupBeforeTheDataOfTheFirstIsFound) {
  non_queued(kReadPio, 2);
  pio_setup(true, kBusy);
  pio_setup(true, kReady);
  expect_one("PIO Setup between a PIO Setup and its Data FIS");
}

TEST_F(TransferLegalityTest, PioSetupWithErrEndsTheCommandInAnErrorWithoutData) {
  non_queued(kReadPio, 2);
  to_host(0x5F, 20, head(0x5F, 0x60, kFailed, 0), 512);
  expect_clean();
  command(kFlush);
  expect_one("after an error from which nobody has recovered");
}

TEST_F(TransferLegalityTest, PioSetupForAnOddCountIsFound) {
  non_queued(kPacket, 0);
  pio_setup(true, kBusy, 17);
  expect_one("PIO Setup with a transfer count of 17");
}

TEST_F(TransferLegalityTest, PioSetupForNothingIsFound) {
  non_queued(kPacket, 0);
  pio_setup(true, kBusy, 0);
  expect_one("PIO Setup with a transfer count of 0");
}

TEST_F(TransferLegalityTest, PioSetupForMoreThanADataFisHoldsIsFound) {
  non_queued(kReadPio, 33);
  pio_setup(true, kBusy, 8192);
  data_to_host(8192);
  expect_clean();
  pio_setup(true, kReady, 8704);
  expect_one("PIO Setup with a transfer count of 8704 (SATA 3.x, 10.5.12)");
}

TEST_F(TransferLegalityTest, APioBlockIsJustAsLongAsAnnounced) {
  non_queued(kReadPio, 2);
  pio_setup(true, kReady, 1024);
  data_to_host(512);
  expect_one("Data of 512 bytes where the PIO Setup announced 1024");
}

TEST_F(TransferLegalityTest, APacketOfTwelveBytesIsThreeDwordsAndDataMayFollowInEachWay) {
  non_queued(kPacket, 0);
  pio_setup(false, kBusy, 12);
  data_to_device(12);
  pio_setup(true, kBusy, 18);  // padded to whole dwords
  data_to_host(20);
  end();
  expect_clean();
}

TEST_F(TransferLegalityTest, EStatusWithBsySaysThatTheCommandGoesOn) {
  non_queued(kReadPio, 2);
  pio_setup(true, kBusy);
  data_to_host(512);
  command(kFlush);
  expect_one("command EAh while the device is BSY with command 24h");
}

TEST_F(TransferLegalityTest, EStatusWithoutBsyEndsTheCommand) {
  non_queued(kReadPio, 2);
  pio_setup(true, kBusy);
  data_to_host(512);
  pio_setup(true, kReady);
  data_to_host(512);
  non_queued(kFlush);
  end();
  expect_clean();
}

TEST_F(TransferLegalityTest, AfterTheLastBlockOfAPioReadARegisterFisAnswersNothing) {
  non_queued(kIdentify);
  pio_setup(true, kReady);
  data_to_host(512);
  end();
  expect_one("Register D2H that answers nothing");
}

TEST_F(TransferLegalityTest, EStatusThatEndsACommandTooEarlyIsFound) {
  non_queued(kReadPio, 2);
  pio_setup(true, kReady);
  data_to_host(512);
  expect_one("end of command 24h before 512 bytes of its data have moved");
}

TEST_F(TransferLegalityTest, EStatusWithErrEndsACommandInAnError) {
  non_queued(kReadPio, 2);
  pio_setup(true, kFailed);
  data_to_host(512);
  expect_clean();
  command(kFlush);
  expect_one("after an error from which nobody has recovered");
}

TEST_F(TransferLegalityTest, ARegisterFisBeforeTheDataOfAPioSetupIsFound) {
  non_queued(kWritePio, 1);
  pio_setup(false, kBusy);
  end();
  expect_one("Register D2H between a PIO Setup and its Data FIS");
}

// ---- Data

TEST_F(TransferLegalityTest, DataToTheHostWithoutSetupIsFound) {
  queued(kReadQueued, 0);
  data_to_host();
  expect_one("Data to the host without DMA Setup or PIO Setup");
}

TEST_F(TransferLegalityTest, DataOfAPioReadWithoutPioSetupIsFound) {
  non_queued(kIdentify);
  data_to_host(512);
  expect_one("Data to the host without DMA Setup or PIO Setup");
}

TEST_F(TransferLegalityTest, DataAfterTheEndOfADataPhaseAreFound) {
  queued(kReadQueued, 0, 16);
  setup_read(0);
  data_to_host();
  data_to_host();
  expect_one("Data to the host without DMA Setup or PIO Setup");
}

TEST_F(TransferLegalityTest, MoreDataThanTheDmaSetupAnnouncedAreFound) {
  queued(kReadQueued, 0);
  setup_read(0);
  data_to_host(4092);
  expect_clean();
  data_to_host(8);
  expect_one("Data of 8 bytes where 4 are left of the data phase of tag 0");
}

TEST_F(TransferLegalityTest, MoreDataThanADmaReadAskedForAreFound) {
  non_queued(kReadDma, 8);
  data_to_host();
  expect_clean();
  data_to_host(4);
  expect_one("4 bytes of data where 0 are left of command 25h");
}

TEST_F(TransferLegalityTest, MoreDataThanADmaWriteAskedForAreFound) {
  non_queued(kWriteDma, 8);
  activate();
  data_to_device();
  activate();
  expect_clean();
  data_to_device(4);
  expect_one("4 bytes of data where 0 are left of command 35h");
}

TEST_F(TransferLegalityTest, DataMayCrossTheErrorWithWhichTheDeviceGivesThemUp) {
  queued(kWriteQueued, 0);
  setup_write(0, true);
  done(0, kFailed);
  data_to_device();
  expect_clean();
}

TEST_F(TransferLegalityTest, AnActivationEndsWithItsQueuedCommand) {
  queued(kWriteQueued, 0);
  setup_write(0, true);
  queue_error();
  read_error_log();
  queued(kWriteQueued, 0);
  data_to_device();
  expect_one("Data to the device without DMA Activate");
}

TEST_F(TransferLegalityTest, AnActivationEndsWithItsCommand) {
  non_queued(kWriteDma, 8);
  activate();
  d2h(kFailed, true);
  stop();
  start();
  non_queued(kWriteDma, 8);
  data_to_device();
  expect_one("Data to the device without DMA Activate");
}

TEST_F(TransferLegalityTest, DataToTheDeviceWithoutActivationAreFound) {
  queued(kWriteQueued, 0);
  setup_write(0, false);
  data_to_device();
  expect_one("Data to the device without DMA Activate");
}

TEST_F(TransferLegalityTest, AnActivationIsForOneDataFis) {
  queued(kWriteQueued, 0);
  setup_write(0, true);
  data_to_device(2048);
  expect_clean();
  data_to_device(2048);
  expect_one("Data to the device without DMA Activate");
}

TEST_F(TransferLegalityTest, MoreDataToTheDeviceThanAnnouncedAreFound) {
  queued(kWriteQueued, 0, 16);
  setup_write(0, true, 4096);
  data_to_device(8192);
  expect_one("Data of 8192 bytes where 4096 are left of the data phase of tag 0");
}

TEST_F(TransferLegalityTest, ADataFisMayHave8192BytesOfPayloadAndNoMore) {
  queued(kReadQueued, 0, 64);
  setup_read(0, 32768);
  data_to_host(8192);
  expect_clean();
  data_to_host(8196);
  expect_one("Data FIS of 8200 bytes");
}

TEST_F(TransferLegalityTest, ADataFisIsWholeDwords) {
  queued(kReadQueued, 0);
  setup_read(0);
  data_to_host(512);
  expect_clean();
  data_to_host(514);
  expect_one("Data FIS of 518 bytes");
}

TEST_F(TransferLegalityTest, ADataFisWithoutDataIsFound) {
  queued(kReadQueued, 0);
  setup_read(0);
  data_to_host(0);
  expect_one("Data FIS of 4 bytes");
}

}  // namespace
}  // namespace ncqlab::oracle
