// Damage on the link: what the port shows and what it does (AHCI 1.3.1, 5.3.16, 6.1.2, 6.2.2; SATA 3.x, 14.1.2).
#include <gtest/gtest.h>

#include "testbench/tests/model/hba_damage.h"
#include "testbench/tests/model/hba_rig.h"

namespace ncqlab::test {
namespace {

using namespace hba;
using sata::Damage;
using sata::Direction;

struct DamagedRig : BareRig {
  DamagedRig() {
    bring_up();
    controller().link(0).inject(&faults);
  }
  void run_a_read() {
    build_command(0, command(0x25), {{data.address, 512}});
    issue(0);
    run();
    device.send_data(pattern(512));
    device.send_status(0x50, true);
    run();
  }
  Damaging faults;
};

TEST(HbaLinkError, ADamagedStatusIsSentAgainAndShowsAsNonFatal) {
  DamagedRig rig;
  rig.run_a_read();
  EXPECT_EQ(rig.port(kPxCI), 0U);
  EXPECT_EQ(rig.port(kPxIS), kPxIS_INFS | kPxIS_DHRS);
  EXPECT_EQ(rig.port(kPxSERR), kSERR_DIAG_C | kSERR_ERR_I);
}

TEST(HbaLinkError, EachKindOfDamageHasItsBit) {
  for (const auto& [damage, bit] : {std::pair{Damage::crc, kSERR_DIAG_C}, std::pair{Damage::decode, kSERR_DIAG_B},
                                    std::pair{Damage::disparity, kSERR_DIAG_D}}) {
    DamagedRig rig;
    rig.faults.what = damage;
    rig.run_a_read();
    EXPECT_EQ(rig.port(kPxSERR), bit | kSERR_ERR_I);
  }
}

TEST(HbaLinkError, DamagedDataAreFatal) {
  DamagedRig rig;
  rig.faults.type = sata::FisType::data;
  rig.run_a_read();
  EXPECT_EQ(rig.port(kPxCI), 1U);
  EXPECT_EQ(rig.port(kPxIS), kPxIS_IFS);
  EXPECT_EQ(rig.port(kPxSERR), kSERR_DIAG_C | kSERR_ERR_T);
  EXPECT_EQ(rig.byte_count(0), 0U);
}

TEST(HbaLinkError, ACommandThatWasNotTakenGoesOutAgain) {
  DamagedRig rig;
  rig.faults.where = Direction::to_device;
  rig.faults.type = sata::FisType::register_h2d;
  rig.faults.times = 2;
  rig.run_a_read();
  EXPECT_EQ(rig.device.received.size(), 1U);
  EXPECT_EQ(rig.port(kPxCI), 0U);
  EXPECT_EQ(rig.port(kPxIS), kPxIS_INFS | kPxIS_DHRS);
  EXPECT_EQ(rig.port(kPxSERR), kSERR_DIAG_H | kSERR_ERR_I);
}

TEST(HbaLinkError, DataThatWereNotTakenAreFatal) {
  DamagedRig rig;
  rig.faults.where = Direction::to_device;
  rig.faults.type = sata::FisType::data;
  rig.build_command(0, command(0x35), {{rig.data.address, 512}}, HbaRig::kWrite);
  rig.issue(0);
  rig.run();
  rig.device.send(sata::encode_dma_activate(rig.pool, 0));
  rig.run();
  EXPECT_EQ(rig.port(kPxIS), kPxIS_IFS);
  EXPECT_EQ(rig.port(kPxSERR), kSERR_DIAG_H | kSERR_ERR_T);
  EXPECT_EQ(rig.port(kPxCI), 1U);
}

TEST(HbaLinkError, AfterAFatalErrorStopAndStartGoOn) {
  DamagedRig rig;
  rig.faults.type = sata::FisType::data;
  rig.run_a_read();
  rig.set_port(kPxCMD, rig.port(kPxCMD) & ~kPxCMD_ST);
  rig.run();
  EXPECT_EQ(rig.port(kPxCMD) & kPxCMD_CR, 0U);
  rig.set_port(kPxIS, 0xFFFFFFFF);
  rig.set_port(kPxSERR, 0xFFFFFFFF);
  rig.set_port(kPxCMD, rig.port(kPxCMD) | kPxCMD_CLO);
  rig.set_port(kPxCMD, rig.port(kPxCMD) | kPxCMD_ST);
  rig.run_a_read();
  EXPECT_EQ(rig.port(kPxCI), 0U);
  EXPECT_EQ(rig.port(kPxIS), kPxIS_DHRS);
}

TEST(HbaLinkError, ADeviceThatEndsACommandWithSyncIsNotBusyAndFatal) {
  DamagedRig rig;
  rig.faults.where = Direction::to_device;
  rig.faults.type = sata::FisType::register_h2d;
  rig.faults.what = Damage::aborted;
  rig.build_command(0, command(0x25), {{rig.data.address, 512}});
  rig.issue(0);
  rig.run();
  EXPECT_EQ(rig.port(kPxTFD) & (kSTS_BSY | kSTS_DRQ), 0U);
  EXPECT_EQ(rig.port(kPxIS), kPxIS_IFS);
}

}  // namespace
}  // namespace ncqlab::test
