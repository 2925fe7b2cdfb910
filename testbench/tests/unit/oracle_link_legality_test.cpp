// FIS against the state of the link: lengths, PHY, power states, frames that come to nothing and come again.
#include <gtest/gtest.h>

#include <string>

#include "testbench/tests/unit/oracle_ahci_conversation.h"

namespace ncqlab::oracle {
namespace {

class LinkLegalityTest : public AhciConversation {
 protected:
  LinkLegalityTest() { start(); }
};

TEST_F(LinkLegalityTest, AFisOfAnotherLengthThanItsTypesIsFound) {
  phy_ready();
  to_host(0x34, 16, head(0x34, 0, kReady, 1), 1);
  expect_one("Register D2H FIS of 16 bytes");
}

TEST_F(LinkLegalityTest, ACommandOfAnotherLengthIsFound) {
  to_device(0x27, 16, head(0x27, 0x80, kFlush, 0));
  expect_one("Register H2D FIS of 16 bytes");
}

TEST_F(LinkLegalityTest, AFisThatGoesTheWrongWayIsFound) {
  to_device(0xA1, 8, head(0xA1, 0, 0, 0));
  expect_one("Set Device Bits FIS (type A1h) to a device");
}

TEST_F(LinkLegalityTest, ACommandToTheHostIsFound) {
  to_host(0x27, 20, head(0x27, 0x80, kFlush, 0));
  expect_one("Register H2D FIS (type 27h) to the host");
}

TEST_F(LinkLegalityTest, ACommandAfterThePhyWentDownIsFound) {
  phy_lost();
  command(kIdentify);
  expect_one("Register H2D FIS while the PHY is down");
}

TEST_F(LinkLegalityTest, ASignalThatIsBackCarriesFramesAgain) {
  phy_lost();
  phy(0x123, sata::PhyStep::recovered);
  non_queued(kFlush);
  end();
  expect_clean();
}

TEST_F(LinkLegalityTest, AnythingButTheSignatureAfterAResetIsFound) {
  phy_ready();
  done(0);
  expect_one("Set Device Bits FIS before the device's signature");
}

TEST_F(LinkLegalityTest, NoFisPassesInALowPowerState) {
  for (const sata::LinkPower state : {sata::LinkPower::partial, sata::LinkPower::slumber, sata::LinkPower::dev_sleep}) {
    legality_ = AhciLegality();
    start();
    power(state);
    command(kFlush, 0);
    expect_one("Register H2D FIS while the link is in a low power state");
  }
}

TEST_F(LinkLegalityTest, AFisMayPassOnceTheLinkIsAwakeAndTheQueueIsStillThere) {
  queued(kReadQueued, 0);
  power(sata::LinkPower::slumber);
  power(sata::LinkPower::active);
  read_data(0);
  expect_clean();
}

TEST_F(LinkLegalityTest, AComresetLeavesALowPowerState) {
  power(sata::LinkPower::partial);
  phy(0x000, sata::PhyStep::comreset_begins);
  phy_ready();
  signature();
  expect_clean();
}

TEST_F(LinkLegalityTest, AFrameWhoseHandshakeWasLostComesAgainWithoutEffect) {
  set_active(1);
  issue(1);
  command(kReadQueued);
  link_error(0x27, sata::Direction::to_device, sata::Damage::handshake);
  command(kReadQueued);
  release();
  link_error(0x34, sata::Direction::to_host, sata::Damage::handshake);
  release();
  expect_clean();
}

TEST_F(LinkLegalityTest, AFrameThatWasRefusedComesAgainWithoutEffect) {
  set_active(1);
  issue(1);
  command(kReadQueued);
  link_error(0x27, sata::Direction::to_device, sata::Damage::refused);
  command(kReadQueued);
  release();
  expect_clean();
}

TEST_F(LinkLegalityTest, WithoutALostHandshakeNothingComesAgain) {
  set_active(1);
  issue(1);
  command(kReadQueued);
  release();
  release();
  expect_one("none waits for its release");
}

TEST_F(LinkLegalityTest, OnlyTheSameFrameComesAgain) {
  queued(kReadQueued, 0);
  setup_read(0);
  data_to_host();
  link_error(0xA1, sata::Direction::to_host, sata::Damage::handshake);
  done(1U << 1);
  expect_one("not outstanding: 02h");
}

TEST_F(LinkLegalityTest, ADamagedFrameHadNoEffect) {
  set_active(1);
  issue(1);
  link_error(0x27, sata::Direction::to_device, sata::Damage::crc);
  command(kReadQueued);
  release();
  expect_clean();
}

TEST_F(LinkLegalityTest, ALostDataFisEndsTheDataPhaseAndTheCommandInAnError) {
  queued(kReadQueued, 0);
  setup_read(0);
  link_error(0x46, sata::Direction::to_host, sata::Damage::crc);
  done(0, kFailed);
  expect_clean();
}

TEST_F(LinkLegalityTest, ACommandWhoseDataWereLostDoesNotEndWell) {
  queued(kReadQueued, 0);
  setup_read(0);
  link_error(0x46, sata::Direction::to_host, sata::Damage::crc);
  done(1);
  expect_one("whose data have not all moved: 01h");
}

TEST_F(LinkLegalityTest, TheLastBlockOfAPioReadMayBeFollowedByAnErrorWhenItWasLost) {
  non_queued(kIdentify);
  pio_setup(true, kReady);
  data_to_host(512);
  link_error(0x46, sata::Direction::to_host, sata::Damage::handshake);
  d2h(kFailed, true);
  expect_clean();
}

TEST_F(LinkLegalityTest, OnlyAnErrorAndOnlyOneFollowsLostDataThatTheHostHas) {
  non_queued(kIdentify);
  pio_setup(true, kReady);
  data_to_host(512);
  link_error(0x46, sata::Direction::to_host, sata::Damage::handshake);
  end();
  expect_one("Register D2H that answers nothing");
  d2h(kFailed, true);
  d2h(kFailed, true);
  EXPECT_EQ(legality_.count(), 2U);
}

TEST_F(LinkLegalityTest, TheNextCommandOwesNothingToDataThatWereLostBefore) {
  non_queued(kIdentify);
  pio_setup(true, kReady);
  data_to_host(512);
  link_error(0x46, sata::Direction::to_host, sata::Damage::handshake);
  queued(kReadQueued, 0);
  d2h(kFailed, true);
  expect_one("none waits for its release");
}

}  // namespace
}  // namespace ncqlab::oracle
