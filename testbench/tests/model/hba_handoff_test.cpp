// Hand-off from firmware to the operating system: BOHC (AHCI 1.3.1, 3.1.11 and 10.6).
#include <gtest/gtest.h>

#include "testbench/tests/model/hba_rig.h"

namespace ncqlab::test {
namespace {

using namespace hba;

constexpr std::uint32_t kBos = 0x01;
constexpr std::uint32_t kOos = 0x02;
constexpr std::uint32_t kSooe = 0x04;
constexpr std::uint32_t kOoc = 0x08;
constexpr std::uint32_t kBb = 0x10;
constexpr Firmware kFirmware{3 * sim::kMillisecond, 40 * sim::kMillisecond};

class HbaHandoff : public testing::Test {
 protected:
  static ControllerProfile profile() {
    ControllerProfile profile = HbaRig::default_profile();
    profile.capabilities.bios_handoff = true;
    return profile;
  }
  std::uint32_t bohc() { return rig.read(kBOHC); }
  std::size_t happened(Happening what) const {
    std::size_t count = 0;
    for (const sim::Record& record : rig.records.of(sim::Kind::controller)) {
      if (record.a == static_cast<std::uint64_t>(what)) ++count;
    }
    return count;
  }
  BareRig rig{profile()};
};

TEST_F(HbaHandoff, WithoutFirmwareNobodyOwnsTheController) {
  EXPECT_EQ(bohc(), 0U);
  rig.write(kBOHC, kOos);
  EXPECT_EQ(bohc(), kOos | kOoc);
  rig.run();
  EXPECT_EQ(bohc(), kOos | kOoc);
  EXPECT_EQ(happened(Happening::system_management_interrupt), 0U);
}

TEST_F(HbaHandoff, FirmwareThatClaimsOwnsItAndWantsToHearOfRequests) {
  rig.controller().claim(kFirmware);
  EXPECT_EQ(bohc(), kBos | kSooe);
}

TEST_F(HbaHandoff, ARequestIsASystemManagementInterrupt) {
  rig.controller().claim(kFirmware);
  rig.write(kBOHC, bohc() | kOos);
  EXPECT_EQ(bohc(), kBos | kOos | kSooe | kOoc);
  EXPECT_EQ(happened(Happening::system_management_interrupt), 1U);
}

TEST_F(HbaHandoff, WithoutItsEnableARequestIsNotHeard) {
  rig.controller().claim(kFirmware);
  rig.write(kBOHC, kBos);
  rig.write(kBOHC, kBos | kOos);
  rig.run();
  EXPECT_EQ(bohc(), kBos | kOos | kOoc);
  EXPECT_EQ(happened(Happening::system_management_interrupt), 0U);
}

TEST_F(HbaHandoff, WritingOwnershipAgainIsNoChange) {
  rig.controller().claim(kFirmware);
  rig.write(kBOHC, bohc() | kOos);
  rig.write(kBOHC, bohc());
  EXPECT_EQ(happened(Happening::system_management_interrupt), 1U);
  EXPECT_EQ(bohc() & kOoc, 0U) << "written as 1";
}

TEST_F(HbaHandoff, FirmwareIsBusyFromItsResponseUntilItHasCleanedUp) {
  rig.controller().claim(kFirmware);
  rig.run();
  rig.write(kBOHC, bohc() | kOos);
  rig.run_for(kFirmware.response_time - 1);
  EXPECT_EQ(bohc(), kBos | kOos | kSooe | kOoc);
  rig.run_for(1);
  EXPECT_EQ(bohc(), kBos | kOos | kSooe | kBb);
  rig.run_for(kFirmware.clean_up_time - 1);
  EXPECT_EQ(bohc(), kBos | kOos | kSooe | kBb);
  EXPECT_EQ(happened(Happening::ownership_released), 0U);
  rig.run_for(1);
  EXPECT_EQ(bohc(), kOos | kSooe);
  EXPECT_EQ(happened(Happening::ownership_released), 1U);
}

TEST_F(HbaHandoff, FirmwareWithNothingToCleanUpReleasesAtOnce) {
  rig.controller().claim({sim::kMillisecond, 0});
  rig.run();
  rig.write(kBOHC, bohc() | kOos);
  rig.run_for(sim::kMillisecond - 1);
  EXPECT_EQ(bohc() & (kBos | kBb), kBos);
  rig.run_for(1);
  EXPECT_EQ(bohc() & (kBos | kBb), 0U);
}

TEST_F(HbaHandoff, HbaResetLeavesTheSemaphoresAlone) {
  rig.controller().claim(kFirmware);
  rig.write(kGHC, kGHC_AE | kGHC_HR);
  rig.run();
  EXPECT_EQ(bohc(), kBos | kSooe);
}

TEST_F(HbaHandoff, ResetOfTheFunctionForgetsTheFirmware) {
  rig.controller().claim(kFirmware);
  rig.write(kBOHC, bohc() | kOos);
  rig.controller().reset_function();
  rig.run();
  EXPECT_EQ(bohc(), 0U);
  EXPECT_EQ(happened(Happening::ownership_released), 0U);
}

TEST(HbaHandoffAbsent, WithoutTheCapabilityThereIsNoRegister) {
  BareRig rig;
  rig.controller().claim(kFirmware);
  rig.write(kBOHC, kOos);
  EXPECT_EQ(rig.read(kBOHC), 0U);
}

}  // namespace
}  // namespace ncqlab::test
