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
  uncorrectable,    // WRITE UNCORRECTABLE EXT
  flush,            // the write cache to the platter
  identify,         // the 256 words of IDENTIFY DEVICE
  read_log,         // pages of the general purpose log
  write_log,        //
  trim,             // DATA SET MANAGEMENT
  set_features,     // settings
  set_multiple,     // the DRQ block of READ and WRITE MULTIPLE
  idle,             // power modes
  standby,          //
  sleep,            //
  check_power,      //
  diagnostic,       // EXECUTE DEVICE DIAGNOSTIC: the signature
  request_sense,    // REQUEST SENSE DATA EXT
  read_buffer,      // the one page of READ and WRITE BUFFER
  write_buffer,     //
  native_max,       // READ NATIVE MAX ADDRESS
  set_max,          // SET MAX ADDRESS
  protect_max,      // its password, lock, unlock and freeze lock
  accessible_max,   // ACCESSIBLE MAX ADDRESS CONFIGURATION
  security,         // SECURITY ...
  microcode,        // DOWNLOAD MICROCODE
  smart,            // SMART but for its logs
  smart_read_log,   //
  smart_write_log,  //
  abort,            // a NOP is always aborted
  manage_queue,     // NCQ NON-DATA
  queued_trim,      // SEND FPDMA QUEUED
  queued_read_log,  // RECEIVE FPDMA QUEUED
};

enum class Needs : std::uint8_t {
  nothing,
  queuing,
  ncq_management,
  ncq_send_receive,
  read_log_dma,
  trim,
  smart,
  host_protected_area,
  accessible_max_address,
  security,
  download_microcode,
  write_uncorrectable,
  sense_data_reporting,
  buffers,
};

struct CommandEntry {
  std::uint8_t opcode;
  const char* name;
  Protocol protocol;
  Addressing addressing;
  Action action;
  Needs needs = Needs::nothing;
  bool force_unit_access = false;  // always; queued writes carry it in device bit 7
  std::uint8_t feature = 0;        // features(7:0) that this entry is for; 0: every other value
};

// Null for an opcode that is not supported. `features` tells apart what shares an opcode and differs in protocol.
const CommandEntry* find_command(std::uint8_t opcode, std::uint16_t features);

// The opcode of the same write without FUA (3Dh: 35h, CEh: 39h).
std::uint8_t unforced(std::uint8_t opcode);

// Whether a drive of this profile has what the command needs.
bool offers(const Profile& profile, Needs needs);

constexpr bool is_queued(const CommandEntry& entry) { return entry.addressing == Addressing::queued; }
// Reads or changes what hosts have stored: refused while the drive is locked, or waits to be spun up.
constexpr bool touches_media(Action action) {
  return action == Action::media || action == Action::media_multiple || action == Action::verify ||
         action == Action::trim || action == Action::queued_trim || action == Action::uncorrectable;
}
constexpr bool is_pio(Protocol protocol) { return protocol == Protocol::pio_in || protocol == Protocol::pio_out; }
constexpr bool to_host(Protocol protocol) {
  return protocol == Protocol::pio_in || protocol == Protocol::dma_in || protocol == Protocol::queued_in;
}
constexpr bool to_device(Protocol protocol) {
  return protocol == Protocol::pio_out || protocol == Protocol::dma_out || protocol == Protocol::queued_out;
}

}  // namespace ncqlab::drive
