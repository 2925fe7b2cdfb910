// The register table: reset values, and what each access policy lets through (AHCI 1.3.1, clause 3).
#include <gtest/gtest.h>

#include "testbench/tests/model/hba_rig.h"

namespace ncqlab::test {
namespace {

using namespace hba;

constexpr std::uint32_t kOnes = 0xFFFFFFFF;

TEST(HbaRegisters, CapabilitiesFollowTheProfile) {
  BareRig rig;
  // S64A, SNCQ, SCLO, ISS = 2, SAM, NCS = 31, NP = 1.
  EXPECT_EQ(rig.read(0x00), 0xC1241F01U);
  ControllerProfile other = HbaRig::default_profile();
  other.ports = 6;
  other.ports_implemented = 0x2D;
  other.command_slots = 8;
  other.generation = 3;
  other.version = 0x00010200;
  other.capabilities = {};
  other.capabilities.addresses_64bit = other.capabilities.ncq = other.capabilities.command_list_override = false;
  other.capabilities.ahci_only = false;
  other.capabilities.staggered_spin_up = true;
  BareRig small(other);
  EXPECT_EQ(small.read(0x00), 0x08300705U);
  EXPECT_EQ(small.read(0x0C), 0x2DU);
  EXPECT_EQ(small.read(0x10), 0x00010200U);
  EXPECT_EQ(small.read(0x04), 0U);
}

TEST(HbaRegisters, ReadOnlyRegistersIgnoreWrites) {
  BareRig rig;
  rig.bring_up();
  for (const std::uint32_t offset : {0x00U, 0x0CU, 0x10U, 0x14U, 0x18U, 0x1CU, 0x20U, 0x24U, 0x28U, 0x120U, 0x124U,
                                     0x128U, 0x13CU, 0x140U, 0x144U}) {
    const std::uint32_t before = rig.read(offset);
    rig.write(offset, ~before);
    EXPECT_EQ(rig.read(offset), before) << std::hex << offset;
  }
}

TEST(HbaRegisters, ReservedPlacesReadAsZero) {
  BareRig rig;
  for (const std::uint32_t offset : {0x2CU, 0x60U, 0xFCU, 0x11CU, 0x148U, 0x170U, 0x200U, 0x10FCU}) {
    rig.write(offset, kOnes);
    EXPECT_EQ(rig.read(offset), 0U) << std::hex << offset;
  }
}

TEST(HbaRegisters, BeyondTheRegisterSpaceReadsAreZero) {
  BareRig rig;
  EXPECT_EQ(rig.controller().read(0x1100, 4), 0U);
  EXPECT_EQ(rig.controller().read(0xFFFF'FFFF'FFFF'FFFC, 8), 0U);
  rig.controller().write(0xFFFF'FFFF'FFFF'FFFC, 1, 8);
}

TEST(HbaRegisters, AhciEnableIsFixedWhereThereIsNoLegacyInterface) {
  BareRig rig;
  EXPECT_EQ(rig.read(kGHC), 0x80000000U);
  rig.write(kGHC, 0);
  EXPECT_EQ(rig.read(kGHC), 0x80000000U);
  ControllerProfile both = HbaRig::default_profile();
  both.capabilities.ahci_only = false;
  BareRig legacy(both);
  EXPECT_EQ(legacy.read(kGHC), 0U);
  legacy.write(kGHC, 0x80000000);
  EXPECT_EQ(legacy.read(kGHC), 0x80000000U);
}

TEST(HbaRegisters, OtherRegistersBeforeAhciEnableAreAViolation) {
  ControllerProfile both = HbaRig::default_profile();
  both.capabilities.ahci_only = false;
  BareRig rig(both);
  rig.write(kGHC, kGHC_AE);
  EXPECT_FALSE(rig.violated(Violation::access_before_ahci_enable));
  rig.write(kGHC, 0);
  rig.set_port(kPxIE, 1);
  EXPECT_TRUE(rig.violated(Violation::access_before_ahci_enable));
}

TEST(HbaRegisters, ListAddressesKeepTheirAlignment) {
  BareRig rig;
  for (const std::uint32_t offset : {kPxCLB, kPxCLBU, kPxFB, kPxFBU}) rig.set_port(offset, kOnes);
  EXPECT_EQ(rig.port(kPxCLB), 0xFFFFFC00U);
  EXPECT_EQ(rig.port(kPxCLBU), 0xFFFFFFFFU);
  EXPECT_EQ(rig.port(kPxFB), 0xFFFFFF00U);
  EXPECT_EQ(rig.port(kPxFBU), 0xFFFFFFFFU);
}

TEST(HbaRegisters, UpperAddressesAreReadOnlyWithout64Bits) {
  ControllerProfile narrow = HbaRig::default_profile();
  narrow.capabilities.addresses_64bit = false;
  BareRig rig(narrow);
  rig.set_port(kPxCLBU, kOnes);
  rig.set_port(kPxFBU, kOnes);
  EXPECT_EQ(rig.port(kPxCLBU), 0U);
  EXPECT_EQ(rig.port(kPxFBU), 0U);
}

TEST(HbaRegisters, InterruptEnableHasNoPresenceDetectionBits) {
  BareRig rig;
  rig.set_port(kPxIE, kOnes);
  EXPECT_EQ(rig.port(kPxIE), 0x7DC0007FU);
}

TEST(HbaRegisters, PortCommandResetsPoweredAndSpunUp) {
  BareRig rig;
  EXPECT_EQ(rig.port(kPxCMD), kPxCMD_SUD | kPxCMD_POD);
}

TEST(HbaRegisters, PortCommandLetsOnlyItsWritableBitsThrough) {
  BareRig rig;
  rig.set_port(kPxCMD, kOnes & ~kPxCMD_ST & ~kPxCMD_FRE);
  EXPECT_EQ(rig.port(kPxCMD), kPxCMD_ATAPI | kPxCMD_SUD | kPxCMD_POD);
  rig.set_port(kPxCMD, 0);
  EXPECT_EQ(rig.port(kPxCMD), kPxCMD_SUD | kPxCMD_POD);
}

TEST(HbaRegisters, FisReceiveRunningFollowsItsEnable) {
  BareRig rig;
  rig.set_port(kPxCMD, kPxCMD_FRE);
  EXPECT_NE(rig.port(kPxCMD) & kPxCMD_FR, 0U);
  rig.set_port(kPxCMD, 0);
  EXPECT_EQ(rig.port(kPxCMD) & kPxCMD_FR, 0U);
}

TEST(HbaRegisters, BeforeADeviceAnswersTheTaskFileIs7FAndTheSignatureAllOnes) {
  BareRig rig;
  EXPECT_EQ(rig.port(kPxTFD), 0x7FU);
  EXPECT_EQ(rig.port(kPxSIG), kOnes);
  EXPECT_EQ(rig.port(kPxSSTS), 0U);
}

TEST(HbaRegisters, SerialErrorIsWriteOneToClear) {
  BareRig rig;
  rig.run();
  const std::uint32_t errors = kSERR_DIAG_X | kSERR_DIAG_N;
  EXPECT_EQ(rig.port(kPxSERR), errors);
  rig.set_port(kPxSERR, 0);
  EXPECT_EQ(rig.port(kPxSERR), errors);
  rig.set_port(kPxSERR, kSERR_DIAG_N);
  EXPECT_EQ(rig.port(kPxSERR), kSERR_DIAG_X);
}

TEST(HbaRegisters, ConnectAndPhyStatusFollowSerialErrorAndAreNotClearedInPxIS) {
  BareRig rig;
  rig.run();
  rig.set_port(kPxIS, kOnes);
  EXPECT_EQ(rig.port(kPxIS), kPxIS_PCS | kPxIS_PRCS);
  rig.set_port(kPxSERR, kSERR_DIAG_X);
  EXPECT_EQ(rig.port(kPxIS), kPxIS_PRCS);
  rig.set_port(kPxSERR, kSERR_DIAG_N);
  EXPECT_EQ(rig.port(kPxIS), 0U);
}

TEST(HbaRegisters, IssueAndActiveAreIgnoredWhileStopped) {
  BareRig rig;
  rig.run();
  rig.set_port(kPxCI, 1);
  rig.set_port(kPxSACT, 1);
  EXPECT_EQ(rig.port(kPxCI), 0U);
  EXPECT_EQ(rig.port(kPxSACT), 0U);
  EXPECT_TRUE(rig.violated(Violation::command_issued_while_stopped));
}

TEST(HbaRegisters, ActiveIsWriteOneToSetAndGoesWithStart) {
  BareRig rig;
  rig.bring_up();
  rig.set_port(kPxSACT, 0x5);
  rig.set_port(kPxSACT, 0x80000000);
  rig.set_port(kPxSACT, 0);
  EXPECT_EQ(rig.port(kPxSACT), 0x80000005U);
  rig.set_port(kPxCMD, rig.port(kPxCMD) & ~kPxCMD_ST);
  EXPECT_EQ(rig.port(kPxSACT), 0U);
}

TEST(HbaRegisters, SlotsBeyondTheImplementedOnesAreIgnored) {
  ControllerProfile few = HbaRig::default_profile();
  few.command_slots = 4;
  BareRig rig(few);
  rig.bring_up();
  rig.set_port(kPxSACT, 0x18);
  EXPECT_EQ(rig.port(kPxSACT), 0x8U);
  EXPECT_TRUE(rig.violated(Violation::slot_not_implemented));
}

TEST(HbaRegisters, ByteAndWordWritesTouchTheirLanesOnly) {
  BareRig rig;
  rig.set_port(kPxCLB, 0x11223400);
  rig.controller().write(0x102, 0xAB, 1);
  EXPECT_EQ(rig.port(kPxCLB), 0x11AB3400U);
  rig.controller().write(0x102, 0xCDEF, 2);
  EXPECT_EQ(rig.port(kPxCLB), 0xCDEF3400U);
}

TEST(HbaRegisters, AByteWriteClearsNoBitOfAnotherByte) {
  BareRig rig;
  rig.run();
  rig.controller().write(0x133, 0xFF, 1);  // PxSERR 31:24: X, not N
  EXPECT_EQ(rig.port(kPxSERR), kSERR_DIAG_N);
}

TEST(HbaRegisters, A64BitAccessIsTwoRegisters) {
  BareRig rig;
  rig.controller().write(0x100, 0x0000'0001'0000'0400, 8);
  EXPECT_EQ(rig.port(kPxCLB), 0x400U);
  EXPECT_EQ(rig.port(kPxCLBU), 1U);
  EXPECT_EQ(rig.controller().read(0x100, 8), 0x0000'0001'0000'0400U);
  EXPECT_EQ(rig.controller().read(0x102, 4), 0x0001'0000U);
}

TEST(HbaRegisters, PortsNotImplementedReadAsZero) {
  ControllerProfile sparse = HbaRig::default_profile();
  sparse.ports = 3;
  sparse.ports_implemented = 0x5;
  BareRig rig(sparse);
  rig.write(0x194, kOnes);
  EXPECT_EQ(rig.read(0x194), 0U);
  EXPECT_THROW(rig.controller().link(1), std::out_of_range);
  EXPECT_THROW(rig.controller().link(3), std::out_of_range);
  rig.write(0x214, kOnes);
  EXPECT_NE(rig.read(0x214), 0U);
}

TEST(HbaRegisters, EveryAccessIsTraced) {
  BareRig rig;
  rig.controller().write(0x114, 0x01, 1);
  rig.controller().read(0x114, 4);
  const auto writes = rig.records.of(sim::Kind::register_write);
  const auto reads = rig.records.of(sim::Kind::register_read);
  ASSERT_EQ(writes.size(), 1U);
  ASSERT_EQ(reads.size(), 1U);
  EXPECT_EQ(writes[0].a, 0x114U);
  EXPECT_EQ(writes[0].b, 1U);
  EXPECT_EQ(writes[0].c, 1U);
  EXPECT_EQ(reads[0].b, 1U);
  EXPECT_EQ(reads[0].c, 4U);
}

TEST(HbaRegisters, ImpossibleProfilesAreRefused) {
  const auto with = [](void (*change)(ControllerProfile&)) {
    ControllerProfile profile = HbaRig::default_profile();
    change(profile);
    BareRig rig(profile);
  };
  EXPECT_THROW(with([](ControllerProfile& p) { p.ports = 0; }), std::invalid_argument);
  EXPECT_THROW(with([](ControllerProfile& p) { p.ports = 33; }), std::invalid_argument);
  EXPECT_THROW(with([](ControllerProfile& p) { p.command_slots = 0; }), std::invalid_argument);
  EXPECT_THROW(with([](ControllerProfile& p) { p.generation = 4; }), std::invalid_argument);
  EXPECT_THROW(with([](ControllerProfile& p) { p.ports_implemented = 0x4; }), std::invalid_argument);
}

}  // namespace
}  // namespace ncqlab::test
