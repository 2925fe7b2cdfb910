// Guests and devices that keep no rule: whatever they do, the controller ends, stays in its memory, and works again
// after a reset.
#include <gtest/gtest.h>

#include "model/sim/random.h"
#include "testbench/tests/model/hba_rig.h"

namespace ncqlab::test {
namespace {

using namespace hba;

constexpr int kSteps = 3000;

void write_something(HbaRig& rig, sim::Stream& random) {
  static constexpr std::uint32_t kLikely[] = {kPxCMD, kPxCI, kPxSACT, kPxSCTL, kPxIS, kPxSERR, kPxIE};
  const std::uint64_t which = random.below(10);
  std::uint64_t value = random.next();
  const std::uint64_t thinner = random.next();
  if (which < 7) {
    if (which == 0) value |= kPxCMD_FRE | kPxCMD_ST;
    if (which == 0 && random.below(4) == 0) value &= ~std::uint64_t{kPxCMD_ST};
    if (which == 3) value &= thinner & 0xF5;
    rig.set_port(kLikely[which], static_cast<std::uint32_t>(value & thinner));
    if (which == 0) rig.set_port(kPxCMD, static_cast<std::uint32_t>(value));
  } else if (which == 7) {
    rig.controller().write(random.below(kRegisterSpaceBytes), value, static_cast<unsigned>(1 + random.below(8)));
  } else if (which == 8) {
    // Command list, tables and PRDs: rubbish that often points to memory.
    std::uint8_t* slot = rig.header(static_cast<unsigned>(random.below(32)));
    store32(slot, static_cast<std::uint32_t>(value));
    const std::uint64_t target = random.below(2) == 0 ? rig.tables.address : value;
    store32(slot + 8, static_cast<std::uint32_t>(target));
    store32(slot + 12, static_cast<std::uint32_t>(target >> 32));
    std::uint8_t* prd = rig.tables.cpu + 0x80 + 16 * random.below(16);
    const std::uint64_t buffer = random.below(4) == 0 ? thinner : rig.data.address + (thinner & 0xFFFF);
    store32(prd, static_cast<std::uint32_t>(buffer));
    store32(prd + 4, static_cast<std::uint32_t>(buffer >> 32));
    store32(prd + 12, static_cast<std::uint32_t>(random.next() & 0x80000FFF));
  } else if (random.below(30) == 0) {
    rig.write(kGHC, kGHC_AE | kGHC_IE | kGHC_HR);
  } else {
    rig.set_port(kPxCLB, static_cast<std::uint32_t>(rig.list.address));
    rig.set_port(kPxCLBU, static_cast<std::uint32_t>(rig.list.address >> 32));
    rig.set_port(kPxFB, static_cast<std::uint32_t>(rig.received.address));
    rig.set_port(kPxFBU, static_cast<std::uint32_t>(rig.received.address >> 32));
  }
}

void send_something(HbaRig& rig, sim::Stream& random) {
  if (!rig.controller().link(0).device_side().phy_ready()) return;
  static constexpr std::uint8_t kTypes[] = {0x34, 0x39, 0x41, 0x46, 0x5F, 0xA1, 0x58, 0x27};
  static constexpr std::uint32_t kLengths[] = {20, 4, 28, 0, 20, 8, 12, 20};
  const std::uint64_t which = random.below(9);
  std::uint32_t length = which < 8 ? kLengths[which] : static_cast<std::uint32_t>(1 + random.below(100));
  if (length == 0) length = 4 * static_cast<std::uint32_t>(1 + random.below(2049));
  sata::Frame frame = rig.pool.make(length);
  for (std::uint32_t i = 0; i < length; ++i) frame.data()[i] = static_cast<std::uint8_t>(random.next());
  if (which < 8) frame.data()[0] = kTypes[which];
  if (which == 0 && random.below(3) != 0) frame.data()[2] = 0x50;
  rig.device.send(std::move(frame));
}

void torment(std::uint64_t seed) {
  SCOPED_TRACE(seed);
  ControllerProfile profile = HbaRig::default_profile();
  profile.latencies.reset = sim::kMicrosecond;
  BareRig rig(profile);
  sim::Stream random(seed, "hostile");
  rig.bring_up();
  for (int step = 0; step < kSteps; ++step) {
    switch (random.below(8)) {
      case 0:
      case 1:
        send_something(rig, random);
        break;
      case 2:
        rig.run_for(static_cast<sim::Time>(random.below(20)) * sim::kMicrosecond);
        break;
      case 3:
        if (random.below(40) == 0) {
          rig.controller().link(0).unplug();
          rig.controller().link(0).plug(&rig.device);
        }
        break;
      case 4:
        rig.controller().read(random.below(2 * kRegisterSpaceBytes), static_cast<unsigned>(1 + random.below(8)));
        break;
      default:
        write_something(rig, random);
        break;
    }
  }

  // Everything ends, and a reset cures it all.
  rig.run();
  rig.device.on_frame = nullptr;
  rig.write(kGHC, kGHC_AE | kGHC_HR);
  rig.run();
  EXPECT_EQ(rig.read(kGHC), kGHC_AE);
  rig.bring_up();
  rig.run();
  rig.device.received.clear();
  rig.build_command(9, command(0x25), {{rig.data.address, 512}});
  rig.issue(9);
  rig.run();
  ASSERT_EQ(rig.device.received.size(), 1U);
  rig.device.send_data(pattern(512));
  rig.device.send_status(0x50, true);
  rig.run();
  EXPECT_EQ(rig.port(kPxCI), 0U);
  EXPECT_EQ(rig.byte_count(9), 512U);
}

TEST(HbaHostile, RandomAccessesFramesAndListsNeverLeaveItUnusable) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) torment(seed);
}

