// Everything that makes one drive differ from another, as loaded from disks/drives/*.json (schema:
// disks/schema/drive.schema.json, loader: model/config). The keys of the file are the names of these members; times are
// stored in milliseconds there and as sim::Time here. Each number's source stands in the file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/drive/ata/profile.h"
#include "model/drive/cache/profile.h"
#include "model/drive/mechanics/profile.h"
#include "model/drive/media/profile.h"
#include "model/drive/pick/profile.h"
#include "model/drive/sector.h"
#include "model/drive/tail_events.h"
#include "model/sim/time.h"

namespace ncqlab::drive {

struct Overheads {
  sim::Time read_command = 0;  // from the command FIS to its being eligible
  sim::Time write_command = 0;
  sim::Time queued_command = 0;       // added to either for FPDMA QUEUED commands
  sim::Time media_access = 0;         // before the arm moves for a command that the cache can't serve
  sim::Time queued_media_access = 0;  // the same for FPDMA QUEUED commands (instead of, not on top)
  sim::Time write_completion = 0;     // from the end of a write-through media write to the status
};

// Sectors on the platter may be larger than those that the host addresses (512e).
struct PhysicalSectors512e {
  unsigned bytes = 512;       // a power of two times 512, at most 65536
  unsigned lba_0_offset = 0;  // LBA 0 is so many LBAs behind the start of its physical sector: IDENTIFY word 209
};

struct Profile {
  std::string name;  // the file's name without .json
  std::string title;
  Identity identity;
  std::uint64_t capacity_sectors = 0;  // of 512 bytes
  Interface interface;
  SerialAta serial_ata;
  FeatureSets features;
  Erase erase;
  Smart smart;
  CommandTransport sct;
  std::vector<std::uint16_t> identify_words;  // a real drive's 256 words of IDENTIFY DEVICE; empty: none
  Departures departures;
  Mechanics mechanics;
  PhysicalSectors512e physical_sectors;
  Spindle spindle;
  HeadUnload head_unload;
  Queue queue;
  QueueAging queue_aging;  // may be left out
  Overheads overheads;
  ReadAhead read_ahead;
  WriteCache write_cache;
  TrackBuffer track_buffer;  // these seven may be left out
  Destaging destaging;
  WriteThrough write_through;
  MediaAccess media_access;
  DefectHandling defect_handling;
  PowerLoss power_loss;
  TailEvents tail_events;
};

}  // namespace ncqlab::drive
