// Everything that makes one optical drive differ from another, as loaded from disks/optical/*.json (schema:
// disks/schema/optical.schema.json). The keys of the file are the names of these members.
#pragma once

#include <cstdint>
#include <string>

#include "model/drive/profile.h"

namespace ncqlab::drive {

struct OpticalProfile {
  std::string name;  // the file's name without .json
  std::string title;
  Identity identity;                         // of IDENTIFY PACKET DEVICE and INQUIRY
  unsigned generation = 1;                   // 1: 1.5, 2: 3, 3: 6 Gb/s
  sim::Time ready_after_reset = 0;           // hardware reset to signature
  sim::Time command = 0;                     // from the packet to the beginning of what it asks for
  sim::Time access = 0;                      // before a read that does not go on where the last one ended
  std::uint64_t bytes_per_second = 1;        // from the medium
  bool host_power = true;                    // follows the host into partial and slumber: word 76 bit 9
  bool dma_direction_required = false;       // PACKET must carry DMADIR: IDENTIFY word 62 bit 15
  bool asynchronous_notification = false;    // of a change of the medium, once enabled: word 78 bit 5
  bool attention_after_reset = true;         // the first command after a reset meets UNIT ATTENTION 29h/00h
  bool register_fis_after_identify = false;  // IDENTIFY PACKET DEVICE ends with a Register FIS, too
  bool qemu_media_change = false;  // only an exchanged disc raises UNIT ATTENTION, and first seems to be absent
};

}  // namespace ncqlab::drive
