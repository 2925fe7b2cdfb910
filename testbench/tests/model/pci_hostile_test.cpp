// Guests that write anything anywhere: configuration space, BARs, generic host control, resets at any instant. The
// function keeps its identity and works again after a reset.
#include <gtest/gtest.h>

#include "model/sim/random.h"
#include "testbench/tests/model/pci_rig.h"

namespace ncqlab::test {
namespace {

using namespace hba;

constexpr int kSteps = 2000;

ControllerProfile everything_optional() {
  ControllerProfile profile = PciRig::profile_with_everything();
  profile.messages = 4;
  profile.capabilities.command_completion_coalescing = true;
  profile.capabilities.enclosure_management = true;
  profile.capabilities.bios_handoff = true;
  profile.capabilities.ahci_only = false;
  profile.enclosure = {0x1200, 64, true, true, true, true, false, false};
  return profile;
}

void do_something(PciRig& rig, sim::Stream& random) {
  const auto bytes = static_cast<unsigned>(1 + random.below(8));
  const auto value = static_cast<std::uint32_t>(random.next());
  switch (random.below(8)) {
    case 0:
      return rig.set_config(static_cast<std::uint32_t>(random.below(0x110)), value, bytes <= 4 ? bytes : 4);
    case 1:
      rig.enable();
      return;
    case 2: {
      const auto bar = static_cast<unsigned>(random.below(7));
      const auto offset = static_cast<std::uint32_t>(random.below(3) == 0 ? random.next() : random.below(0x2100));
      rig.function.read({bar, offset}, bytes);
      return rig.function.write({bar, offset}, random.next(), bytes);
    }
    case 3: {
      const std::uint64_t address = PciRig::kRegisters - 8 + random.below(0x2010);
      if (const auto target = rig.function.memory_target(address, bytes)) rig.function.write(*target, value, bytes);
      return;
    }
    case 4:
      return rig.write(static_cast<std::uint32_t>(4 * random.below(11)), value);
    case 5:
      return rig.write(static_cast<std::uint32_t>(0x1200 + 4 * random.below(32)), value & 0x0303FFFF);
    case 6:
      return rig.write(kEM_CTL, value & 0x301);
    default:
      if (random.below(20) == 0) rig.function.reset();
      if (random.below(20) == 0) rig.controller().claim({sim::kMillisecond, sim::kMillisecond});
      return rig.run_for(static_cast<sim::Time>(random.below(3 * sim::kMillisecond)));
  }
}

class PciHostile : public testing::TestWithParam<int> {};

TEST_P(PciHostile, TheFunctionSurvivesAndWorksAfterAReset) {
  PciRig rig(everything_optional());
  sim::Stream random(static_cast<std::uint64_t>(GetParam()), "hostile guest");
  for (int step = 0; step < kSteps; ++step) {
    do_something(rig, random);
    ASSERT_EQ(rig.config(0x00), 0x56781234U);
    ASSERT_EQ(rig.config(0x08), 0x0106019AU);
  }
  rig.function.reset();
  rig.run();
  rig.notes.edges.clear();
  rig.enable();
  rig.write(kGHC, kGHC_AE);
  rig.bring_up();
  rig.complete_a_command();
  EXPECT_TRUE(rig.notes.asserted());
  EXPECT_EQ(rig.port(kPxCI), 0U);
}

INSTANTIATE_TEST_SUITE_P(Seeds, PciHostile, testing::Range(0, 12));

}  // namespace
}  // namespace ncqlab::test
