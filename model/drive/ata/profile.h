// Of a drive profile: what the drive says of itself, and its end of the link.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/sim/time.h"

namespace ncqlab::drive {

struct Identity {
  std::string model;     // IDENTIFY DEVICE words 27-46, at most 40 characters
  std::string serial;    // words 10-19, at most 20
  std::string firmware;  // words 23-26, at most 8
};

struct Interface {
  unsigned generation = 2;          // 1: 1.5, 2: 3, 3: 6 Gb/s
  unsigned queue_depth = 32;        // 1..32; IDENTIFY word 75 is this minus one
  bool ncq = true;                  // word 76 bit 8
  sim::Time ready_after_reset = 0;  // hardware reset to signature, spun up already
};

// What the drive offers beyond plain queuing, as IDENTIFY DEVICE and the logs 12h and 13h announce it (SATA 3.x, 13;
// ACS-3, 7.12.7 and Annex A).
struct SerialAta {
  bool auto_activate = false;        // DMA Setup may stand for the first DMA Activate: word 78 bit 2
  bool buffer_offsets = false;       // DMA Setup with an offset other than 0: word 78 bit 1
  bool in_order_delivery = false;    // the host may ask for data in order: word 78 bit 4
  unsigned data_phase_sectors = 0;   // with buffer offsets enabled, a DMA Setup moves at most so many; 0: all
  bool ncq_priority = false;         // word 76 bit 12
  bool ncq_management = false;       // NCQ NON-DATA (63h): word 77 bit 5, log 12h
  bool ncq_send_receive = false;     // SEND and RECEIVE FPDMA QUEUED (64h, 65h): word 77 bit 6, log 13h
  bool ncq_autosense = false;        // log 10h carries sense data: word 78 bit 7
  bool read_log_dma = false;         // READ LOG DMA EXT: word 119 bit 3, word 76 bit 15
  unsigned trim_blocks = 0;          // most blocks of 512 bytes in one DATA SET MANAGEMENT, word 105; 0: no TRIM
  bool host_power = false;           // accepts the host's PMREQ_P and PMREQ_S: word 76 bit 9
  bool device_power = false;         // may be told to ask for them itself: word 78 bit 3
  bool device_sleep = false;         // DEVSLP: word 78 bit 8
  sim::Time partial_after_idle = 0;  // no command outstanding for so long: the drive asks for partial,
  sim::Time slumber_after_idle = 0;  // and for slumber, once the host has enabled it; 0: never
};

// Feature sets and commands of ACS-3 that a drive has or has not.
struct FeatureSets {
  bool unload = false;                     // IDLE IMMEDIATE with UNLOAD: word 84 bit 13
  bool power_up_in_standby = false;        // with SET FEATURES 07h to spin up: word 83 bits 5 and 6
  bool advanced_power_management = false;  // word 83 bit 3
  bool acoustic_management = false;        // word 83 bit 9
  bool host_protected_area = false;        // SET MAX ADDRESS and its security: word 82 bit 10, word 83 bit 8
  bool accessible_max_address = false;     // instead of the former: word 119 bit 8
  bool security = false;                   // word 82 bit 1
  bool download_microcode = false;         // word 83 bit 0
  bool write_uncorrectable = false;        // word 119 bit 2
  bool sense_data_reporting = false;       // word 119 bit 6
  bool buffers = false;                    // READ BUFFER and WRITE BUFFER: word 82 bits 13 and 12
  bool device_statistics = false;          // log 04h
  bool phy_event_counters = false;         // log 11h: word 76 bit 10
  bool identify_data_log = false;          // log 30h
};

// How long the commands take that go over the whole medium; words 89 and 90.
struct Erase {
  sim::Time security_erase = 0;
  sim::Time enhanced_security_erase = 0;
};

// One SMART attribute as the drive was when it came into the lab; what it counts from then on is added.
struct SmartAttribute {
  unsigned id = 0;         // 1..255
  unsigned flags = 0;      // 16 bits; bit 0: reaching the threshold foretells a failure
  unsigned value = 100;    // 1..253
  unsigned worst = 100;    // 1..253
  unsigned threshold = 0;  // 0: never reached
  std::uint64_t raw = 0;   // 48 bits
};

// Absent: SMART answers ENABLE, DISABLE and RETURN STATUS, and no more.
struct Smart {
  bool present = false;
  std::vector<SmartAttribute> attributes;  // at most 30
  sim::Time offline_collection = 0;        // 0: there is none
  sim::Time short_self_test = 0;
  sim::Time extended_self_test = 0;
  unsigned temperature_celsius = 0;
};

// SMART Command Transport with error recovery control, and the limits at power-on in units of 100 ms; 0: none.
struct CommandTransport {
  bool present = false;
  unsigned read_recovery_limit = 0;
  unsigned write_recovery_limit = 0;
};

// How long the platters need to reach their speed and to stand. 0: not modelled.
struct Spindle {
  sim::Time spin_up = 0;
  sim::Time spin_down = 0;
};

// Heads that leave the platters when nobody needs them, and come back for the next access.
struct HeadUnload {
  sim::Time load = 0;               // what the way back costs; 0: not modelled
  sim::Time unload_after_idle = 0;  // without a command for the media for so long; 0: on command only
};

// Where a drive that people use does something else than the standards say.
struct Departures {
  // A command with PIO data to the host ends with a Register FIS, as all others do (SATA 3.x, 11.8: the last PIO Setup
  // carries the ending status).
  bool register_fis_after_pio_in = false;
  // Commands with 28-bit addresses take the count's upper byte, too (ACS-3, 4.4: it is reserved).
  bool long_28_bit_counts = false;
  // IDENTIFY DEVICE word 5, retired long ago, still holds the bytes of a sector (ATA-1).
  bool sector_bytes_in_word_5 = false;
};

}  // namespace ncqlab::drive
