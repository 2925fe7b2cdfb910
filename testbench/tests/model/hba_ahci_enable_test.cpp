// GHC.AE of a controller that has a legacy interface too (AHCI 1.3.1, 3.1.2, 5.2.2, 10.2): without it nothing is sent
// or posted.
#include <gtest/gtest.h>

#include "testbench/tests/model/hba_rig.h"

namespace ncqlab::test {
namespace {

using namespace hba;

struct TwofoldRig : BareRig {
  TwofoldRig()
      : BareRig([] {
          ControllerProfile twofold = default_profile();
          twofold.capabilities.ahci_only = false;
          return twofold;
        }()) {
    run();
    set_port(kPxSERR, 0xFFFFFFFF);
  }
};

TEST(HbaAhciEnable, WithoutItNoCommandIsSent) {
  TwofoldRig rig;
  rig.build_command(0, command(0xE7), {});
  rig.start_port();
  EXPECT_EQ(rig.port(kPxCMD) & kPxCMD_CR, 0U);
  rig.issue(0);
  rig.run();
  EXPECT_TRUE(rig.device.received.empty());
  rig.write(kGHC, kGHC_AE);
  rig.run();
  EXPECT_EQ(rig.port(kPxCMD) & kPxCMD_CR, kPxCMD_CR);
  EXPECT_EQ(rig.device.received.size(), 1U);
}

TEST(HbaAhciEnable, WithoutItNoFisIsPosted) {
  TwofoldRig rig;
  rig.start_port();
  rig.device.send_status(0x50, false, 0x33);
  rig.run();
  EXPECT_EQ(rig.received_fis(kReceived_RFIS, 1)[0], 0x00);
  rig.write(kGHC, kGHC_AE);
  rig.run();
  EXPECT_EQ(rig.received_fis(kReceived_RFIS, 4), (Bytes{0x34, 0x00, 0x50, 0x33}));
}

TEST(HbaAhciEnable, ClearedItStopsTheListAndSetItStartsItAgain) {
  TwofoldRig rig;
  rig.write(kGHC, kGHC_AE);
  rig.start_port();
  rig.run();
  rig.write(kGHC, 0);
  EXPECT_EQ(rig.port(kPxCMD) & kPxCMD_CR, 0U);
  rig.build_command(0, command(0xE7), {});
  rig.issue(0);
  rig.run();
  EXPECT_TRUE(rig.device.received.empty());
  rig.write(kGHC, kGHC_AE);
  rig.run();
  EXPECT_EQ(rig.device.received.size(), 1U);
}

TEST(HbaAhciEnable, HbaResetClearsIt) {
  TwofoldRig rig;
  rig.write(kGHC, kGHC_AE);
  rig.write(kGHC, kGHC_AE | kGHC_HR);
  rig.run();
  EXPECT_EQ(rig.read(kGHC), 0U);
  rig.start_port();
  rig.run();
  EXPECT_EQ(rig.port(kPxCMD) & kPxCMD_CR, 0U);
}

}  // namespace
}  // namespace ncqlab::test
