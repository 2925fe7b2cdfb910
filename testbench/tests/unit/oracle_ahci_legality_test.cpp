// Legal conversations have no finding; each planted violation has the one that names it.
#include <gtest/gtest.h>

#include <string>

#include "testbench/oracle/ahci_legality.h"
#include "testbench/oracle/record_text.h"

namespace ncqlab::oracle {
namespace {

constexpr std::uint8_t kReady = 0x50;
constexpr std::uint8_t kReadQueued = 0x60;
constexpr std::uint8_t kWriteQueued = 0x61;
constexpr std::uint8_t kReadDma = 0x25;
constexpr std::uint8_t kWriteDma = 0x35;
constexpr std::uint8_t kIdentify = 0xEC;
constexpr std::uint8_t kWritePio = 0x34;

class AhciLegalityTest : public testing::Test {
 protected:
  void record(sim::Kind kind, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    now_ += sim::kMicrosecond;
    legality_.on_record({now_, kind, 0, a, b, c});
  }
  void write(std::uint64_t offset, std::uint32_t value) { record(sim::Kind::register_write, offset, value, 4); }
  void port_write(std::uint64_t offset, std::uint32_t value) { write(0x100 + offset, value); }
  static std::uint64_t head(std::uint8_t type, std::uint8_t flags, std::uint8_t third, std::uint32_t second_dword) {
    return std::uint64_t{second_dword} << 32 | std::uint64_t{third} << 16 | std::uint64_t{flags} << 8 | type;
  }
  void to_host(std::uint8_t type, std::uint64_t bytes, std::uint64_t value) {
    record(sim::Kind::fis_to_host, type, bytes, value);
  }

  void start() { port_write(0x18, 1U << 4 | 1U); }  // PxCMD: FRE, ST
  void stop() { port_write(0x18, 1U << 4); }
  void set_active(std::uint32_t bits) { port_write(0x34, bits); }
  void issue(std::uint32_t bits) { port_write(0x38, bits); }
  void command(std::uint8_t code) { record(sim::Kind::fis_to_device, 0x27, 20, head(0x27, 0x80, code, 0)); }
  void control() { record(sim::Kind::fis_to_device, 0x27, 20, head(0x27, 0x00, 0, 0)); }
  void data_to_device() { record(sim::Kind::fis_to_device, 0x46, 4100, head(0x46, 0, 0, 0)); }
  void data_to_host(std::uint64_t bytes = 4100) { to_host(0x46, bytes, head(0x46, 0, 0, 0)); }
  void d2h(std::uint8_t status, bool interrupt) { to_host(0x34, 20, head(0x34, interrupt ? 0x40 : 0, status, 0)); }
  void release() { d2h(kReady, false); }
  void done(std::uint32_t tags, std::uint8_t status = kReady) { to_host(0xA1, 8, head(0xA1, 0x40, status, tags)); }
  void setup_read(std::uint32_t tag) { to_host(0x41, 28, head(0x41, 0x20, 0, tag)); }
  void setup_write(std::uint32_t tag, bool activate) { to_host(0x41, 28, head(0x41, activate ? 0x80 : 0, 0, tag)); }
  void activate() { to_host(0x39, 4, head(0x39, 0, 0, 0)); }
  void pio_setup(bool data_in) { to_host(0x5F, 20, head(0x5F, data_in ? 0x20 : 0, 0x58, 0)); }

  void queued(std::uint8_t code, std::uint32_t tag) {
    set_active(1U << tag);
    issue(1U << tag);
    command(code);
    release();
  }
  void non_queued(std::uint8_t code) {
    issue(1);
    command(code);
  }

  void expect_clean() { EXPECT_EQ(legality_.count(), 0U) << legality_.report(); }
  void expect_one(const std::string& text) {
    ASSERT_EQ(legality_.count(), 1U) << legality_.report();
    EXPECT_NE(legality_.findings()[0].text.find(text), std::string::npos) << legality_.report();
  }

