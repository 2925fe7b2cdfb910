// Power, spin-up and presence of a port: PxCMD.SUD, POD, CPS, MPSS (AHCI 1.3.1, 3.3.7, 10.9 to 10.11) and hot plug (7).
#include <gtest/gtest.h>

#include "testbench/tests/model/hba_rig.h"

namespace ncqlab::test {
namespace {

using namespace hba;

ControllerProfile with(std::uint32_t ControllerProfile::*ports) {
  ControllerProfile profile = HbaRig::default_profile();
  profile.*ports = 0x1;
  return profile;
}

std::uint32_t detection(HbaRig& rig) { return rig.port(kPxSSTS) & kDET_mask; }

TEST(HbaPresence, ColdPresenceIsSeenWithoutPower) {
  BareRig rig(with(&ControllerProfile::cold_presence_ports));
  rig.run();
  EXPECT_EQ(rig.port(kPxCMD) & (kPxCMD_CPD | kPxCMD_CPS | kPxCMD_POD), kPxCMD_CPD | kPxCMD_CPS);
  EXPECT_EQ(detection(rig), 0U);
}

TEST(HbaPresence, PowerOnStartsTheDevice) {
  BareRig rig(with(&ControllerProfile::cold_presence_ports));
  rig.run();
  rig.set_port(kPxCMD, kPxCMD_POD);
  rig.run();
  EXPECT_EQ(detection(rig), kDET_established);
  rig.set_port(kPxCMD, 0);
  EXPECT_EQ(detection(rig), 0U);
  EXPECT_EQ(rig.device.losses, 1U);
}

TEST(HbaPresence, ADeviceThatComesOrGoesSetsColdPresenceDetect) {
  BareRig rig(with(&ControllerProfile::cold_presence_ports));
  rig.run();
  rig.set_port(kPxIS, 0xFFFFFFFF);
  rig.controller().link(0).unplug();
  EXPECT_EQ(rig.port(kPxIS), kPxIS_CPDS);
  EXPECT_EQ(rig.port(kPxCMD) & kPxCMD_CPS, 0U);
  rig.set_port(kPxIS, 0xFFFFFFFF);
  rig.controller().link(0).plug(&rig.device);
  EXPECT_EQ(rig.port(kPxIS), kPxIS_CPDS);
  EXPECT_EQ(rig.port(kPxCMD) & kPxCMD_CPS, kPxCMD_CPS);
}

TEST(HbaPresence, WithoutColdPresenceDetectionNothingIsSeenSo) {
  BareRig rig;
  rig.run();
  rig.set_port(kPxSERR, 0xFFFFFFFF);
  rig.controller().link(0).unplug();
  EXPECT_EQ(rig.port(kPxIS) & kPxIS_CPDS, 0U);
  EXPECT_EQ(rig.port(kPxCMD) & kPxCMD_CPS, 0U);
}

TEST(HbaPresence, TheMechanicalSwitchShowsAndInterrupts) {
  BareRig rig(with(&ControllerProfile::switched_ports));
  rig.bring_up();
  EXPECT_EQ(rig.port(kPxCMD) & kPxCMD_MPSS, 0U);
  rig.controller().set_mechanical_switch(0, true);
  EXPECT_EQ(rig.port(kPxCMD) & kPxCMD_MPSS, kPxCMD_MPSS);
  EXPECT_EQ(rig.port(kPxIS), kPxIS_DMPS);
  EXPECT_EQ(rig.interrupts.messages.size(), 1U);
  rig.set_port(kPxIS, kPxIS_DMPS);
  rig.controller().set_mechanical_switch(0, false);
  EXPECT_EQ(rig.port(kPxCMD) & kPxCMD_MPSS, 0U);
  EXPECT_EQ(rig.port(kPxIS), kPxIS_DMPS);
}

TEST(HbaPresence, APortWithoutASwitchHasNone) {
  BareRig rig;
  rig.controller().set_mechanical_switch(0, true);
  EXPECT_EQ(rig.port(kPxCMD) & kPxCMD_MPSS, 0U);
  EXPECT_EQ(rig.port(kPxIS) & kPxIS_DMPS, 0U);
}

TEST(HbaPresence, WithStaggeredSpinUpThePhyStopsWhenSpinUpIsTakenBack) {
  ControllerProfile staggered = HbaRig::default_profile();
  staggered.capabilities.staggered_spin_up = true;
  BareRig rig(staggered);
  rig.run();
  EXPECT_EQ(detection(rig), 0U);
  rig.set_port(kPxCMD, kPxCMD_SUD);
  rig.run();
  EXPECT_EQ(detection(rig), kDET_established);
  rig.set_port(kPxCMD, 0);
  EXPECT_EQ(detection(rig), 0U);
}

TEST(HbaPresence, SpinUpTakenBackBeforeThePhyIsReadyShowsNoDevice) {
  ControllerProfile staggered = HbaRig::default_profile();
  staggered.capabilities.staggered_spin_up = true;
  BareRig rig(staggered);
  rig.set_port(kPxCMD, kPxCMD_SUD);
  while (detection(rig) != kDET_present) ASSERT_TRUE(rig.queue().run_one());
  rig.set_port(kPxCMD, 0);
  EXPECT_EQ(rig.port(kPxSSTS), 0U);
  EXPECT_EQ(rig.port(kPxTFD), 0x7FU);
}

// 10.10: before spin-up is asked for the PHY only listens.
TEST(HbaPresence, APhyThatListensHearsTheCominitOfAPluggedDevice) {
  ControllerProfile staggered = HbaRig::default_profile();
  staggered.capabilities.staggered_spin_up = true;
  BareRig rig(staggered);
  rig.controller().link(0).unplug();
  rig.set_port(kPxSERR, 0xFFFFFFFF);
  rig.controller().link(0).plug(&rig.device);
  rig.run();
  EXPECT_EQ(rig.port(kPxSERR), kSERR_DIAG_X);
  EXPECT_EQ(rig.port(kPxIS), kPxIS_PCS);
  EXPECT_EQ(detection(rig), 0U);
}

TEST(HbaPresence, APluggedDeviceIsDetectedBeforeItsPhyRuns) {
  BareRig rig;
  rig.controller().link(0).unplug();
  rig.run();
  rig.set_port(kPxSERR, 0xFFFFFFFF);
  rig.controller().link(0).plug(&rig.device);
  while (detection(rig) == 0 && rig.queue().run_one()) {
  }
  EXPECT_EQ(detection(rig), kDET_present);
  EXPECT_EQ(rig.port(kPxSERR), kSERR_DIAG_X);
  EXPECT_EQ(rig.port(kPxIS), kPxIS_PCS);
  rig.run();
  EXPECT_EQ(detection(rig), kDET_established);
  EXPECT_EQ(rig.port(kPxSERR), kSERR_DIAG_X | kSERR_DIAG_N);
}

}  // namespace
}  // namespace ncqlab::test
