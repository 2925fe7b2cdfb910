#include "testbench/lab/machine.h"

#include <stdexcept>
#include <string>

#include "model/sim/random.h"
#include "testbench/lab/factory_pattern.h"
#include "testbench/lab/shared_tables.h"

namespace ncqlab::lab {

namespace {
const FactoryPattern kFactoryPattern;
const OraclePattern kOraclePattern;
constexpr std::uint64_t kSeedStride = 0x9E3779B97F4A7C15ULL;

host::MemoryOptions memory_options(const MachineSpec& spec) {
  const bool wide = spec.controller.capabilities.addresses_64bit;
  host::MemoryOptions options = spec.memory.value_or(wide ? host::MemoryOptions{} : host::MemoryOptions::below_4gib());
  if (spec.non_coherent) options.coherent = false;
  return options;
}

}  // namespace

Machine::Machine(const MachineSpec& spec) : spec_(spec), memory_(memory_options(spec)) {
  const FabricParts parts{trace_, memory_, frames_, spec_.controller};
  fabric_ = spec_.host == HostKind::bare ? make_bare_fabric(parts) : make_systemc_fabric(parts);
  for (const DriveSpec& wanted : spec_.drives) {
    const bool implemented = wanted.port < 32 && (spec_.controller.ports_implemented >> wanted.port & 1) != 0;
    if (!implemented) throw std::invalid_argument("the controller has no port " + std::to_string(wanted.port));
    if (drive(wanted.port) != nullptr) {
      throw std::invalid_argument("port " + std::to_string(wanted.port) + " already holds a drive");
    }
    drive::DriveParts drive_parts{queue(), trace_, frames_, shared_tables(wanted.profile, wanted.layout)};
    drive_parts.factory = &kFactoryPattern;
    drive_parts.pattern = &kOraclePattern;
    drive_parts.number = wanted.port;
    drive_parts.seed = spec_.seed;
    auto made = std::make_unique<drive::Drive>(wanted.profile, drive_parts);
    made->set_write_cache(wanted.write_cache);
    sata::Link& link = fabric_->controller().link(wanted.port);
    made->connect(&link.device_side());
    link.plug(made.get());
    std::unique_ptr<faults::DriveFaults> faults;
    if (!wanted.bugs.empty()) {
      // Drives of one machine with the same program have chances of their own.
      faults = std::make_unique<faults::DriveFaults>(wanted.bugs, sim::mix64(spec_.seed + wanted.port * kSeedStride));
      faults->attach(*made);
    }
    bays_.push_back({wanted.port, std::move(faults), std::move(made)});
  }
}

Machine::~Machine() {
  for (const Bay& bay : bays_) fabric_->controller().link(bay.port).unplug();
}

drive::Drive* Machine::drive(unsigned port) {
  for (Bay& bay : bays_) {
    if (bay.port == port) return bay.drive.get();
  }
  return nullptr;
}

std::vector<faults::Firings> Machine::firings(unsigned port) const {
  for (const Bay& bay : bays_) {
    if (bay.port == port && bay.faults != nullptr) return bay.faults->firings();
  }
  return {};
}

}  // namespace ncqlab::lab
