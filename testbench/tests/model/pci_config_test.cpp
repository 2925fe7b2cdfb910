// Configuration space: what reads as what, which bits can be written (AHCI 1.3.1, clause 2; PCI 3.0, clause 6).
#include <gtest/gtest.h>

#include "testbench/tests/model/pci_rig.h"

namespace ncqlab::test {
namespace {

using namespace hba;

constexpr std::uint32_t kOnes = 0xFFFFFFFF;

struct Bits {
  std::uint32_t offset;
  std::uint32_t reset;
  std::uint32_t writable;
};

// Every dword of configuration space that is not reserved, by the specification and the rig's profile.
constexpr Bits kEverything[] = {
    {0x00, 0x56781234, 0},          {0x04, 0x00100000, 0x00000547},  // CL; IOSE, MSE, BME, PEE, SEE, ID
    {0x08, 0x0106019A, 0},          {0x0C, 0x00000000, 0x000000FF},  // CLS
    {0x10, 0x00000001, 0xFFFFFFF8}, {0x14, 0x00000001, 0xFFFFFFFC}, {0x18, 0x00000001, 0xFFFFFFF8},
    {0x1C, 0x00000001, 0xFFFFFFFC}, {0x20, 0x00000001, 0xFFFFFFE0}, {0x24, 0x00000000, 0xFFFFE000},
    {0x28, 0x00000000, 0},          {0x2C, 0x87654321, 0},          {0x30, 0x00000000, 0},
    {0x34, 0x00000080, 0},           // to MSICAP
    {0x3C, 0x00000100, 0x000000FF},  // INTA; ILINE
    {0x70, 0x0003A801, 0},           // PID, to SATACAP; PCI Power Management 1.2
    {0x74, 0x00000000, 0x00000003},  // PMCS.PS
    {0x80, 0x00807005, 0x00710000},  // MID, to PMCAP; C64, one message; MME, MSIE
    {0x84, 0x00000000, 0xFFFFFFFC}, {0x88, 0x00000000, 0xFFFFFFFF}, {0x8C, 0x00000000, 0x0000FFFF},
    {0xA8, 0x00100012, 0},  // SATACR0, revision 1.0, the last one
    {0xAC, 0x00000048, 0},  // BAR4, 4 dwords from its begin
};

const Bits* find(const Bits* begin, const Bits* end, std::uint32_t offset) {
  for (const Bits* bits = begin; bits != end; ++bits) {
    if (bits->offset == offset) return bits;
  }
  return nullptr;
}

TEST(PciConfig, EveryDwordHasItsValueAfterReset) {
  PciRig rig;
  for (std::uint32_t offset = 0; offset < 256; offset += 4) {
    const Bits* bits = find(std::begin(kEverything), std::end(kEverything), offset);
    EXPECT_EQ(rig.config(offset), bits != nullptr ? bits->reset : 0U) << std::hex << offset;
  }
}

TEST(PciConfig, EveryBitThatIsReadWriteAndNoOther) {
  for (std::uint32_t offset = 0; offset < 256; offset += 4) {
    const Bits* bits = find(std::begin(kEverything), std::end(kEverything), offset);
    const std::uint32_t writable = bits != nullptr ? bits->writable : 0;
    const std::uint32_t reset = bits != nullptr ? bits->reset : 0;
    PciRig rig;
    rig.set_config(offset, kOnes);
    EXPECT_EQ(rig.config(offset), reset | writable) << std::hex << offset;
    if (offset == 0x74) continue;  // leaving D3hot resets: see below
    rig.set_config(offset, 0);
    EXPECT_EQ(rig.config(offset), reset & ~writable) << std::hex << offset;
  }
}

TEST(PciConfig, BytesAndWordsTouchTheirLanesOnly) {
  PciRig rig;
  rig.set_config(0x84, 0x11223344);
  rig.set_config(0x86, 0xAB, 1);
  EXPECT_EQ(rig.config(0x84), 0x11AB3344U);
  rig.set_config(0x86, 0xCDEF, 2);
  EXPECT_EQ(rig.config(0x84), 0xCDEF3344U);
  EXPECT_EQ(rig.config(0x87, 1), 0xCDU);
  EXPECT_EQ(rig.config(0x85, 2), 0xEF33U);
}

TEST(PciConfig, AnAccessAcrossDwordsReachesBoth) {
  PciRig rig;
  rig.set_config(0x86, 0x44332211, 4);
  EXPECT_EQ(rig.config(0x84), 0x22110000U);
  EXPECT_EQ(rig.config(0x88), 0x00004433U);
  EXPECT_EQ(rig.config(0x86), 0x44332211U);
}

TEST(PciConfig, Beyond256BytesReadsAreZero) {
  PciRig rig;
  rig.set_config(0x100, kOnes);
  EXPECT_EQ(rig.config(0x100), 0U);
  EXPECT_EQ(rig.config(0xFE, 4), 0U);
  EXPECT_EQ(rig.config(0xFFFFFFFE, 4), 0U);
}

TEST(PciConfig, WithoutIoBarsIoDecodingCannotBeEnabled) {
  ControllerProfile profile = PciRig::profile_with_everything();
  profile.pci.io_bar_bytes = {};
  profile.pci.index_data_pair = false;
  PciRig rig(profile);
  rig.set_config(0x04, 0x0007, 2);
  EXPECT_EQ(rig.config(0x04, 2), 0x0006U);
  for (std::uint32_t bar = 0x10; bar <= 0x20; bar += 4) {
    rig.set_config(bar, kOnes);
    EXPECT_EQ(rig.config(bar), 0U);
  }
}

TEST(PciConfig, CapabilitiesThatAProfileHasNotAreNotInTheList) {
  ControllerProfile profile = PciRig::profile_with_everything();
  profile.pci.power_management = false;
  PciRig without_power(profile);
  EXPECT_EQ(without_power.config(0x34), 0x80U);
  EXPECT_EQ(without_power.config(0x81, 1), 0xA8U);
  EXPECT_EQ(without_power.config(0x70), 0U);
  profile.interrupt = InterruptKind::intx;
  PciRig without_messages(profile);
  EXPECT_EQ(without_messages.config(0x34), 0xA8U);
  EXPECT_EQ(without_messages.config(0x80), 0U);
  profile.pci.index_data_pair = false;
  PciRig without_any(profile);
  EXPECT_EQ(without_any.config(0x34), 0U);
  EXPECT_EQ(without_any.config(0x06, 2), 0U);
}

TEST(PciConfig, MessagesWith32BitAddressesHaveTheirDataInTheThirdDword) {
  ControllerProfile profile = PciRig::profile_with_everything();
  profile.capabilities.addresses_64bit = false;
  PciRig rig(profile);
  EXPECT_EQ(rig.config(0x80), 0x00007005U);
  rig.set_config(0x88, kOnes);
  EXPECT_EQ(rig.config(0x88), 0x0000FFFFU);
  rig.set_config(0x8C, kOnes);
  EXPECT_EQ(rig.config(0x8C), 0U);
}

TEST(PciConfig, TheNumberOfMessagesIsAskedForAsAPowerOfTwo) {
  ControllerProfile profile = PciRig::profile_with_everything();
  for (const unsigned exponent : {0U, 1U, 2U, 3U, 4U, 5U}) {
    profile.messages = 1U << exponent;
    PciRig rig(profile);
    EXPECT_EQ(rig.config(0x82, 2), 0x0080U | exponent << 1);
  }
}

TEST(PciConfig, StatusBitsAreClearedByWritingOnes) {
  PciRig rig;
  rig.enable();
  rig.bring_up();
  rig.write(kGHC, kGHC_AE);  // leaves STS.IS alone
  rig.set_port(kPxCLB, 0);   // nothing there
  rig.set_port(kPxCLBU, 0);
  rig.issue(0);
  rig.run();
  EXPECT_EQ(rig.config(0x06, 2), 0x2010U);  // received master abort
  rig.set_config(0x06, 0xDFFF, 2);
  EXPECT_EQ(rig.config(0x06, 2), 0x2010U);
  rig.set_config(0x06, 0x2000, 2);
  EXPECT_EQ(rig.config(0x06, 2), 0x0010U);
}

TEST(PciConfig, AnIntelFunctionHasItsPortControlRegister) {
  ControllerProfile profile = PciRig::profile_with_everything();
  profile.pci.vendor = 0x8086;
  PciRig rig(profile);
  EXPECT_EQ(rig.config(0x90), 0x00030040U);
  rig.set_config(0x92, 0x3F, 1);
  EXPECT_EQ(rig.config(0x92, 1), 0x03U);
  rig.set_config(0x90, 0);
  EXPECT_EQ(rig.config(0x90), 0x00000040U);
}

TEST(PciConfig, EachAccessIsTraced) {
  PciRig rig;
  rig.set_config(0x3C, 0x0B, 1);
  rig.config(0x3C, 2);
  const auto writes = rig.records.of(sim::Kind::config_write);
  const auto reads = rig.records.of(sim::Kind::config_read);
  ASSERT_EQ(writes.size(), 1U);
  ASSERT_EQ(reads.size(), 1U);
  EXPECT_EQ(writes[0].a, 0x3CU);
  EXPECT_EQ(writes[0].b, 0x0BU);
  EXPECT_EQ(writes[0].c, 1U);
  EXPECT_EQ(reads[0].b, 0x010BU);
  EXPECT_EQ(reads[0].c, 2U);
}

TEST(PciConfig, ResetBringsBackTheValuesOfPowerOn) {
  PciRig rig;
  rig.enable();
  rig.set_config(0x84, kOnes);
  rig.set_config(0x3C, 0x0B, 1);
  rig.function.reset();
  EXPECT_EQ(rig.config(0x04), 0x00100000U);
  EXPECT_EQ(rig.config(0x24), 0U);
  EXPECT_EQ(rig.config(0x84), 0U);
  EXPECT_EQ(rig.config(0x3C), 0x00000100U);
}

}  // namespace
}  // namespace ncqlab::test
