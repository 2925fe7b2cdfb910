// Every bit of generic host control (AHCI 1.3.1, 3.1) against literal tables: a controller with everything, one with
// nothing optional, and one that looks like QEMU's ich9-ahci. The tables are written from the specification, not from
// the model's.
#include <gtest/gtest.h>

#include "testbench/tests/model/hba_rig.h"

namespace ncqlab::test {
namespace {

using namespace hba;

struct Policy {
  const char* name;
  std::uint32_t offset;
  std::uint32_t reset;
  std::uint32_t rw;
  std::uint32_t rw1c;
  std::uint32_t rw1s;
};

// What is in no row is reserved or the vendor's: read only 0.
struct Subject {
  ControllerProfile profile;
  std::vector<Policy> rows;

  Policy at(std::uint32_t offset) const {
    for (const Policy& row : rows) {
      if (row.offset == offset) return row;
    }
    return {"reserved", offset, 0, 0, 0, 0};
  }
};

Subject everything() {
  ControllerProfile profile = HbaRig::default_profile();
  profile.generation = 3;
  Capabilities& has = profile.capabilities;
  for (bool* flag : {&has.addresses_64bit,
                     &has.ncq,
                     &has.notification,
                     &has.mechanical_switch,
                     &has.staggered_spin_up,
                     &has.aggressive_link_power,
                     &has.activity_led,
                     &has.command_list_override,
                     &has.port_multiplier,
                     &has.pio_multiple_drq,
                     &has.slumber,
                     &has.partial,
                     &has.command_completion_coalescing,
                     &has.enclosure_management,
                     &has.external_sata,
                     &has.bios_handoff,
                     &has.auto_partial_to_slumber,
                     &has.device_sleep,
                     &has.aggressive_device_sleep,
                     &has.device_sleep_from_slumber_only}) {
    *flag = true;
  }
  has.ahci_only = false;
  profile.coalescing_interrupt = 30;
  profile.enclosure = {0x1200, 256, true, true, true, true, false, true};
  return {profile,
          {
              {"CAP", 0x00, 0xFF32FFE1, 0, 0, 0},
              {"GHC", 0x04, 0x00000000, 0x80000002, 0, 0x00000001},
              {"IS", 0x08, 0x00000000, 0, 0xFFFFFFFF, 0},
              {"PI", 0x0C, 0x00000003, 0, 0, 0},
              {"VS", 0x10, 0x00010301, 0, 0, 0},
              {"CCC_CTL", 0x14, 0x000101F0, 0xFFFFFF01, 0, 0},
              {"CCC_PORTS", 0x18, 0x00000000, 0x00000003, 0, 0},
              {"EM_LOC", 0x1C, 0x04800040, 0, 0, 0},
              {"EM_CTL", 0x20, 0x040F0000, 0, 0x00000001, 0x00000300},
              {"CAP2", 0x24, 0x0000003D, 0, 0, 0},
              {"BOHC", 0x28, 0x00000000, 0x00000017, 0x00000008, 0},
          }};
}

Subject nothing() {
  ControllerProfile profile = HbaRig::default_profile();
  profile.ports = 1;
  profile.ports_implemented = 1;
  profile.command_slots = 1;
  profile.generation = 1;
  profile.version = 0x00000905;
  profile.capabilities = {};
  profile.capabilities.addresses_64bit = false;
  profile.capabilities.ncq = false;
  profile.capabilities.command_list_override = false;
  return {profile,
          {
              {"CAP", 0x00, 0x00140000, 0, 0, 0},
              {"GHC", 0x04, 0x80000000, 0x00000002, 0, 0x00000001},
              {"IS", 0x08, 0x00000000, 0, 0xFFFFFFFF, 0},
              {"PI", 0x0C, 0x00000001, 0, 0, 0},
              {"VS", 0x10, 0x00000905, 0, 0, 0},
          }};
}

// CAP, VS and the absence of the rest as QEMU 7.2 answers them.
Subject ich9_of_qemu() {
  ControllerProfile profile = HbaRig::default_profile();
  profile.ports = 6;
  profile.ports_implemented = 0x3F;
  profile.command_slots = 32;
  profile.generation = 1;
  profile.version = 0x00010000;
  profile.capabilities = {};
  profile.capabilities.command_list_override = false;
  return {profile,
          {
              {"CAP", 0x00, 0xC0141F05, 0, 0, 0},
              {"GHC", 0x04, 0x80000000, 0x00000002, 0, 0x00000001},
              {"IS", 0x08, 0x00000000, 0, 0xFFFFFFFF, 0},
              {"PI", 0x0C, 0x0000003F, 0, 0, 0},
              {"VS", 0x10, 0x00010000, 0, 0, 0},
          }};
}

class GenericRegisters : public testing::TestWithParam<Subject (*)()> {
 protected:
  Subject subject = GetParam()();

