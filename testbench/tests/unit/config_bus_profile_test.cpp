// The bus of a controller profile: every kind's members, and what belongs to another kind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/config/bus_profile.h"

namespace ncqlab::config {
namespace {

using host::BusKind;
using testing::ElementsAre;

const std::string kLatencies =
    R"("register_read_request_ns": 1, "register_read_reply_ns": 2, "register_write_ns": 3, "posted_writes_held_us": 10,
       "dma_read_latency_ns": 4, "dma_write_latency_ns": 5)";

host::BusProfile read(const std::string& own_members, std::vector<std::string>* found = nullptr) {
  const Document document = Document::parse("{\"bus\": {" + own_members + ", " + kLatencies + "}}", "c.json");
  Findings errors("c.json");
  const host::BusProfile bus = read_bus(document.root().at("bus"), errors);
  try {
    errors.throw_if_any();
  } catch (const ConfigError& e) {
    if (found == nullptr) throw;
    *found = e.lines();
  }
  return bus;
}

std::vector<std::string> errors_of(const std::string& own_members) {
  std::vector<std::string> found;
  read(own_members, &found);
  return found;
}

TEST(BusProfile, EveryKindHasTheLatencies) {
  const host::BusProfile bus = read(R"("kind": "pcie", "generation": 2, "lanes": 4, "max_payload_bytes": 256,
      "max_read_request_bytes": 1024, "read_completion_boundary_bytes": 128)");
  EXPECT_EQ(bus.register_read_request, 1'000);
  EXPECT_EQ(bus.register_read_reply, 2'000);
  EXPECT_EQ(bus.register_write, 3'000);
  EXPECT_EQ(bus.posted_writes_held, 10 * sim::kMicrosecond);
  EXPECT_EQ(bus.dma_read_latency, 4'000);
  EXPECT_EQ(bus.dma_write_latency, 5'000);
}

TEST(BusProfile, PcieIsNamedByGenerationLanesAndSizes) {
  const host::BusProfile bus = read(R"("kind": "pcie", "generation": 2, "lanes": 4, "max_payload_bytes": 256,
      "max_read_request_bytes": 1024, "read_completion_boundary_bytes": 128)");
  EXPECT_EQ(bus.kind, BusKind::pcie);
  EXPECT_EQ(bus.pcie.generation, 2U);
  EXPECT_EQ(bus.pcie.lanes, 4U);
  EXPECT_EQ(bus.pcie.max_payload_bytes, 256U);
  EXPECT_EQ(bus.pcie.max_read_request_bytes, 1024U);
  EXPECT_EQ(bus.pcie.read_completion_boundary_bytes, 128U);
}

TEST(BusProfile, PciIsNamedByClockWidthAndWaits) {
  const host::BusProfile bus = read(R"("kind": "pci", "clock_mhz": 66, "width_bits": 64, "latency_timer_clocks": 32,
      "read_wait_clocks": 9, "write_wait_clocks": 1)");
  EXPECT_EQ(bus.kind, BusKind::pci);
  EXPECT_EQ(bus.pci.clock_mhz, 66U);
  EXPECT_EQ(bus.pci.width_bits, 64U);
  EXPECT_EQ(bus.pci.latency_timer_clocks, 32U);
  EXPECT_EQ(bus.pci.read_wait_clocks, 9U);
  EXPECT_EQ(bus.pci.write_wait_clocks, 1U);
}

TEST(BusProfile, PciXHasALargestRead) {
  const host::BusProfile bus = read(R"("kind": "pci_x", "clock_mhz": 133, "width_bits": 64, "latency_timer_clocks": 64,
      "write_wait_clocks": 0, "max_read_bytes": 2048)");
  EXPECT_EQ(bus.kind, BusKind::pci_x);
  EXPECT_EQ(bus.pci.clock_mhz, 133U);
  EXPECT_EQ(bus.pci.max_read_bytes, 2048U);
}

TEST(BusProfile, AMissingMemberIsNamedWithTheKind) {
  EXPECT_THAT(errors_of(R"("kind": "pcie", "generation": 2, "lanes": 4, "max_payload_bytes": 256,
                           "read_completion_boundary_bytes": 128)"),
              ElementsAre("c.json: /bus/max_read_request_bytes: missing, expected it, for kind pcie"));
}

TEST(BusProfile, AMemberOfAnotherKindIsRefused) {
  EXPECT_THAT(errors_of(R"("kind": "pci", "clock_mhz": 66, "width_bits": 64, "latency_timer_clocks": 32,
                           "read_wait_clocks": 9, "write_wait_clocks": 1, "lanes": 4)"),
              ElementsAre("c.json: /bus/lanes: found, expected no such member for kind pci"));
}

TEST(BusProfile, AClockOfTheOtherKindIsRefused) {
  EXPECT_THAT(errors_of(R"("kind": "pci", "clock_mhz": 133, "width_bits": 64, "latency_timer_clocks": 32,
                           "read_wait_clocks": 9, "write_wait_clocks": 1)"),
              ElementsAre("c.json: /bus/clock_mhz: found 133, expected 33 or 66"));
  EXPECT_THAT(errors_of(R"("kind": "pci_x", "clock_mhz": 33, "width_bits": 64, "latency_timer_clocks": 32,
                           "write_wait_clocks": 1, "max_read_bytes": 512)"),
              ElementsAre("c.json: /bus/clock_mhz: found 33, expected 66 or 133"));
}

}  // namespace
}  // namespace ncqlab::config
