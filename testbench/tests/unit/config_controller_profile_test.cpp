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
using testing::HasSubstr;

const char* const kText = R"({
  "title": "Test controller", "ports": 4, "ports_implemented": [0, 3], "command_slots": 8, "generation": 3,
  "version": "1.2", "interrupt": "intx", "messages": 4, "coalescing_interrupt": 2,
  "hot_plug_ports": [0], "cold_presence_ports": [3], "switched_ports": [0, 3], "external_ports": [],
  "capabilities": ["command_list_override", "staggered_spin_up", "command_completion_coalescing",
                   "enclosure_management"],
  "departures": ["silent_comreset"],
  "enclosure": {"buffer_offset_bytes": 768, "buffer_bytes": 64, "messages": ["safte"], "transmit_only": false,
                "activity_led_in_hardware": true},
  "pci": {"id": "8086:2821", "subsystem": "1043:8277", "revision": 2, "device_number": 31, "function_number": 2,
          "interrupt_pin": 2, "io_bar_bytes": [8, 4, 8, 4, 32], "register_bar_bytes": 1024, "power_management": true,
          "index_data_offset_bytes": 16},
  "latencies": {"command_fetch_ns": 200, "fis_processing_ns": 100.5, "reset_us": 50},
  "link": {"handshake_dwords": 7, "hold_dwords": 21, "turn_around_ns": 210, "reset_signal_ns": 2600,
           "wake_signal_ns": 1300, "negotiation_per_rate_ns": 54000, "power_request_dwords": 8, "partial_exit_us": 9,
           "slumber_exit_us": 900, "dev_sleep_exit_us": 19000},
  "bus": {"kind": "custom", "register_read_request_ns": 1, "register_read_reply_ns": 2, "register_write_ns": 3,
          "posted_writes_held_us": 6, "dma_read_latency_ns": 4, "dma_write_latency_ns": 5,
          "bandwidth_bytes_per_second": 133000000, "max_burst_bytes": 64, "burst_overhead_bytes": 8,
          "full_duplex": false},
  "sources": [{"of": "/ports", "source": "made up", "standing": "estimate"},
              {"of": "/ports_implemented", "source": "made up", "standing": "estimate"},
              {"of": "/command_slots", "source": "made up", "standing": "estimate"},
              {"of": "/generation", "source": "made up", "standing": "estimate"},
              {"of": "/messages", "source": "made up", "standing": "estimate"},
              {"of": "/coalescing_interrupt", "source": "made up", "standing": "estimate"},
              {"of": "/hot_plug_ports", "source": "made up", "standing": "estimate"},
              {"of": "/cold_presence_ports", "source": "made up", "standing": "estimate"},
              {"of": "/switched_ports", "source": "made up", "standing": "estimate"},
              {"of": "/enclosure", "source": "made up", "standing": "estimate"},
              {"of": "/pci", "source": "made up", "standing": "estimate"},
              {"of": "/latencies", "source": "made up", "standing": "estimate"},
              {"of": "/link", "source": "made up", "standing": "estimate"},
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
  EXPECT_TRUE(p.capabilities.command_completion_coalescing);
  EXPECT_FALSE(p.capabilities.ahci_only);
  EXPECT_FALSE(p.capabilities.slumber);
  EXPECT_TRUE(p.departures.silent_comreset);
  EXPECT_FALSE(p.departures.tfes_with_fis_bit);
  EXPECT_EQ(p.messages, 4U);
  EXPECT_EQ(p.coalescing_interrupt, 2U);
  EXPECT_EQ(p.hot_plug_ports, 0x1U);
  EXPECT_EQ(p.cold_presence_ports, 0x8U);
  EXPECT_EQ(p.switched_ports, 0x9U);
  EXPECT_EQ(p.external_ports, 0U);
  EXPECT_EQ(p.enclosure.buffer_offset_bytes, 768U);
  EXPECT_EQ(p.enclosure.buffer_bytes, 64U);
  EXPECT_FALSE(p.enclosure.led);
  EXPECT_TRUE(p.enclosure.safte);
  EXPECT_FALSE(p.enclosure.transmit_only);
  EXPECT_TRUE(p.enclosure.activity_led_in_hardware);
  EXPECT_EQ(p.pci.vendor, 0x8086U);
  EXPECT_EQ(p.pci.device, 0x2821U);
  EXPECT_EQ(p.pci.subsystem_vendor, 0x1043U);
  EXPECT_EQ(p.pci.subsystem, 0x8277U);
  EXPECT_EQ(p.pci.revision, 2U);
  EXPECT_EQ(p.pci.device_number, 31U);
  EXPECT_EQ(p.pci.function_number, 2U);
  EXPECT_EQ(p.pci.interrupt_pin, 2U);
  EXPECT_THAT(p.pci.io_bar_bytes, ElementsAre(8, 4, 8, 4, 32));
  EXPECT_EQ(p.pci.register_bar_bytes, 1024U);
  EXPECT_TRUE(p.pci.power_management);
  EXPECT_TRUE(p.pci.index_data_pair);
  EXPECT_EQ(p.pci.index_data_offset_bytes, 16U);
  EXPECT_EQ(p.latencies.command_fetch, 200'000);
  EXPECT_EQ(p.latencies.fis_processing, 100'500);
  EXPECT_EQ(p.latencies.reset, 50 * sim::kMicrosecond);
  EXPECT_EQ(p.link.handshake_dwords, 7U);
  EXPECT_EQ(p.link.hold_dwords, 21U);
  EXPECT_EQ(p.link.power_request_dwords, 8U);
  EXPECT_EQ(p.link.turn_around, 210 * sim::kNanosecond);
  EXPECT_EQ(p.link.reset_signal, 2600 * sim::kNanosecond);
  EXPECT_EQ(p.link.wake_signal, 1300 * sim::kNanosecond);
  EXPECT_EQ(p.link.negotiation_per_rate, 54 * sim::kMicrosecond);
  EXPECT_EQ(p.link.partial_exit, 9 * sim::kMicrosecond);
  EXPECT_EQ(p.link.slumber_exit, 900 * sim::kMicrosecond);
  EXPECT_EQ(p.link.dev_sleep_exit, 19 * sim::kMillisecond);
  EXPECT_EQ(p.bus.register_read_request, 1'000);
  EXPECT_EQ(p.bus.register_read_reply, 2'000);
  EXPECT_EQ(p.bus.register_write, 3'000);
  EXPECT_EQ(p.bus.posted_writes_held, 6 * sim::kMicrosecond);
  EXPECT_EQ(p.bus.kind, host::BusKind::custom);
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
  EXPECT_THAT(errors_of(with("[0, 3]", "[0, 3, 4]")),
              ElementsAre("c.json: /ports_implemented/2: found 4, expected less than /ports (4)"));
}

TEST(ControllerProfile, APortNamedTwiceIsRefused) {
  EXPECT_THAT(errors_of(with("[0, 3]", "[0, 3, 3]")),
              ElementsAre("c.json: /ports_implemented/2: found 3 again, expected each port once"));
}

TEST(ControllerProfile, AHotPlugPortMustExist) {
  EXPECT_THAT(errors_of(with("\"hot_plug_ports\": [0]", "\"hot_plug_ports\": [1]")),
              ElementsAre("c.json: /hot_plug_ports/0: found 1, expected one of /ports_implemented"));
}

TEST(ControllerProfile, TheCoalescingInterruptIsOfAPortThatDoesNotExist) {
  EXPECT_THAT(errors_of(with("\"coalescing_interrupt\": 2", "\"coalescing_interrupt\": 3")),
              ElementsAre("c.json: /coalescing_interrupt: found 3, expected a port that is not implemented (AHCI "
                          "1.3.1, 3.1.6)"));
}

TEST(ControllerProfile, AnEnclosureNeedsItsCapability) {
  EXPECT_THAT(errors_of(with(",\n                   \"enclosure_management\"", "")),
              ElementsAre("c.json: /enclosure: found, expected it only with capability enclosure_management"));
}

TEST(ControllerProfile, TheMessageBufferLiesBehindThePorts) {
  EXPECT_THAT(errors_of(with("\"buffer_offset_bytes\": 768", "\"buffer_offset_bytes\": 764")),
              ElementsAre("c.json: /enclosure/buffer_offset_bytes: found 764, expected a place behind the ports' "
                          "registers, which end at 768"));
}

TEST(ControllerProfile, TheRegistersFitIntoTheirBar) {
  EXPECT_THAT(errors_of(with("\"register_bar_bytes\": 1024", "\"register_bar_bytes\": 512")),
              ElementsAre("c.json: /pci/register_bar_bytes: found 512, expected a power of two, at least 896"));
}

TEST(ControllerProfile, TheIndexDataPairFitsIntoItsBar) {
  EXPECT_THAT(
      errors_of(with("\"index_data_offset_bytes\": 16", "\"index_data_offset_bytes\": 28")),
      ElementsAre("c.json: /pci/index_data_offset_bytes: found 28, expected 8 bytes inside BAR4, which has 32"));
}

TEST(ControllerProfile, AnUnknownCapabilityIsToldTheNearest) {
  EXPECT_THAT(errors_of(with("\"staggered_spin_up\"", "\"staggered_spinup\"")),
              ElementsAre(HasSubstr("nearest known name: \"staggered_spin_up\"")));
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
