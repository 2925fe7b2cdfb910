// Fields of command header, command table and PRD entries, each at its edge (AHCI 1.3.1, 4.2.2 and 4.2.3).
#include <gtest/gtest.h>

#include <cstring>

#include "testbench/tests/model/hba_states.h"

namespace ncqlab::test {
namespace {

using namespace hba;

TEST(HbaHeader, ALengthOutsideOfTwoToSixteenIsAViolation) {
  for (const auto& [length, sent, violated] :
       {std::tuple{1U, 8U, true}, std::tuple{2U, 8U, false}, std::tuple{16U, 64U, false}, std::tuple{17U, 64U, true}}) {
    StateRig rig;
    rig.build_command(0, command(0xE7), {});
    rig.header(0)[0] = static_cast<std::uint8_t>(length);
    rig.issue(0);
    rig.run();
    EXPECT_EQ(rig.device.received[0].size(), sent) << length;
    EXPECT_EQ(rig.violated(Violation::command_fis_length), violated) << length;
  }
}

// A long Data FIS is on its way; SYNC ends it, and the reset's FIS goes out at once.
TEST(HbaHeader, ResetEndsWhatIsOnTheLink) {
  StateRig rig;
  rig.send_command(0, 0x25, {{rig.data.address, 8192}});
  rig.device.send_data(pattern(8192));
  rig.run_for(sim::kMicrosecond);
  rig.set_port(kPxCMD, rig.port(kPxCMD) & ~kPxCMD_ST);
  rig.set_port(kPxCMD, rig.port(kPxCMD) | kPxCMD_CLO);
  rig.set_port(kPxCMD, rig.port(kPxCMD) | kPxCMD_ST);
  rig.send_command(1, 0, {}, HbaRig::kReset | HbaRig::kClearBusy);
  EXPECT_EQ(rig.device.received.size(), 2U);
  for (const sim::Record& record : rig.records.of(sim::Kind::fis_to_host)) EXPECT_NE(record.a, 0x46U);
}

TEST(HbaHeader, ThePortMultiplierPortIsInTheDataFis) {
  StateRig rig;
  rig.send_command(0, 0x35, {{rig.data.address, 512}}, HbaRig::kWrite | 5U << 12);
  rig.activate_dma();
  ASSERT_EQ(rig.device.received.size(), 2U);
  EXPECT_EQ(rig.device.received[1][1] & 0xF, 5);
  EXPECT_EQ(rig.device.received[0][1] & 0xF, 0);  // the command's is what software wrote
}

TEST(HbaHeader, TheTablesAddressKeepsItsAlignment) {
  StateRig rig;
  rig.build_command(0, command(0xE7), {});
  rig.header(0)[8] |= 0x7F;
  rig.issue(0);
  rig.run();
  EXPECT_EQ(rig.records.of(sim::Kind::dma_read)[1].a, rig.table_address(0));
  EXPECT_EQ(rig.device.received[0][2], 0xE7);
}

TEST(HbaHeader, UpperHalvesOfAddressesCountWith64BitsOnly) {
  ControllerProfile narrow = HbaRig::default_profile();
  narrow.capabilities.addresses_64bit = false;
  StateRig rig(true, narrow);
  rig.build_command(0, command(0x25), {{rig.data.address | 1ULL << 40, 512}});
  store32(rig.header(0) + 12, 0x100);
  rig.issue(0);
  rig.run();
  rig.device.send_data(pattern(512));
  rig.device.send_status(0x50, true);
  rig.run();
  EXPECT_EQ(rig.port(kPxIS), kPxIS_DHRS);
  EXPECT_EQ(rig.data.cpu[1], pattern(512)[1]);

  StateRig wide;
  wide.build_command(0, command(0xE7), {});
  store32(wide.header(0) + 12, load32(wide.header(0) + 12) ^ 0x100);
  wide.issue(0);
  wide.run();
  EXPECT_EQ(wide.port(kPxIS), kPxIS_HBFS);
}

TEST(HbaHeader, ThePacketIsAsLongAsThePioSetupSays) {
  for (const std::uint16_t bytes : {12, 16}) {
    StateRig rig;
    rig.send_command(0, 0xA0, {}, 1U << 5);
    rig.send_pio_setup(false, bytes, 0x58, 0xD0, false);
    ASSERT_EQ(rig.device.received.size(), 2U);
    EXPECT_EQ(rig.device.received[1].size(), 4U + bytes);
  }
}

TEST(HbaHeader, AnOddDataAddressIsTakenForTheEvenOneBelow) {
  StateRig rig;
  rig.send_command(0, 0x25, {{rig.data.address + 1, 512}});
  rig.device.send_data(pattern(512));
  rig.run();
  EXPECT_EQ(rig.data.cpu[0], pattern(512)[0]);
  EXPECT_TRUE(rig.violated(Violation::prd_address_odd));
}

TEST(HbaHeader, OneEntryHoldsFourMebibytes) {
  constexpr std::uint32_t kBytes = 4U << 20;
  StateRig rig;
  const host::Block large = rig.memory.allocate(kBytes, 4096);
  rig.send_command(0, 0x25, {{large.address, kBytes, true}});
  for (std::uint32_t sent = 0; sent < kBytes - 8192; sent += 8192) rig.device.send_data(pattern(8192));
  rig.run();
  EXPECT_EQ(rig.port(kPxIS), 0U);  // DPS comes with the last byte, not before
  rig.device.send_data(pattern(8192, 9));
  rig.run();
  EXPECT_EQ(rig.port(kPxIS), kPxIS_DPS);
  EXPECT_EQ(std::memcmp(large.cpu + kBytes - 8192, pattern(8192, 9).data(), 8192), 0);
}

}  // namespace
}  // namespace ncqlab::test
