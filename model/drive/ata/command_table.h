// The ATA commands that the drive answers, as one table: opcode, name, protocol (ACS-3 clause 7, SATA 3.x clause 11 for
// the protocols), what is done, and what the profile must offer for it. Everything else is aborted.
// docs/DRIVE-COMMANDS.md is this table for readers.
#pragma once

#include <cstdint>

#include "model/drive/profile.h"

namespace ncqlab::drive {

enum class Protocol : std::uint8_t {
  non_data,
  pio_in,
  pio_out,
  dma_in,
  dma_out,
  queued_in,
  queued_out,
  queued_non_data,
};

enum class Addressing : std::uint8_t {
  none,
  lba28,   // LBA(27:0) in lba(23:0) and device(3:0), 8-bit count, 0 = 256
  lba48,   // 16-bit count, 0 = 65536
  queued,  // LBA48, the count in features, the tag in count(7:3), the priority in count(15:14)
};

enum class Action : std::uint8_t {
  media,            // sectors between platter and host
  media_multiple,   // the same in DRQ blocks of SET MULTIPLE MODE
  verify,           // sectors read and not sent
  flush,            // the write cache to the platter
  identify,         // the 256 words of IDENTIFY DEVICE
  read_log,         // a page of the general purpose log
  trim,             // DATA SET MANAGEMENT
  set_features,     // settings
  set_multiple,     // the DRQ block of READ and WRITE MULTIPLE
  idle,             // power modes
  standby,          //
  sleep,            //
  check_power,      //
  diagnostic,       // EXECUTE DEVICE DIAGNOSTIC: the signature
  native_max,       // the last LBA
  smart,            // the three commands that probing needs
  abort,            // a NOP is always aborted
  manage_queue,     // NCQ NON-DATA
  queued_trim,      // SEND FPDMA QUEUED
  queued_read_log,  // RECEIVE FPDMA QUEUED
};

enum class Needs : std::uint8_t { nothing, queuing, ncq_management, ncq_send_receive, read_log_dma, trim };

struct CommandEntry {
  std::uint8_t opcode;
  const char* name;
  Protocol protocol;
  Addressing addressing;
  Action action;
  Needs needs = Needs::nothing;
  bool force_unit_access = false;  // always; queued writes carry it in device bit 7
};

// Null for an opcode that is not supported.
const CommandEntry* find_command(std::uint8_t opcode);

// Whether a drive of this profile has what the command needs.
bool offers(const Profile& profile, Needs needs);

constexpr bool is_queued(const CommandEntry& entry) { return entry.addressing == Addressing::queued; }
constexpr bool is_pio(Protocol protocol) { return protocol == Protocol::pio_in || protocol == Protocol::pio_out; }
constexpr bool to_host(Protocol protocol) {
  return protocol == Protocol::pio_in || protocol == Protocol::dma_in || protocol == Protocol::queued_in;
}
constexpr bool to_device(Protocol protocol) {
  return protocol == Protocol::pio_out || protocol == Protocol::dma_out || protocol == Protocol::queued_out;
}

}  // namespace ncqlab::drive
