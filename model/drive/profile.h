// Everything that makes one drive differ from another, as loaded from disks/drives/*.json (schema:
// disks/schema/drive.schema.json, loader: model/config). The keys of the file are the names of these members; times are
// stored in milliseconds there and as sim::Time here. Each number's source stands in the file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/sim/time.h"

namespace ncqlab::drive {

inline constexpr std::uint32_t kSector_bytes = 512;  // of every count of sectors in this folder

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

// Zones of equal share of the LBA space; sectors per track follow a parabola through the three given values (outermost
// zone, the zone at half of the LBA space, innermost zone), rounded to whole sectors.
struct Zones {
  unsigned count = 1;
  unsigned outer_sectors_per_track = 0;
  unsigned middle_sectors_per_track = 0;
  unsigned inner_sectors_per_track = 0;
};

// seek(d) for d cylinders: seek(1) = single_cylinder, rising as base + slope * d^exponent to `knee` at knee_fraction of
// all cylinders, then linear to `full_stroke` at the last cylinder. Settling for a read is contained.
struct SeekCurve {
  sim::Time single_cylinder = 0;
  double exponent = 0.5;
  double knee_fraction = 0.2;
  sim::Time knee = 0;
  sim::Time full_stroke = 0;
};

struct Mechanics {
  double rpm = 7200;
  unsigned heads = 1;
  Zones zones;
  sim::Time head_skew = 0;      // angle between sector 0 of one track and of the next, as time; same cylinder
  sim::Time cylinder_skew = 0;  // the same from the last head of a cylinder to the first of the next
  sim::Time head_switch = 0;    // settling on another head of the same cylinder
  SeekCurve seek;
  sim::Time write_settle = 0;  // added before a write that moved the arm by more than one cylinder: the skews hold it
};

struct Queue {
  std::string pick_policy = "shortest-positioning-time";  // or "fifo"
  unsigned window = 32;                                   // the policy looks at so many of the oldest commands
  sim::Time rotational_guard = 0;                         // a target nearer than this in angle is taken for missed
  sim::Time planning_latency = 0;                         // from the choice to the start of the movement
};

struct Overheads {
  sim::Time read_command = 0;  // from the command FIS to its being eligible
  sim::Time write_command = 0;
  sim::Time queued_command = 0;       // added to either for FPDMA QUEUED commands
  sim::Time media_access = 0;         // before the arm moves for a command that the cache can't serve
  sim::Time queued_media_access = 0;  // the same for FPDMA QUEUED commands (instead of, not on top)
  sim::Time write_completion = 0;     // from the end of a write-through media write to the status
};

struct ReadAhead {
  std::uint64_t hold_bytes = 0;   // read beyond each miss before the arm is given to the next command
  std::uint64_t limit_bytes = 0;  // reading goes on so far beyond the last demand while nothing else is wanted
  unsigned segments = 1;
  std::uint64_t segment_bytes = 0;       // what one cache segment keeps
  std::uint64_t last_sectors_limit = 0;  // 0: none. A firmware quirk: near the end of the disk (the last 2048 sectors)
                                         // reading ahead ends so many sectors beyond the demand
};

struct WriteCache {
  bool enabled = true;               // at power-on; SET FEATURES 02h/82h switch it
  std::uint64_t limit_bytes = 0;     // dirty data at most
  unsigned limit_entries = 0;        // extents at most; 0: no limit
  sim::Time destage_after_idle = 0;  // dirty data are written when no command has been outstanding for so long
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

struct Profile {
  std::string name;  // the file's name without .json
  std::string title;
  Identity identity;
  std::uint64_t capacity_sectors = 0;  // of 512 bytes
  Interface interface;
  SerialAta serial_ata;
  Departures departures;
  Mechanics mechanics;
  Queue queue;
  Overheads overheads;
  ReadAhead read_ahead;
  WriteCache write_cache;
};

}  // namespace ncqlab::drive
