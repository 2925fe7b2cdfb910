// Everything that makes one AHCI controller differ from another, as loaded from disks/controllers/*.json (loader:
// model/config). The keys of the file are the names of these members; times are stored with their unit there and as
// sim::Time here. Each number's source stands in the file.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "model/host/bus_profile.h"
#include "model/sata/link_parameters.h"
#include "model/sim/time.h"

namespace ncqlab::hba {

enum class InterruptKind : std::uint8_t { msi, intx };

// Which optional parts of AHCI 1.3.1 the controller has; each is a bit of CAP (3.1.1) or CAP2 (3.1.10).
struct Capabilities {
  bool addresses_64bit = true;                  // S64A: upper halves of all addresses are honoured
  bool ncq = true;                              // SNCQ
  bool notification = false;                    // SSNTF: PxSNTF
  bool mechanical_switch = false;               // SMPS: presence switches, on the ports of `switched_ports`
  bool staggered_spin_up = false;               // SSS: PxCMD.SUD is writable and 0 after reset
  bool aggressive_link_power = false;           // SALP: PxCMD.ALPE and ASP
  bool activity_led = false;                    // SAL
  bool command_list_override = true;            // SCLO: PxCMD.CLO works
  bool ahci_only = true;                        // SAM: no legacy interface, GHC.AE is always 1
  bool port_multiplier = false;                 // SPM: PxCMD.PMA, commands to ports behind a multiplier
  bool pio_multiple_drq = false;                // PMD: PIO blocks of more than one sector
  bool slumber = false;                         // SSC
  bool partial = false;                         // PSC
  bool command_completion_coalescing = false;   // CCCS
  bool enclosure_management = false;            // EMS
  bool external_sata = false;                   // SXS: PxCMD.ESP on the ports of `external_ports`
  bool bios_handoff = false;                    // CAP2.BOH
  bool auto_partial_to_slumber = false;         // CAP2.APST
  bool device_sleep = false;                    // CAP2.SDS
  bool aggressive_device_sleep = false;         // CAP2.SADM
  bool device_sleep_from_slumber_only = false;  // CAP2.DESO
};

// Where a controller that people use does something else than the specification says.
struct Departures {
  // An error's status FIS raises DHRS or SDBS beside TFES, as field logs of AMD's and Intel's parts show; the state
  // machines of 5.3 raise TFES alone.
  bool tfes_with_fis_bit = false;
  // PxCMD.FR and CR follow FRE and ST, and GHC.HR ends, by the next register access.
  bool engines_at_once = false;
  // COMRESET leaves PxSERR.DIAG.X, and so PxIS.PCS, at 0, and PxSSTS as it was.
  bool silent_comreset = false;
  // C in a command header has no effect with a command FIS: BSY and PxCI stay until the device answers.
  bool ignores_clear_busy = false;
  // The I bit of a PRD raises nothing.
  bool ignores_prd_interrupt = false;
  // PxIE.CPDE and DMPE can be set where there is nothing that they could enable.
  bool all_interrupts_enableable = false;
  // PxTFD shows the signature, and PxSIG takes it, only once PxCMD.FRE is 1.
  bool task_file_waits_for_fis_receive = false;
  // Too short a PRD table: a queued read ends with OFS and TFES, another one without a word and with PRDBC 0.
  bool short_table_fails_queued_only = false;
  // A command to another port multiplier port than 0 is never sent: its bit of PxCI stays.
  bool ignores_multiplier_ports = false;
  // PxCMD.CLO is not supported and reads back as it was written.
  bool override_reads_back = false;
};

// EM_LOC and EM_CTL (3.1.8, 3.1.9); the message buffer lies in the register space.
struct EnclosureProfile {
  std::uint32_t buffer_offset_bytes = 0x500;  // EM_LOC.OFST in bytes, a multiple of 4 behind the ports' registers
  std::uint32_t buffer_bytes = 256;           // EM_LOC.SZ in bytes, a multiple of 4
  bool led = true;                            // EM_CTL.SUPP.LED
  bool safte = false;                         // SUPP.SAFTE
  bool ses2 = false;                          // SUPP.SES2
  bool sgpio = false;                         // SUPP.SGPIO
  bool transmit_only = true;                  // ATTR.XMT
  bool activity_led_in_hardware = false;      // ATTR.ALHD
};

// The function's place and configuration space (2.1 to 2.4, and PCI 3.0, chapter 6).
struct PciProfile {
  std::uint16_t vendor = 0x8086;
  std::uint16_t device = 0x2922;
  std::uint8_t revision = 0;
  std::uint16_t subsystem_vendor = 0;
  std::uint16_t subsystem = 0;
  unsigned device_number = 31;  // on bus 0
  unsigned function_number = 2;
  unsigned interrupt_pin = 1;                   // 1: INTA
  std::array<std::uint32_t, 5> io_bar_bytes{};  // BAR0 to BAR4, legacy task file and index/data; 0: none
  std::uint32_t register_bar_bytes = 0x2000;    // BAR5 (ABAR), a power of two
  bool power_management = true;                 // PMCAP
  bool index_data_pair = false;                 // SATACAP points into BAR4
  std::uint32_t index_data_offset_bytes = 0;    // there, a multiple of 4
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
  unsigned messages = 1;                  // 1, 2, 4 ... 32: what MSI asks for
  unsigned coalescing_interrupt = 31;     // CCC_CTL.INT: a port that is not implemented
  std::uint32_t hot_plug_ports = 0;       // PxCMD.HPCP, bit masks of ports as the next four
  std::uint32_t cold_presence_ports = 0;  // PxCMD.CPD: presence is seen without a PHY, POD switches the power
  std::uint32_t switched_ports = 0;       // PxCMD.MPSP
  std::uint32_t external_ports = 0;       // PxCMD.ESP
  Capabilities capabilities;
  Departures departures;
  EnclosureProfile enclosure;
  PciProfile pci;
  Latencies latencies;
  sata::LinkParameters link;  // of every port; highest_generation follows `generation`
  host::BusProfile bus;
};

}  // namespace ncqlab::hba
