// The port's registers as the specification's tables give them (AHCI 1.3.1, 3.3), literally: a third declaration beside
// the model's and the driver's, so that a slip in one shows against the two others.
#include <gtest/gtest.h>

#include "testbench/tests/model/hba_rig.h"

namespace ncqlab::test {
namespace {

struct Row {
  const char* name;
  std::uint32_t offset;
  std::uint32_t reset;
  std::uint32_t after_ones;   // read back after FFFFFFFF was written
  std::uint32_t after_zeros;  // and then 0
};

// A port with every optional feature, no device on it, its command list stopped. Writing ones to PxCMD starts the list
// (which does not run without a device) and FIS receive; PxCMD is therefore the last row.
constexpr Row kEverything[] = {
    {"PxCLB", 0x00, 0x00000000, 0xFFFFFC00, 0x00000000},
    {"PxCLBU", 0x04, 0x00000000, 0xFFFFFFFF, 0x00000000},
    {"PxFB", 0x08, 0x00000000, 0xFFFFFF00, 0x00000000},
    {"PxFBU", 0x0C, 0x00000000, 0xFFFFFFFF, 0x00000000},
    {"PxIS", 0x10, 0x00000000, 0x00000000, 0x00000000},
    {"PxIE", 0x14, 0x00000000, 0xFDC000FF, 0x00000000},
    {"reserved", 0x1C, 0x00000000, 0x00000000, 0x00000000},
    {"PxTFD", 0x20, 0x0000007F, 0x0000007F, 0x0000007F},
    {"PxSIG", 0x24, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF},
    {"PxSSTS", 0x28, 0x00000000, 0x00000000, 0x00000000},
    {"PxSCTL", 0x2C, 0x00000000, 0x00000FFF, 0x00000000},
    {"PxSERR", 0x30, 0x00000000, 0x00000000, 0x00000000},
    {"PxSACT", 0x34, 0x00000000, 0x00000000, 0x00000000},  // with PxCMD.ST = 0
    {"PxCI", 0x38, 0x00000000, 0x00000000, 0x00000000},    // with PxCMD.ST = 0
    {"PxSNTF", 0x3C, 0x00000000, 0x00000000, 0x00000000},
    {"PxFBS", 0x40, 0x00000000, 0x00000000, 0x00000000},  // CAP.FBSS = 0
    {"PxDEVSLP", 0x44, 0x0138A852, 0x01FFFFFF, 0x00000002},
    {"reserved", 0x48, 0x00000000, 0x00000000, 0x00000000},
    {"reserved", 0x6C, 0x00000000, 0x00000000, 0x00000000},
    {"PxVS", 0x70, 0x00000000, 0x00000000, 0x00000000},
    {"PxVS", 0x7C, 0x00000000, 0x00000000, 0x00000000},
    // ESP, CPD, MPSP, HPCP; then ASP, ALPE, DLAE, ATAPI, APSTE, PMA, FR, FRE, POD, SUD, ST beside them; ICC is 0 again.
    {"PxCMD", 0x18, 0x003C0000, 0x0FBE4017, 0x003C0000},
};

constexpr Row kNothing[] = {
    {"PxCLBU", 0x04, 0x00000000, 0x00000000, 0x00000000},  // no S64A
    {"PxFBU", 0x0C, 0x00000000, 0x00000000, 0x00000000},
    {"PxIE", 0x14, 0x00000000, 0x7DC0007F, 0x00000000},  // no CPDE, no DMPE
    {"PxSNTF", 0x3C, 0x00000000, 0x00000000, 0x00000000},
    {"PxDEVSLP", 0x44, 0x00000000, 0x00000000, 0x00000000},
    {"PxCMD", 0x18, 0x00000006, 0x01004017,
     0x00000006},  // SUD and POD are read only and 1; of the rest ATAPI, FR, FRE, ST
};

hba::ControllerProfile everything() {
  hba::ControllerProfile profile = HbaRig::default_profile();
  hba::Capabilities& has = profile.capabilities;
  has.notification = has.mechanical_switch = has.staggered_spin_up = has.aggressive_link_power = true;
  has.activity_led = has.port_multiplier = has.slumber = has.partial = has.external_sata = true;
  has.auto_partial_to_slumber = has.device_sleep = has.aggressive_device_sleep = true;
  profile.hot_plug_ports = profile.cold_presence_ports = profile.switched_ports = profile.external_ports = 0x2;
  return profile;
}

hba::ControllerProfile nothing() {
  hba::ControllerProfile profile = HbaRig::default_profile();
  profile.capabilities = {};
  profile.capabilities.addresses_64bit = profile.capabilities.ncq = profile.capabilities.command_list_override = false;
  return profile;
}

constexpr std::uint32_t kPort1 = 0x180;

void check(HbaRig& rig, const Row& row) {
  const std::uint32_t at = kPort1 + row.offset;
  EXPECT_EQ(rig.read(at), row.reset) << row.name << " after reset";
  rig.write(at, 0xFFFFFFFF);
  EXPECT_EQ(rig.read(at), row.after_ones) << row.name << " after ones";
  rig.write(at, 0);
  EXPECT_EQ(rig.read(at), row.after_zeros) << row.name << " after zeros";
}

TEST(HbaPortRegisterTable, WithEveryOptionalFeature) {
  BareRig rig(everything());
  for (const Row& row : kEverything) check(rig, row);
}

TEST(HbaPortRegisterTable, WithoutAnyOptionalFeature) {
  BareRig rig(nothing());
  for (const Row& row : kNothing) check(rig, row);
}

TEST(HbaPortRegisterTable, EveryWritableByteIsWritableAlone) {
  BareRig rig(everything());
  for (const std::uint32_t offset : {0x00U, 0x04U, 0x08U, 0x0CU, 0x14U}) {
    for (unsigned byte = 0; byte < 4; ++byte) {
      rig.write(kPort1 + offset, 0);
      rig.write(kPort1 + offset, 0xFFFFFFFF);
      const std::uint32_t full = rig.read(kPort1 + offset);
      rig.write(kPort1 + offset, 0);
      rig.controller().write(kPort1 + offset + byte, 0xFF, 1);
      EXPECT_EQ(rig.read(kPort1 + offset), full & (0xFFU << (8 * byte))) << std::hex << offset << " byte " << byte;
    }
  }
}

// 10.4.3: HBA reset leaves the addresses alone, and what the board decides; everything else is as after power-on.
TEST(HbaPortRegisterTable, HbaResetLeavesTheAddressesAlone) {
  BareRig rig(everything());
  for (const Row& row : kEverything) rig.write(kPort1 + row.offset, 0xFFFFFFFF);
  rig.write(hba::kGHC, hba::kGHC_AE | hba::kGHC_HR);
  rig.run();
  for (const Row& row : kEverything) {
    const bool address = row.offset < 0x10;
    EXPECT_EQ(rig.read(kPort1 + row.offset), address ? row.after_ones : row.reset) << row.name;
  }
}

}  // namespace
}  // namespace ncqlab::test
