#include "model/config/controller_profile.h"

#include <string>

#include "model/config/bus_profile.h"
#include "model/config/files.h"
#include "model/config/members.h"
#include "model/config/sources.h"
#include "model/hba/ahci.h"

namespace ncqlab::config {
namespace {

// VS (AHCI 1.3.1, 3.1.5): major version in the upper half, minor in the lower one, its decimals a byte each.
std::uint32_t version_register(const std::string& version) {
  if (version == "0.95") return 0x00000905;
  if (version == "1.0") return 0x00010000;
  if (version == "1.1") return 0x00010100;
  if (version == "1.2") return 0x00010200;
  return version == "1.3" ? 0x00010300 : 0x00010301;
}

// A list of port numbers as a mask; every one is of `among`, which `what` describes.
std::uint32_t read_ports(const Value& v, std::uint32_t among, const std::string& what, Findings& errors) {
  std::uint32_t mask = 0;
  for (const auto& item : v.items()) {
    const auto port = item.count();
    const std::string found = "found " + std::to_string(port);
    if ((among >> port & 1U) == 0) {
      errors.add(item.pointer(), found, what);
    } else if ((mask >> port & 1U) != 0) {
      errors.add(item.pointer(), found + " again", "each port once");
    } else {
      mask |= 1U << port;
    }
  }
  return mask;
}

constexpr Flag<hba::Capabilities> kCapabilities[] = {
    {"addresses_64bit", &hba::Capabilities::addresses_64bit},
    {"ncq", &hba::Capabilities::ncq},
    {"notification", &hba::Capabilities::notification},
    {"mechanical_switch", &hba::Capabilities::mechanical_switch},
    {"staggered_spin_up", &hba::Capabilities::staggered_spin_up},
    {"aggressive_link_power", &hba::Capabilities::aggressive_link_power},
    {"activity_led", &hba::Capabilities::activity_led},
    {"command_list_override", &hba::Capabilities::command_list_override},
    {"ahci_only", &hba::Capabilities::ahci_only},
    {"port_multiplier", &hba::Capabilities::port_multiplier},
    {"pio_multiple_drq", &hba::Capabilities::pio_multiple_drq},
    {"slumber", &hba::Capabilities::slumber},
    {"partial", &hba::Capabilities::partial},
    {"command_completion_coalescing", &hba::Capabilities::command_completion_coalescing},
    {"enclosure_management", &hba::Capabilities::enclosure_management},
    {"external_sata", &hba::Capabilities::external_sata},
    {"bios_handoff", &hba::Capabilities::bios_handoff},
    {"auto_partial_to_slumber", &hba::Capabilities::auto_partial_to_slumber},
    {"device_sleep", &hba::Capabilities::device_sleep},
    {"aggressive_device_sleep", &hba::Capabilities::aggressive_device_sleep},
    {"device_sleep_from_slumber_only", &hba::Capabilities::device_sleep_from_slumber_only},
};

constexpr Flag<hba::Departures> kDepartures[] = {
    {"tfes_with_fis_bit", &hba::Departures::tfes_with_fis_bit},
    {"engines_at_once", &hba::Departures::engines_at_once},
    {"silent_comreset", &hba::Departures::silent_comreset},
    {"ignores_clear_busy", &hba::Departures::ignores_clear_busy},
    {"ignores_prd_interrupt", &hba::Departures::ignores_prd_interrupt},
    {"all_interrupts_enableable", &hba::Departures::all_interrupts_enableable},
    {"task_file_waits_for_fis_receive", &hba::Departures::task_file_waits_for_fis_receive},
    {"short_table_fails_queued_only", &hba::Departures::short_table_fails_queued_only},
    {"ignores_multiplier_ports", &hba::Departures::ignores_multiplier_ports},
    {"override_reads_back", &hba::Departures::override_reads_back},
};

constexpr Flag<hba::EnclosureProfile> kEnclosureMessages[] = {
    {"led", &hba::EnclosureProfile::led},
    {"safte", &hba::EnclosureProfile::safte},
    {"ses2", &hba::EnclosureProfile::ses2},
    {"sgpio", &hba::EnclosureProfile::sgpio},
};

// "8086:2922"
void read_ids(const std::string& text, std::uint16_t& vendor, std::uint16_t& device) {
  vendor = static_cast<std::uint16_t>(std::stoul(text.substr(0, 4), nullptr, 16));
  device = static_cast<std::uint16_t>(std::stoul(text.substr(5, 4), nullptr, 16));
}

hba::EnclosureProfile read_enclosure(const Value& v) {
  hba::EnclosureProfile result;
  result.buffer_offset_bytes = static_cast<std::uint32_t>(v.at("buffer_offset_bytes").count());
  result.buffer_bytes = static_cast<std::uint32_t>(v.at("buffer_bytes").count());
  read_flags(v.at("messages"), kEnclosureMessages, result);
  result.transmit_only = v.at("transmit_only").flag();
  result.activity_led_in_hardware = v.at("activity_led_in_hardware").flag();
  return result;
}

hba::PciProfile read_pci(const Value& v) {
  hba::PciProfile result;
  read_ids(v.at("id").text(), result.vendor, result.device);
  read_ids(v.at("subsystem").text(), result.subsystem_vendor, result.subsystem);
  result.revision = static_cast<std::uint8_t>(v.at("revision").count());
  result.device_number = static_cast<unsigned>(v.at("device_number").count());
  result.function_number = static_cast<unsigned>(v.at("function_number").count());
  result.interrupt_pin = static_cast<unsigned>(v.at("interrupt_pin").count());
  std::size_t bar = 0;
  for (const Value& size : v.at("io_bar_bytes").items()) {
    result.io_bar_bytes[bar++] = static_cast<std::uint32_t>(size.count());
  }
  result.register_bar_bytes = static_cast<std::uint32_t>(v.at("register_bar_bytes").count());
  result.power_management = v.at("power_management").flag();
  result.index_data_pair = v.has("index_data_offset_bytes");
  if (result.index_data_pair) {
    result.index_data_offset_bytes = static_cast<std::uint32_t>(v.at("index_data_offset_bytes").count());
  }
  return result;
}

hba::Latencies read_latencies(const Value& v) {
  hba::Latencies result;
  result.command_fetch = v.at("command_fetch_ns").time();
  result.fis_processing = v.at("fis_processing_ns").time();
  result.reset = v.at("reset_us").time();
  return result;
}

sata::LinkParameters read_link(const Value& v) {
  sata::LinkParameters result;
  result.handshake_dwords = static_cast<std::uint32_t>(v.at("handshake_dwords").count());
  result.hold_dwords = static_cast<std::uint32_t>(v.at("hold_dwords").count());
  result.power_request_dwords = static_cast<std::uint32_t>(v.at("power_request_dwords").count());
  result.turn_around = v.at("turn_around_ns").time();
  result.reset_signal = v.at("reset_signal_ns").time();
  result.wake_signal = v.at("wake_signal_ns").time();
  result.negotiation_per_rate = v.at("negotiation_per_rate_ns").time();
  result.partial_exit = v.at("partial_exit_us").time();
  result.slumber_exit = v.at("slumber_exit_us").time();
  result.dev_sleep_exit = v.at("dev_sleep_exit_us").time();
  return result;
}

// What stands in the file exactly when the capability does.
void read_optional_parts(const Value& root, hba::ControllerProfile& profile, Findings& errors) {
  const auto belongs = [&](const char* key, bool wanted, const char* capability) {
    const bool there = root.has(key);
    if (there != wanted) {
      errors.add("/" + std::string(key), there ? "found" : "missing",
                 (wanted ? "it, with capability " : "it only with capability ") + std::string(capability));
    }
    return there && wanted;
  };
  const hba::Capabilities& has = profile.capabilities;
  if (belongs("coalescing_interrupt", has.command_completion_coalescing, "command_completion_coalescing")) {
    profile.coalescing_interrupt = static_cast<unsigned>(root.at("coalescing_interrupt").count());
    if ((profile.ports_implemented >> profile.coalescing_interrupt & 1U) != 0) {
      errors.add("/coalescing_interrupt", "found " + std::to_string(profile.coalescing_interrupt),
                 "a port that is not implemented (AHCI 1.3.1, 3.1.6)");
    }
  }
  if (belongs("enclosure", has.enclosure_management, "enclosure_management")) {
    profile.enclosure = read_enclosure(root.at("enclosure"));
  }
}

// Ports' registers, the enclosure's message buffer and BAR5 must fit each other.
void check_register_space(const Value& root, const hba::ControllerProfile& profile, Findings& errors) {
  std::uint32_t end = hba::kPortsBase + profile.ports * hba::kPortBytes;
  if (profile.capabilities.enclosure_management && root.has("enclosure")) {
    if (profile.enclosure.buffer_offset_bytes < end) {
      errors.add("/enclosure/buffer_offset_bytes", "found " + std::to_string(profile.enclosure.buffer_offset_bytes),
                 "a place behind the ports' registers, which end at " + std::to_string(end));
    }
    const std::uint32_t buffers = profile.enclosure.transmit_only ? 1 : 2;
    end = profile.enclosure.buffer_offset_bytes + buffers * profile.enclosure.buffer_bytes;
  }
  const std::uint32_t bar = profile.pci.register_bar_bytes;
  if (bar < end || (bar & (bar - 1)) != 0) {
    errors.add("/pci/register_bar_bytes", "found " + std::to_string(bar),
               "a power of two, at least " + std::to_string(end));
  }
  const hba::PciProfile& pci = profile.pci;
  for (std::size_t i = 0; i < pci.io_bar_bytes.size(); ++i) {
    const std::uint32_t bytes = pci.io_bar_bytes[i];
    if ((bytes & (bytes - 1)) == 0 && bytes != 1 && bytes != 2) continue;
    errors.add("/pci/io_bar_bytes/" + std::to_string(i), "found " + std::to_string(bytes),
               "0 or a power of two from 4");
  }
  if (pci.index_data_pair && pci.index_data_offset_bytes + 8 > pci.io_bar_bytes[4]) {
    errors.add("/pci/index_data_offset_bytes", "found " + std::to_string(pci.index_data_offset_bytes),
               "8 bytes inside BAR4, which has " + std::to_string(pci.io_bar_bytes[4]));
  }
}

}  // namespace

hba::ControllerProfile read_controller_profile(const Document& document, std::string_view name) {
  document.validate(data_folder() / kControllerFiles.schema);
  const Value root = document.root();
  Findings errors(document.file());
  hba::ControllerProfile profile;
  profile.name = name;
  profile.title = root.at("title").text();
  profile.ports = static_cast<unsigned>(root.at("ports").count());
  const std::uint32_t numbered = profile.ports == 32 ? 0xFFFFFFFF : (1U << profile.ports) - 1;
  profile.ports_implemented = read_ports(root.at("ports_implemented"), numbered,
                                         "less than /ports (" + std::to_string(profile.ports) + ")", errors);
  profile.command_slots = static_cast<unsigned>(root.at("command_slots").count());
  profile.generation = static_cast<unsigned>(root.at("generation").count());
  profile.version = version_register(root.at("version").text());
  profile.interrupt = root.at("interrupt").text() == "msi" ? hba::InterruptKind::msi : hba::InterruptKind::intx;
  profile.messages = static_cast<unsigned>(root.at("messages").count());
  const auto some_ports = [&](const char* key) {
    return read_ports(root.at(key), profile.ports_implemented, "one of /ports_implemented", errors);
  };
  profile.hot_plug_ports = some_ports("hot_plug_ports");
  profile.cold_presence_ports = some_ports("cold_presence_ports");
  profile.switched_ports = some_ports("switched_ports");
  profile.external_ports = some_ports("external_ports");
  read_flags(root.at("capabilities"), kCapabilities, profile.capabilities);
  read_flags(root.at("departures"), kDepartures, profile.departures);
  read_optional_parts(root, profile, errors);
  profile.pci = read_pci(root.at("pci"));
  check_register_space(root, profile, errors);
  profile.latencies = read_latencies(root.at("latencies"));
  profile.link = read_link(root.at("link"));
  profile.bus = read_bus(root.at("bus"), errors);
  check_sources(root, errors);
  errors.throw_if_any();
  return profile;
}

hba::ControllerProfile load_controller_profile(std::string_view name_or_path) {
  const auto file = find_file(kControllerFiles, name_or_path);
  return read_controller_profile(Document::load(file), file.stem().string());
}

}  // namespace ncqlab::config
