// HBA reset, register by register and at odd moments (AHCI 1.3.1, 10.4.3).
#include <gtest/gtest.h>

#include "testbench/tests/model/hba_states.h"

namespace ncqlab::test {
namespace {

using namespace hba;

ControllerProfile with_optional_parts() {
  ControllerProfile profile = HbaRig::default_profile();
  Capabilities& has = profile.capabilities;
  has.notification = has.partial = has.slumber = has.device_sleep = has.aggressive_device_sleep = true;
  has.aggressive_link_power = has.port_multiplier = has.activity_led = has.auto_partial_to_slumber = true;
  return profile;
}

// To the moment when GHC.HR is 0 again; the PHY has not answered yet.
void reset(StateRig& rig) {
  rig.write(kGHC, kGHC_AE | kGHC_HR);
  ASSERT_TRUE(rig.run_until([&] { return (rig.read(kGHC) & kGHC_HR) == 0; }));
}

void expect_reset_values(StateRig& rig) {
  EXPECT_EQ(rig.read(kGHC), kGHC_AE);
  EXPECT_EQ(rig.read(kIS), 0U);
  EXPECT_EQ(rig.port(kPxIS), 0U);
  EXPECT_EQ(rig.port(kPxIE), 0U);
  EXPECT_EQ(rig.port(kPxCMD), 0x00000006U);
  EXPECT_EQ(rig.port(kPxTFD), 0x0000007FU);
  EXPECT_EQ(rig.port(kPxSIG), 0xFFFFFFFFU);
  EXPECT_EQ(rig.port(kPxSSTS), 0U);
  EXPECT_EQ(rig.port(kPxSCTL), 0U);
  EXPECT_EQ(rig.port(kPxSERR), 0U);
  EXPECT_EQ(rig.port(kPxSACT), 0U);
  EXPECT_EQ(rig.port(kPxCI), 0U);
  EXPECT_EQ(rig.port(kPxSNTF), 0U);
  EXPECT_EQ(rig.port(kPxDEVSLP), 0x0138A852U);
}

TEST(HbaReset, PutsBackWhatSoftwareTheDeviceAndAnErrorLeft) {
  StateRig rig(true, with_optional_parts());
  rig.set_port(kPxSCTL, 0x320);
  rig.set_port(kPxDEVSLP, 0x1234567C);
  rig.set_port(kPxCMD,
               rig.port(kPxCMD) | kPxCMD_ALPE | kPxCMD_ASP | kPxCMD_ATAPI | kPxCMD_DLAE | kPxCMD_APSTE | kPxCMD_PMA);
  sata::SetDeviceBits notification;
  notification.status = 0x50;
  notification.notification = true;
  notification.interrupt = true;
  rig.device.send(notification);
  rig.run();
  rig.send_queued(2, 0x60, 512);
  sata::Frame unknown = rig.pool.make(8);
  for (unsigned i = 0; i < 8; ++i) unknown.data()[i] = 0xC7;
  rig.device.send(std::move(unknown));
  rig.device.complete_tags(0, 0x41, 0x40);
  rig.run();
  ASSERT_NE(rig.port(kPxSNTF), 0U);
  ASSERT_EQ(rig.port(kPxIS) & (kPxIS_TFES | kPxIS_UFS | kPxIS_SDBS), kPxIS_TFES | kPxIS_UFS | kPxIS_SDBS);
  reset(rig);
  expect_reset_values(rig);
  EXPECT_EQ(rig.port(kPxCLB), static_cast<std::uint32_t>(rig.list.address));
  EXPECT_EQ(rig.port(kPxFB), static_cast<std::uint32_t>(rig.received.address));
}

TEST(HbaReset, BetweenCominitAndPhyReady) {
  StateRig rig(false, with_optional_parts());
  rig.controller().link(0).unplug();
  rig.controller().link(0).plug(&rig.device);
  ASSERT_TRUE(rig.run_until([&] { return rig.detection() == kDET_present; }));
  reset(rig);
  expect_reset_values(rig);
  rig.run();
  EXPECT_EQ(rig.detection(), kDET_established);
  EXPECT_EQ(rig.status(), 0x50U);
}

TEST(HbaReset, TheNextCommandTakenIsSlot1Again) {
  StateRig rig;
  rig.send_command(9, 0xE7);
  reset(rig);
  rig.run();
  rig.start_port();
  rig.run();
  rig.build_command(1, command(0xE7), {});
  rig.build_command(10, command(0xE7), {});
  rig.set_port(kPxCI, 1U << 1 | 1U << 10);
  EXPECT_EQ(rig.current_slot(), 1U);
}

}  // namespace
}  // namespace ncqlab::test