TEST(HbaHostile, ACommandListThatLiesInItsOwnBufferEnds) {
  BareRig rig;
  rig.bring_up();
  // The data overwrite the command list, the table and the received FIS area while they are in use.
  rig.build_command(0, command(0x25),
                    {{rig.list.address, 512}, {rig.table_address(0), 512}, {rig.received.address, 128}});
  rig.issue(0);
  rig.run();
  rig.device.send_data(pattern(1152));
  rig.device.send_status(0x50, true);
  rig.run();
  EXPECT_EQ(rig.port(kPxCI), 0U);
}

TEST(HbaHostile, TheLongestPrdTableIsWalkedToItsEnd) {
  BareRig rig;
  rig.bring_up();
  const host::Block big = rig.memory.allocate(0x80 + 65'535ULL * 16, 128);
  for (std::uint32_t i = 0; i < 65'535; ++i) {
    std::uint8_t* prd = big.cpu + 0x80 + 16 * i;
    store32(prd, static_cast<std::uint32_t>(rig.data.address));
    store32(prd + 4, static_cast<std::uint32_t>(rig.data.address >> 32));
    store32(prd + 12, 1);
  }
  rig.build_command(0, queued_command(0x60, 0), {});
  store32(rig.header(0), 5 | 0xFFFFU << 16);
  store32(rig.header(0) + 8, static_cast<std::uint32_t>(big.address));
  store32(rig.header(0) + 12, static_cast<std::uint32_t>(big.address >> 32));
  rig.device.on_frame = [&](const Bytes&) { rig.device.send_status(0x40, false); };
  rig.issue_queued(0);
  rig.run();
  rig.device.set_up_dma(0, true, 8, 65'535 * 2 - 4);
  rig.device.send_data(pattern(8));
  rig.device.complete_tags(1);
  rig.run();
  EXPECT_EQ(rig.port(kPxIS), kPxIS_OFS | kPxIS_SDBS);
  EXPECT_EQ(rig.port(kPxSACT), 0U);
}

}  // namespace
}  // namespace ncqlab::test
