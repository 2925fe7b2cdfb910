#include "model/config/controller_profile.h"

#include <string>

#include "model/config/files.h"
#include "model/config/sources.h"

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

std::uint32_t read_ports(const Value& v, unsigned ports, Findings& errors) {
  std::uint32_t mask = 0;
  for (const auto& item : v.items()) {
    const auto port = item.count();
    const std::string found = "found " + std::to_string(port);
    if (port >= ports) {
      errors.add(item.pointer(), found, "less than /ports (" + std::to_string(ports) + ")");
    } else if ((mask >> port & 1U) != 0) {
      errors.add(item.pointer(), found + " again", "each port once");
    } else {
      mask |= 1U << port;
    }
  }
  return mask;
}

hba::Capabilities read_capabilities(const Value& v) {
  hba::Capabilities result;
  result.addresses_64bit = v.at("addresses_64bit").flag();
  result.ncq = v.at("ncq").flag();
  result.command_list_override = v.at("command_list_override").flag();
  result.staggered_spin_up = v.at("staggered_spin_up").flag();
  result.ahci_only = v.at("ahci_only").flag();
  return result;
}

hba::Latencies read_latencies(const Value& v) {
  hba::Latencies result;
  result.command_fetch = v.at("command_fetch_ns").time();
  result.fis_processing = v.at("fis_processing_ns").time();
  result.reset = v.at("reset_us").time();
  return result;
}

host::BusProfile read_bus(const Value& v) {
  host::BusProfile result;
  result.register_read_request = v.at("register_read_request_ns").time();
  result.register_read_reply = v.at("register_read_reply_ns").time();
  result.register_write = v.at("register_write_ns").time();
  result.dma_read_latency = v.at("dma_read_latency_ns").time();
  result.dma_write_latency = v.at("dma_write_latency_ns").time();
  result.bandwidth_bytes_per_second = v.at("bandwidth_bytes_per_second").count();
  result.max_burst_bytes = static_cast<std::uint32_t>(v.at("max_burst_bytes").count());
  result.burst_overhead_bytes = static_cast<std::uint32_t>(v.at("burst_overhead_bytes").count());
  result.full_duplex = v.at("full_duplex").flag();
  return result;
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
  profile.ports_implemented = read_ports(root.at("ports_implemented"), profile.ports, errors);
  profile.command_slots = static_cast<unsigned>(root.at("command_slots").count());
  profile.generation = static_cast<unsigned>(root.at("generation").count());
  profile.version = version_register(root.at("version").text());
  profile.interrupt = root.at("interrupt").text() == "msi" ? hba::InterruptKind::msi : hba::InterruptKind::intx;
  profile.capabilities = read_capabilities(root.at("capabilities"));
  profile.latencies = read_latencies(root.at("latencies"));
  profile.bus = read_bus(root.at("bus"));
  check_sources(root, errors);
  errors.throw_if_any();
  return profile;
}

hba::ControllerProfile load_controller_profile(std::string_view name_or_path) {
  const auto file = find_file(kControllerFiles, name_or_path);
  return read_controller_profile(Document::load(file), file.stem().string());
}

}  // namespace ncqlab::config