  // Calls check(row, bit) for each bit of each dword below the ports.
  template <class Check>
  void for_each_bit(Check check) {
    for (std::uint32_t offset = 0; offset < 0x100; offset += 4) {
      for (unsigned bit = 0; bit < 32; ++bit) check(subject.at(offset), 1U << bit);
    }
  }
};

TEST_P(GenericRegisters, HaveTheirValuesAfterReset) {
  BareRig rig(subject.profile);
  for (std::uint32_t offset = 0; offset < 0x100; offset += 4) {
    EXPECT_EQ(rig.read(offset), subject.at(offset).reset) << subject.at(offset).name << std::hex << " " << offset;
  }
}

TEST_P(GenericRegisters, ReadWriteBitsTakeBothValues) {
  BareRig rig(subject.profile);
  for_each_bit([&](const Policy& row, std::uint32_t bit) {
    if ((row.rw & bit) == 0) return;
    rig.write(row.offset, rig.read(row.offset) | bit);
    EXPECT_NE(rig.read(row.offset) & bit, 0U) << row.name << std::hex << " " << bit;
    rig.write(row.offset, rig.read(row.offset) & ~bit & ~row.rw1c & ~row.rw1s);
    EXPECT_EQ(rig.read(row.offset) & bit, 0U) << row.name << std::hex << " " << bit;
  });
}

TEST_P(GenericRegisters, OtherBitsAreNotChangedByWritingThem) {
  BareRig rig(subject.profile);
  for_each_bit([&](const Policy& row, std::uint32_t bit) {
    if (((row.rw | row.rw1s) & bit) != 0) return;
    const std::uint32_t before = rig.read(row.offset);
    rig.write(row.offset, (before ^ bit) & ~row.rw1s);
    EXPECT_EQ(rig.read(row.offset) & bit, before & bit) << row.name << std::hex << " " << row.offset << " " << bit;
  });
}

TEST_P(GenericRegisters, BitsThatSoftwareSetsStayWhenItWritesZero) {
  for_each_bit([&](const Policy& row, std::uint32_t bit) {
    if ((row.rw1s & bit) == 0) return;
    BareRig rig(subject.profile);
    const std::uint32_t before = rig.read(row.offset);
    rig.write(row.offset, before | bit);
    EXPECT_NE(rig.read(row.offset) & bit, 0U) << row.name << std::hex << " " << bit;
    rig.write(row.offset, before & ~bit);
    EXPECT_NE(rig.read(row.offset) & bit, 0U) << row.name << std::hex << " " << bit;
  });
}

TEST_P(GenericRegisters, HaveTheirValuesAgainAfterHbaReset) {
  BareRig rig(subject.profile);
  rig.run();
  for (std::uint32_t offset = 0; offset < 0x100; offset += 4) {
    const Policy row = subject.at(offset);
    if (row.offset != 0x04) rig.write(offset, row.rw);
  }
  rig.write(0x04, 0x80000001);
  rig.run();
  for (std::uint32_t offset = 0; offset < 0x100; offset += 4) {
    const Policy row = subject.at(offset);
    if (row.offset == 0x28) continue;  // BOHC is not affected by HBA reset: see HbaHandoff
    EXPECT_EQ(rig.read(offset), row.reset) << row.name << std::hex << " " << offset;
  }
}

std::string subject_name(const testing::TestParamInfo<Subject (*)()>& subject) {
  if (subject.param == everything) return "Everything";
  return subject.param == nothing ? "Nothing" : "Ich9OfQemu";
}

INSTANTIATE_TEST_SUITE_P(Profiles, GenericRegisters, testing::Values(everything, nothing, ich9_of_qemu), subject_name);

TEST(HbaGenericRegisters, AnyOfThirtyTwoPortsMayBeImplemented) {
  for (const std::uint32_t implemented : {0x1U, 0x80000000U, 0xA5A5A5A5U, 0xFFFFFFFFU}) {
    ControllerProfile profile = HbaRig::default_profile();
    profile.ports = 32;
    profile.ports_implemented = implemented | 1;  // the rig's device is on port 0
    BareRig rig(profile);
    EXPECT_EQ(rig.read(0x00) & 0x1F, 31U);
    EXPECT_EQ(rig.read(0x0C), implemented | 1);
    for (unsigned port = 0; port < 32; ++port) {
      rig.write(0x100 + 0x80 * port + 0x14, 1);
      EXPECT_EQ(rig.read(0x100 + 0x80 * port + 0x14), (implemented | 1) >> port & 1) << port;
    }
  }
}

TEST(HbaGenericRegisters, SlotsAreOneToThirtyTwo) {
  for (const unsigned slots : {1U, 8U, 31U, 32U}) {
    ControllerProfile profile = HbaRig::default_profile();
    profile.command_slots = slots;
    BareRig rig(profile);
    EXPECT_EQ(rig.read(0x00) >> 8 & 0x1F, slots - 1);
  }
}

TEST(HbaGenericRegisters, CoalescedPortsReachPort31) {
  ControllerProfile profile = HbaRig::default_profile();
  profile.ports = 32;
  profile.ports_implemented = 0x80000001;
  profile.capabilities.command_completion_coalescing = true;
  profile.coalescing_interrupt = 5;
  BareRig rig(profile);
  rig.write(kCCC_PORTS, 0xFFFFFFFF);
  EXPECT_EQ(rig.read(kCCC_PORTS), 0x80000001U);
}

TEST(HbaGenericRegisters, ImpossibleProfilesAreRefused) {
  const auto refused = [](void (*change)(ControllerProfile&)) {
    ControllerProfile profile = everything().profile;
    change(profile);
    EXPECT_THROW(BareRig{profile}, std::invalid_argument);
  };
  refused([](ControllerProfile& p) { p.messages = 3; });
  refused([](ControllerProfile& p) { p.messages = 64; });
  refused([](ControllerProfile& p) { p.coalescing_interrupt = 1; });
  refused([](ControllerProfile& p) { p.coalescing_interrupt = 32; });
  refused([](ControllerProfile& p) { p.enclosure.buffer_offset_bytes = 0x1F0; });
  refused([](ControllerProfile& p) { p.enclosure.buffer_offset_bytes = 0x1F00; });
  refused([](ControllerProfile& p) { p.enclosure.buffer_bytes = 6; });
  refused([](ControllerProfile& p) { p.pci.register_bar_bytes = 0x100; });
  refused([](ControllerProfile& p) { p.pci.register_bar_bytes = 0x3000; });
  refused([](ControllerProfile& p) { p.pci.io_bar_bytes[0] = 2; });
}

}  // namespace
}  // namespace ncqlab::test
