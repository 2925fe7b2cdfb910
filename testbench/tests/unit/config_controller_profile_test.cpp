// Controller profiles: what a good one becomes, and what only the loader can see.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "model/config/controller_profile.h"
#include "model/config/files.h"

namespace ncqlab::config {
namespace {

using testing::ElementsAre;

const char* const kText = R"({
  "title": "Test controller", "ports": 4, "ports_implemented": [0, 3], "command_slots": 8, "generation": 3,
  "version": "1.2", "interrupt": "intx",
  "capabilities": {"addresses_64bit": false, "ncq": false, "command_list_override": true, "staggered_spin_up": true,
                   "ahci_only": false},
  "latencies": {"command_fetch_ns": 200, "fis_processing_ns": 100.5, "reset_us": 50},
  "bus": {"register_read_request_ns": 1, "register_read_reply_ns": 2, "register_write_ns": 3, "dma_read_latency_ns": 4,
          "dma_write_latency_ns": 5, "bandwidth_bytes_per_second": 133000000, "max_burst_bytes": 64,
          "burst_overhead_bytes": 8, "full_duplex": false},
  "sources": [{"of": "/ports", "source": "made up", "standing": "estimate"},
              {"of": "/ports_implemented", "source": "made up", "standing": "estimate"},
              {"of": "/command_slots", "source": "made up", "standing": "estimate"},
              {"of": "/generation", "source": "made up", "standing": "estimate"},
              {"of": "/latencies", "source": "made up", "standing": "estimate"},
              {"of": "/bus", "source": "made up", "standing": "estimate"}]
})";

std::string with(const std::string& piece, const std::string& replacement) {
  std::string text = kText;
  return text.replace(text.find(piece), piece.size(), replacement);
}

std::vector<std::string> errors_of(const std::string& text) {
  try {
    read_controller_profile(Document::parse(text, "c.json"), "c");
  } catch (const ConfigError& e) {
    return e.lines();
  }
  return {};
}

TEST(ControllerProfile, EveryMemberIsRead) {
  const auto p = read_controller_profile(Document::parse(kText, "c.json"), "c");
  EXPECT_EQ(p.name, "c");
  EXPECT_EQ(p.title, "Test controller");
  EXPECT_EQ(p.ports, 4U);
  EXPECT_EQ(p.ports_implemented, 0x9U);
  EXPECT_EQ(p.command_slots, 8U);
  EXPECT_EQ(p.generation, 3U);
  EXPECT_EQ(p.version, 0x00010200U);
  EXPECT_EQ(p.interrupt, hba::InterruptKind::intx);
  EXPECT_FALSE(p.capabilities.addresses_64bit);
  EXPECT_FALSE(p.capabilities.ncq);
  EXPECT_TRUE(p.capabilities.command_list_override);
  EXPECT_TRUE(p.capabilities.staggered_spin_up);
  EXPECT_FALSE(p.capabilities.ahci_only);
  EXPECT_EQ(p.latencies.command_fetch, 200'000);
  EXPECT_EQ(p.latencies.fis_processing, 100'500);
  EXPECT_EQ(p.latencies.reset, 50 * sim::kMicrosecond);
  EXPECT_EQ(p.bus.register_read_request, 1'000);
  EXPECT_EQ(p.bus.register_read_reply, 2'000);
  EXPECT_EQ(p.bus.register_write, 3'000);
  EXPECT_EQ(p.bus.dma_read_latency, 4'000);
  EXPECT_EQ(p.bus.dma_write_latency, 5'000);
  EXPECT_EQ(p.bus.bandwidth_bytes_per_second, 133'000'000U);
  EXPECT_EQ(p.bus.max_burst_bytes, 64U);
  EXPECT_EQ(p.bus.burst_overhead_bytes, 8U);
  EXPECT_FALSE(p.bus.full_duplex);
}

TEST(ControllerProfile, EveryVersionHasItsRegisterValue) {
  const std::vector<std::pair<std::string, std::uint32_t>> versions = {{"0.95", 0x00000905}, {"1.0", 0x00010000},
                                                                       {"1.1", 0x00010100},  {"1.2", 0x00010200},
                                                                       {"1.3", 0x00010300},  {"1.3.1", 0x00010301}};
  for (const auto& [version, value] : versions) {
    const auto text = with("\"version\": \"1.2\"", "\"version\": \"" + version + "\"");
    EXPECT_EQ(read_controller_profile(Document::parse(text, "c.json"), "c").version, value) << version;
  }
}

TEST(ControllerProfile, EveryShippedProfileLoadsByName) {
  for (const auto& name : file_names(kControllerFiles)) EXPECT_EQ(load_controller_profile(name).name, name);
}

TEST(ControllerProfile, APortBeyondTheNumberOfPortsIsRefused) {
  EXPECT_THAT(errors_of(with("[0, 3]", "[0, 4]")),
              ElementsAre("c.json: /ports_implemented/1: found 4, expected less than /ports (4)"));
}

TEST(ControllerProfile, APortNamedTwiceIsRefused) {
  EXPECT_THAT(errors_of(with("[0, 3]", "[3, 3]")),
              ElementsAre("c.json: /ports_implemented/1: found 3 again, expected each port once"));
}

TEST(ControllerProfile, AnUnknownVersionIsToldTheNearest) {
  EXPECT_THAT(errors_of(with("\"version\": \"1.2\"", "\"version\": \"1.32\"")),
              ElementsAre("c.json: /version: found \"1.32\", expected one of \"0.95\", \"1.0\", \"1.1\", \"1.2\", "
                          "\"1.3\", \"1.3.1\" (nearest known name: \"1.2\")"));
}

TEST(ControllerProfile, NumbersNeedSources) {
  EXPECT_THAT(errors_of(with("\"of\": \"/ports\"", "\"of\": \"/title\"")),
              ElementsAre("c.json: /ports: a number without a source, expected an entry in /sources that covers it"));
}

}  // namespace
}  // namespace ncqlab::config
