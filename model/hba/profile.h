// Everything that makes one AHCI controller differ from another, as loaded from disks/controllers/*.json (loader:
// model/config). The keys of the file are the names of these members; times are stored with their unit there and as
// sim::Time here. Each number's source stands in the file.
#pragma once

#include <cstdint>
#include <string>

#include "model/host/bus_profile.h"
#include "model/sim/time.h"

namespace ncqlab::hba {

enum class InterruptKind : std::uint8_t { msi, intx };

// Which optional parts of AHCI 1.3.1 the controller has; each is a bit of CAP (3.1.1).
struct Capabilities {
  bool addresses_64bit = true;        // S64A: upper halves of all addresses are honoured
  bool ncq = true;                    // SNCQ
  bool command_list_override = true;  // SCLO: PxCMD.CLO works
  bool staggered_spin_up = false;     // SSS: PxCMD.SUD is writable and 0 after reset
  bool ahci_only = true;              // SAM: no legacy interface, GHC.AE is always 1
};

// The controller's own times, beside those of bus and link.
struct Latencies {
  sim::Time command_fetch = 0;   // from PxCI (or the end of the command before) to the header's fetch going out
  sim::Time fis_processing = 0;  // from a received FIS to its write into memory going out
  sim::Time reset = 0;           // from GHC.HR = 1 to its return to 0, when no DMA is under way
};

struct ControllerProfile {
  std::string name;  // the file's name without .json
  std::string title;
  unsigned ports = 1;                     // 1..32: CAP.NP + 1
  std::uint32_t ports_implemented = 0x1;  // PI: bit mask, a subset of the ports
  unsigned command_slots = 32;            // 1..32: CAP.NCS + 1
  unsigned generation = 2;                // CAP.ISS, 1: 1.5, 2: 3, 3: 6 Gb/s
  std::uint32_t version = 0x00010301;     // VS, for example 0x00010200 for AHCI 1.2
  InterruptKind interrupt = InterruptKind::msi;
  Capabilities capabilities;
  Latencies latencies;
  host::BusProfile bus;
};

}  // namespace ncqlab::hba
