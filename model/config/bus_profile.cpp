#include "model/config/bus_profile.h"

#include <algorithm>
#include <string>

namespace ncqlab::config {
namespace {

using host::BusKind;
using host::BusProfile;

constexpr std::pair<std::string_view, BusKind> kKinds[] = {
    {"custom", BusKind::custom}, {"pci", BusKind::pci}, {"pci_x", BusKind::pci_x}, {"pcie", BusKind::pcie}};

template <class Number>
void set(Number& member, const Value& value) {
  member = static_cast<Number>(value.count());
}

// A member that not every kind has.
struct Member {
  std::string_view key;
  std::string_view kinds;
  void (*read)(BusProfile& bus, const Value& value);
};

constexpr Member kMembers[] = {
    {"bandwidth_bytes_per_second", "custom",
     [](BusProfile& b, const Value& v) { set(b.bandwidth_bytes_per_second, v); }},
    {"max_burst_bytes", "custom", [](BusProfile& b, const Value& v) { set(b.max_burst_bytes, v); }},
    {"burst_overhead_bytes", "custom", [](BusProfile& b, const Value& v) { set(b.burst_overhead_bytes, v); }},
    {"full_duplex", "custom", [](BusProfile& b, const Value& v) { b.full_duplex = v.flag(); }},
    {"clock_mhz", "pci pci_x", [](BusProfile& b, const Value& v) { set(b.pci.clock_mhz, v); }},
    {"width_bits", "pci pci_x", [](BusProfile& b, const Value& v) { set(b.pci.width_bits, v); }},
    {"latency_timer_clocks", "pci pci_x", [](BusProfile& b, const Value& v) { set(b.pci.latency_timer_clocks, v); }},
    {"read_wait_clocks", "pci", [](BusProfile& b, const Value& v) { set(b.pci.read_wait_clocks, v); }},
    {"write_wait_clocks", "pci pci_x", [](BusProfile& b, const Value& v) { set(b.pci.write_wait_clocks, v); }},
    {"max_read_bytes", "pci_x", [](BusProfile& b, const Value& v) { set(b.pci.max_read_bytes, v); }},
    {"generation", "pcie", [](BusProfile& b, const Value& v) { set(b.pcie.generation, v); }},
    {"lanes", "pcie", [](BusProfile& b, const Value& v) { set(b.pcie.lanes, v); }},
    {"max_payload_bytes", "pcie", [](BusProfile& b, const Value& v) { set(b.pcie.max_payload_bytes, v); }},
    {"max_read_request_bytes", "pcie", [](BusProfile& b, const Value& v) { set(b.pcie.max_read_request_bytes, v); }},
    {"read_completion_boundary_bytes", "pcie",
     [](BusProfile& b, const Value& v) { set(b.pcie.read_completion_boundary_bytes, v); }},
};

// Whether `word` is one of the words of `list`.
bool among(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(' '), list.size());
    if (list.substr(0, end) == word) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

void check_clock(const Value& v, const BusProfile& bus, Findings& errors) {
  const unsigned slow = bus.kind == BusKind::pci ? 33 : 66;
  const unsigned fast = bus.kind == BusKind::pci ? 66 : 133;
  if (bus.pci.clock_mhz == slow || bus.pci.clock_mhz == fast) return;
  errors.add(v.at("clock_mhz").pointer(), "found " + std::to_string(bus.pci.clock_mhz),
             std::to_string(slow) + " or " + std::to_string(fast));
}

}  // namespace

BusProfile read_bus(const Value& v, Findings& errors) {
  BusProfile bus;
  const std::string& kind = v.at("kind").text();
  for (const auto& [name, value] : kKinds) {
    if (kind == name) bus.kind = value;
  }
  bus.register_read_request = v.at("register_read_request_ns").time();
  bus.register_read_reply = v.at("register_read_reply_ns").time();
  bus.register_write = v.at("register_write_ns").time();
  bus.posted_writes_held = v.at("posted_writes_held_us").time();
  bus.dma_read_latency = v.at("dma_read_latency_ns").time();
  bus.dma_write_latency = v.at("dma_write_latency_ns").time();
  bool complete = true;
  for (const Member& member : kMembers) {
    const bool belongs = among(member.kinds, kind);
    const auto found = v.find(member.key);
    if (found.has_value() == belongs) {
      if (belongs) member.read(bus, *found);
      continue;
    }
    complete = false;
    errors.add(v.pointer() + "/" + std::string(member.key), belongs ? "missing" : "found",
               (belongs ? "it, for kind " : "no such member for kind ") + kind);
  }
  if (complete && (bus.kind == BusKind::pci || bus.kind == BusKind::pci_x)) check_clock(v, bus, errors);
  return bus;
}

}  // namespace ncqlab::config
