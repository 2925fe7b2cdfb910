// Trace records as people read them.
#include <gtest/gtest.h>

#include "model/drive/disk.h"
#include "model/hba/ahci.h"
#include "model/sata/fis_record.h"
#include "model/sata/link_types.h"
#include "testbench/oracle/record_text.h"

namespace ncqlab::oracle {
namespace {

// Without the time.
std::string text(sim::Kind kind, std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint32_t port = 0) {
  const std::string line = text_of({0, kind, port, a, b, c});
  const std::string prefix = "0.000000000 ms  ";
  EXPECT_EQ(line.substr(0, prefix.size()), prefix);
  return line.substr(prefix.size());
}

template <class Fis>
std::string fis_text(const Fis& fis) {
  sata::FramePool pool;
  return text_of(sata::make_fis_record(0, sim::Kind::fis_to_host, 0, sata::encode(pool, fis))).substr(24);
}

TEST(RecordText, ShowsAFisWithItsFirstBytes) {
  const sim::Record record{1500 * sim::kMicrosecond, sim::Kind::fis_to_host, 2, 0xA1, 8, 0x00000001005040A1};
  EXPECT_EQ(text_of(record), "1.500000000 ms  port 2  FIS to host  Set Device Bits, 8 bytes: a1 40 50 00 01 00 00 00");
}

TEST(RecordText, ShowsWhatAFisSaysFurtherBack) {
  sata::RegisterH2D command;
  command.command_bit = true;
  command.command = 0x60;
  command.features = 0x108;
  command.count = 5 << 3;
  EXPECT_EQ(fis_text(command),
            "FIS to host  Register H2D, 20 bytes: 27 80 60 08 00 00 00 00, features 0108, count 0028, control 00");
  sata::DmaSetup setup;
  setup.to_host = true;
  setup.transfer_count = 4096;
  EXPECT_EQ(fis_text(setup), "FIS to host  DMA Setup, 28 bytes: 41 20 00 00 00 00 00 00, announces 4096 bytes");
  sata::PioSetup pio;
  pio.end_status = 0x50;
  pio.transfer_count = 512;
  EXPECT_EQ(fis_text(pio),
            "FIS to host  PIO Setup, 20 bytes: 5f 00 00 00 00 00 00 00, announces 512 bytes, E_STATUS 50");
}

TEST(RecordText, ARegisterHasItsNameAndItsPort) {
  EXPECT_EQ(text(sim::Kind::register_write, 0x138, 0x80000000, 4), "port 0  write PxCI (138) = 80000000");
  EXPECT_EQ(text(sim::Kind::register_read, 0x1090 + 0x18, 7, 4), "port 31  read  PxSSTS (10a8) = 00000007");
  EXPECT_EQ(text(sim::Kind::register_read, 0x08, 1, 4), "port 0  read  IS (008) = 00000001");
  EXPECT_EQ(text(sim::Kind::register_read, 0x11C, 0, 4), "port 0  read  register (11c) = 00000000");
}

TEST(RecordText, EachViolationHasItsWords) {
  EXPECT_EQ(text(sim::Kind::violation, 14, 5, 0),
            "port 0  controller notices: DMA Setup for tag 5, which is not queued");
  for (std::uint64_t code = 1; code <= static_cast<std::uint64_t>(hba::Violation::enclosure_message_malformed);
       ++code) {
    EXPECT_EQ(violation_text(code, 0).find("violation"), std::string::npos) << code;
  }
  EXPECT_EQ(violation_text(200, 0), "violation 200");
}

TEST(RecordText, EachStepOfThePhyHasItsName) {
  const auto step = [](sata::PhyStep what, std::uint64_t status, std::uint64_t generation = 0) {
    return text(sim::Kind::phy, status, static_cast<std::uint64_t>(what), generation).substr(8);
  };
  EXPECT_EQ(step(sata::PhyStep::comreset_begins, 0), "PHY  COMRESET begins, SStatus 000");
  EXPECT_EQ(step(sata::PhyStep::speed, 1, 2), "PHY  negotiating generation 2, SStatus 001");
  EXPECT_EQ(step(sata::PhyStep::ready, 0x123), "PHY  ready, SStatus 123");
  EXPECT_EQ(step(sata::PhyStep::power, 0x623), "PHY  power state slumber, SStatus 623");
  EXPECT_EQ(step(sata::PhyStep::power, 0x823), "PHY  power state DevSleep, SStatus 823");
}

TEST(RecordText, DamageOnTheLinkHasItsName) {
  EXPECT_EQ(text(sim::Kind::link_error, 0x246, 1, static_cast<std::uint64_t>(sata::Damage::crc), 1),
            "port 1  FIS to host  Data came to nothing: CRC error");
  EXPECT_EQ(text(sim::Kind::link_error, 0x27, 0, static_cast<std::uint64_t>(sata::Damage::refused)),
            "port 0  FIS to device  Register H2D came to nothing: answered with R_ERR");
}

TEST(RecordText, WhatTheDriveDoesHasItsWords) {
  EXPECT_EQ(text(sim::Kind::drive, static_cast<std::uint64_t>(drive::Happening::What::done), 5, 4096),
            "port 0  drive is done with a write or flush, tag 5, LBA 4096");
}

TEST(RecordText, WhatTheControllerDoesHasItsWords) {
  EXPECT_EQ(text(sim::Kind::controller, static_cast<std::uint64_t>(hba::Happening::coalesced), 3, 0),
            "port 0  controller has coalesced 3 command completions");
}

}  // namespace
}  // namespace ncqlab::oracle