  AhciLegality legality_;
  sim::Time now_ = 0;
};

TEST_F(AhciLegalityTest, APortsLifeIsLegal) {
  write(0x04, 1U << 31 | 1U);  // GHC: AE, HR
  write(0x04, 1U << 31);
  port_write(0x00, 0x1000);   // PxCLB
  port_write(0x08, 0x2000);   // PxFB
  port_write(0x18, 1U << 4);  // FRE
  record(sim::Kind::phy, 0x123, 0, 0);
  d2h(kReady, false);  // signature
  start();
  non_queued(kIdentify);
  pio_setup(true);
  data_to_host(516);
  non_queued(kReadDma);
  data_to_host(8196);
  data_to_host(8196);
  d2h(kReady, true);
  non_queued(kWriteDma);
  activate();
  data_to_device();
  activate();
  data_to_device();
  d2h(kReady, true);
  non_queued(kWritePio);
  pio_setup(false);
  data_to_device();
  pio_setup(false);
  data_to_device();
  d2h(kReady, true);
  queued(kReadQueued, 0);
  queued(kWriteQueued, 5);
  setup_write(5, false);
  activate();
  data_to_device();
  activate();
  data_to_device();
  setup_read(0);
  data_to_host();
  data_to_host();
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
    setup_read(tag);
    data_to_host();
    done(1U << tag);
  }
  expect_clean();
}

TEST_F(AhciLegalityTest, AnErrorIsFollowedByARestartOfThePort) {
  start();
  queued(kReadQueued, 0);
  queued(kReadQueued, 1);
  done(0, 0x41);  // ERR: the queue is aborted
  stop();
  start();
  non_queued(0x2F);  // READ LOG EXT
  pio_setup(true);
  data_to_host(516);
  queued(kReadQueued, 0);
  expect_clean();
}

TEST_F(AhciLegalityTest, ASoftwareResetAbortsTheQueue) {
  start();
  queued(kReadQueued, 0);
  stop();
  start();
  control();
  control();
  d2h(kReady, false);
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

TEST_F(AhciLegalityTest, APortWriteWithoutAhciEnableIsFound) {
  write(0x04, 0);
  port_write(0x10, 0xFFFFFFFF);
  expect_one("GHC.AE is 0");
}

TEST_F(AhciLegalityTest, AnUnalignedAccessIsFound) {
  record(sim::Kind::register_read, 0x112, 0, 4);
  expect_one("register read that isn't aligned");
}

TEST_F(AhciLegalityTest, AQueuedCommandWithoutItsPxSactBitIsFound) {
  start();
  issue(1);
  command(kReadQueued);
  expect_one("queued command 60h without its bit in PxSACT");
}

TEST_F(AhciLegalityTest, ACommandWhileBsyWithANonQueuedOneIsFound) {
  start();
  set_active(2);
  issue(3);
  command(kReadDma);
  command(kReadQueued);
  expect_one("command 60h while the device is BSY with command 25h");
}

TEST_F(AhciLegalityTest, AQueuedCommandBeforeTheReleaseOfTheLastIsFound) {
  start();
  set_active(3);
  issue(3);
  command(kReadQueued);
  command(kReadQueued);
  expect_one("while the device is BSY with command 60h");
}

TEST_F(AhciLegalityTest, ANonQueuedCommandWithQueuedOnesOutstandingIsFound) {
  start();
  queued(kReadQueued, 0);
  command(kReadDma);
  expect_one("non-queued command 25h with 1 queued outstanding");
}

TEST_F(AhciLegalityTest, ACommandBeforeTheSignatureIsFound) {
  start();
  record(sim::Kind::phy, 0x123, 0, 0);
  command(kIdentify);
  expect_one("before the device's signature");
}

TEST_F(AhciLegalityTest, ACommandAfterAnErrorWithoutRestartIsFound) {
  start();
  non_queued(kReadDma);
  d2h(0x51, true);
  command(kReadDma);
  expect_one("after an error from which nobody has recovered");
}

TEST_F(AhciLegalityTest, AReleaseWithTheInterruptBitIsFound) {
  start();
  set_active(1);
  issue(1);
  command(kReadQueued);
  d2h(kReady, true);
  expect_one("release of a queued command with the interrupt bit set");
}

TEST_F(AhciLegalityTest, AReleaseWithBsyIsFound) {
  start();
  set_active(1);
  issue(1);
  command(kReadQueued);
  d2h(0xD0, false);
  expect_one("release of a queued command with status D0h");
}

TEST_F(AhciLegalityTest, ARegisterFisThatAnswersNothingIsFound) {
  d2h(kReady, true);
  expect_one("Register D2H that answers nothing");
}

TEST_F(AhciLegalityTest, ARegisterFisForAReleasedQueuedCommandIsFound) {
  start();
  queued(kReadQueued, 0);
  d2h(kReady, true);
  expect_one("Register D2H while queued commands are outstanding");
}

TEST_F(AhciLegalityTest, SetDeviceBitsForATagThatIsNotOutstandingIsFound) {
  start();
  queued(kReadQueued, 0);
  done(1U << 1);
  expect_one("Set Device Bits for tags that are not outstanding: 02h");
}

TEST_F(AhciLegalityTest, SetDeviceBitsTwiceForOneTagIsFound) {
  start();
  queued(kReadQueued, 4);
  done(1U << 4);
  expect_clean();
  done(1U << 4);
  expect_one("Set Device Bits for tags that are not outstanding: 10h");
}

TEST_F(AhciLegalityTest, DmaSetupForATagThatIsNotOutstandingIsFound) {
  start();
  queued(kReadQueued, 0);
  setup_read(1);
  expect_one("DMA Setup for tag 1, which is not outstanding");
}

TEST_F(AhciLegalityTest, DataToTheHostWithoutSetupIsFound) {
  start();
  queued(kReadQueued, 0);
  data_to_host();
  expect_one("Data to the host without DMA Setup or PIO Setup");
}

TEST_F(AhciLegalityTest, DataOfAPioReadWithoutPioSetupIsFound) {
  start();
  non_queued(kIdentify);
  data_to_host(516);
  expect_one("Data to the host without DMA Setup or PIO Setup");
}

TEST_F(AhciLegalityTest, DataAfterTheEndOfATransferIsFound) {
  start();
  queued(kReadQueued, 0);
  setup_read(0);
  data_to_host();
  done(1);
  data_to_host();
  expect_one("Data to the host without DMA Setup or PIO Setup");
}

TEST_F(AhciLegalityTest, DataToTheDeviceWithoutActivationIsFound) {
  start();
  queued(kWriteQueued, 0);
  setup_write(0, false);
  data_to_device();
  expect_one("Data to the device without DMA Activate");
}

TEST_F(AhciLegalityTest, AnActivationIsForOneDataFis) {
  start();
  queued(kWriteQueued, 0);
  setup_write(0, true);
  data_to_device();
  expect_clean();
  data_to_device();
  expect_one("Data to the device without DMA Activate");
}

TEST_F(AhciLegalityTest, AnActivationWithoutAWriteIsFound) {
  start();
  queued(kReadQueued, 0);
  activate();
  expect_one("DMA Activate without a write");
}

TEST_F(AhciLegalityTest, ASecondActivationBeforeTheDataIsFound) {
  start();
  queued(kWriteQueued, 0);
  setup_write(0, true);
  activate();
  expect_one("DMA Activate before the Data FIS that was activated already");
}

TEST_F(AhciLegalityTest, PioSetupWithoutACommandIsFound) {
  start();
  pio_setup(true);
  expect_one("PIO Setup without a non-queued command");
}

TEST_F(AhciLegalityTest, ADataFisMayHave8192BytesOfPayloadAndNoMore) {
  start();
  queued(kReadQueued, 0);
  setup_read(0);
  data_to_host(8196);
  expect_clean();
  data_to_host(8200);
  expect_one("Data FIS of 8200 bytes");
}

TEST_F(AhciLegalityTest, AFisOfAnotherLengthThanItsTypesIsFound) {
  record(sim::Kind::phy, 0x123, 0, 0);
  to_host(0x34, 16, head(0x34, 0, kReady, 0));
  expect_one("Register D2H FIS of 16 bytes");
}

TEST_F(AhciLegalityTest, AFisOverADeadLinkIsFound) {
  start();
  queued(kReadQueued, 0);
  record(sim::Kind::phy, 0, 0, 0);
  command(kReadQueued);
  EXPECT_NE(legality_.report().find("Register H2D FIS while the PHY is down"), std::string::npos);
}

TEST_F(AhciLegalityTest, WhatTheControllerNoticedIsAFinding) {
  record(sim::Kind::violation, 7, 0, 0);
  expect_one("the controller noticed violation 7");
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

TEST(RecordText, ShowsAFisWithItsFirstBytes) {
  const sim::Record record{1500 * sim::kMicrosecond, sim::Kind::fis_to_host, 2, 0xA1, 8, 0x00000001005040A1};
  EXPECT_EQ(text_of(record), "1.500000000 ms  port 2  FIS to host  Set Device Bits, 8 bytes: a1 40 50 00 01 00 00 00");
}

TEST(RecordText, ShowsARegisterWrite) {
  const sim::Record record{0, sim::Kind::register_write, 0, 0x138, 0x80000000, 4};
  EXPECT_EQ(text_of(record), "0.000000000 ms  port 0  write register 138 = 80000000");
}

}  // namespace
}  // namespace ncqlab::oracle
