// Legal conversations have no finding; each planted misuse of registers has the one that names it.
#include <gtest/gtest.h>

#include "testbench/oracle/ahci_legality.h"
#include "testbench/tests/unit/oracle_ahci_conversation.h"

namespace ncqlab::oracle {
namespace {

class AhciLegalityTest : public AhciConversation {};

TEST_F(AhciLegalityTest, APortsLifeIsLegal) {
  write(0x04, 1U << 31 | 1U);  // GHC: AE, HR
  write(0x04, 1U << 31);
  port_write(0x00, 0x1000);   // PxCLB
  port_write(0x08, 0x2000);   // PxFB
  port_write(0x18, 1U << 4);  // FRE
  phy_ready();
  signature();
  start();
  non_queued(kIdentify, 0);
  pio_setup(true, kReady);
  data_to_host(512);
  non_queued(kReadDma, 32);
  data_to_host(8192);
  data_to_host(8192);
  end();
  non_queued(kWriteDma, 16);
  activate();
  data_to_device();
  activate();
  data_to_device();
  end();
  non_queued(kWritePio, 2);
  pio_setup(false, kBusy);
  data_to_device(512);
  pio_setup(false, kBusy);
  data_to_device(512);
  end();
  queued(kReadQueued, 0, 32);
  queued(kWriteQueued, 5, 16);
  setup_write(5, false, 8192);
  activate();
  data_to_device();
  activate();
  data_to_device();
  setup_read(0, 16384);
  data_to_host(8192);
  data_to_host(8192);
  done(1U << 0 | 1U << 5);
  queued(kWriteQueued, 0);
  setup_write(0, true);
  data_to_device();
  done(1);
  stop();
  expect_clean();
}

TEST_F(AhciLegalityTest, AllThirtyTwoTagsMayBeOutstandingAndEndInAnyOrder) {
  start();
  for (std::uint32_t tag = 0; tag < 32; ++tag) queued(kReadQueued, tag);
  for (std::uint32_t tag = 32; tag-- > 0;) {
    read_data(tag);
  }
  expect_clean();
}

TEST_F(AhciLegalityTest, AnErrorIsFollowedByARestartOfThePort) {
  start();
  queued(kReadQueued, 0);
  queued(kReadQueued, 1);
  queue_error();
  read_error_log();
  queued(kReadQueued, 0);
  expect_clean();
}

TEST_F(AhciLegalityTest, ASoftwareResetAbortsTheQueue) {
  start();
  queued(kReadQueued, 0);
  stop();
  start();
  control(true);
  control(false);
  signature();
  queued(kReadQueued, 0);
  expect_clean();
}

TEST_F(AhciLegalityTest, PxCiWhileStoppedIsFound) {
  issue(1);
  expect_one("PxCI written while PxCMD.ST is 0");
}

TEST_F(AhciLegalityTest, PxSactWhileStoppedIsFound) {
  set_active(1);
  expect_one("PxSACT written while PxCMD.ST is 0");
}

TEST_F(AhciLegalityTest, PxSactAfterPxCiIsFound) {
  start();
  issue(1);
  set_active(1);
  expect_one("PxSACT written after PxCI");
}

TEST_F(AhciLegalityTest, PxSactOfAnOutstandingTagIsFound) {
  start();
  queued(kReadQueued, 3);
  set_active(1U << 3);
  expect_one("PxSACT written for a tag that is outstanding");
}

TEST_F(AhciLegalityTest, PxCiOfAnOutstandingQueuedSlotIsFound) {
  start();
  queued(kReadQueued, 3);
  issue(1U << 3);
  expect_one("PxCI written for a slot whose queued command is outstanding");
}

TEST_F(AhciLegalityTest, StartWithoutFisReceiveIsFound) {
  port_write(0x18, 1);
  expect_one("PxCMD.ST set while PxCMD.FRE is 0");
}

TEST_F(AhciLegalityTest, FisReceiveClearedWhileStartedIsFound) {
  start();
  port_write(0x18, 1);
  expect_one("PxCMD.FRE cleared while PxCMD.ST is 1");
}

TEST_F(AhciLegalityTest, MovingTheListsOfARunningPortIsFound) {
  start();
  port_write(0x00, 0x5000);
  expect_one("command list base written");
  port_write(0x0C, 1);
  EXPECT_NE(legality_.findings().back().text.find("FIS base written"), std::string::npos);
}

TEST_F(AhciLegalityTest, AnHbaResetForgetsThePorts) {
  start();
  queued(kReadQueued, 3);
  write(0x04, 1U << 31 | 1U);
  start();
  set_active(1U << 3);
  expect_clean();
}

TEST_F(AhciLegalityTest, AnotherWriteToGhcForgetsNothing) {
  start();
  queued(kReadQueued, 3);
  write(0x04, 1U << 31);
  set_active(1U << 3);
  expect_one("PxSACT written for a tag that is outstanding");
}

TEST_F(AhciLegalityTest, WhatGhcIsReadAsCountsToo) {
  read(0x04, 1U << 31);
  port_write(0x10, 0xFFFFFFFF);
  expect_clean();
  read(0x04, 0);
  port_write(0x10, 0xFFFFFFFF);
  expect_one("GHC.AE is 0");
}

TEST_F(AhciLegalityTest, SoManyFindingsAreKeptAndAllAreCounted) {
  for (std::size_t i = 0; i < AhciLegality::kMaxFindings; ++i) issue(1);
  EXPECT_EQ(legality_.report().find("more"), std::string::npos);
  issue(1);
  EXPECT_EQ(legality_.count(), AhciLegality::kMaxFindings + 1);
  EXPECT_EQ(legality_.findings().size(), AhciLegality::kMaxFindings);
  EXPECT_NE(legality_.report().find("and 1 more\n"), std::string::npos);
}

TEST_F(AhciLegalityTest, APortWriteWithoutAhciEnableIsFound) {
  write(0x04, 0);
  port_write(0x10, 0xFFFFFFFF);
  expect_one("GHC.AE is 0");
}

TEST_F(AhciLegalityTest, AnUnalignedAccessIsFound) {
  record(sim::Kind::register_read, 0x112, 0, 4);
  expect_one("register read that isn't aligned");
}

TEST_F(AhciLegalityTest, WhatTheControllerNoticedIsAFinding) {
  record(sim::Kind::violation, 14, 5, 0);
  expect_one("the controller noticed: DMA Setup for tag 5, which is not queued");
}

TEST_F(AhciLegalityTest, ASlotWhosePxCiBitWasReadAsZeroIsFreeForAQueuedCommand) {
  start();
  non_queued(kFlush);
  end();
  issue(1);  // of another command that is not queued
  read(0x138, 0);
  set_active(1);
  expect_clean();
}

TEST_F(AhciLegalityTest, SettingStOnceMoreForgetsNothing) {
  start();
  queued(kReadQueued, 3);
  start();
  set_active(1U << 3);
  expect_one("PxSACT written for a tag that is outstanding");
}

TEST_F(AhciLegalityTest, WithFisBasedSwitchingEachDeviceHasItsOwnTags) {
  start();
  for (const std::uint32_t device : {1U, 2U}) {
    port_write(0x40, device << 8 | 1U);  // PxFBS: DEV, EN
    set_active(1);
    issue(1);
  }
  expect_clean();
  port_write(0x40, 2U << 8 | 1U);
  set_active(1);
  expect_one("PxSACT written for a tag that is outstanding");
}

TEST_F(AhciLegalityTest, ADeviceErrorClearRecoversWithoutARestart) {
  start();
  non_queued(kReadDma);
  d2h(kFailed, true);
  port_write(0x40, 0);
  command(kFlush);
  expect_one("after an error from which nobody has recovered");
  end();
  port_write(0x40, 1U | 1U << 1);  // EN, DEC
  command(kFlush);
  EXPECT_EQ(legality_.count(), 1U) << legality_.report();
}

TEST_F(AhciLegalityTest, PortsDoNotMix) {
  start();
  queued(kReadQueued, 0);
  legality_.on_record({now_, sim::Kind::fis_to_host, 1, 0xA1, 8, head(0xA1, 0x40, kReady, 1)});
  expect_one("not outstanding: 01h");
  EXPECT_EQ(legality_.findings()[0].port, 1U);
}

TEST_F(AhciLegalityTest, AFindingHasItsTimeAndTheRecordsThatLedToIt) {
  for (int i = 0; i < 40; ++i) start();
  issue(0);
  d2h(kReady, false);
  ASSERT_EQ(legality_.findings().size(), 1U);
  const Finding& finding = legality_.findings()[0];
  EXPECT_EQ(finding.time, now_);
  ASSERT_EQ(finding.records.size(), AhciLegality::kHistory);
  EXPECT_EQ(finding.records.back().kind, sim::Kind::fis_to_host);
  EXPECT_EQ(finding.records[30].a, 0x138U);  // PxCI
}

}  // namespace
}  // namespace ncqlab::oracle
