// The words in which a SATA link speaks of itself: to its ends (link_end.h), to fault programs (link_faults.h) and in
// the trace.
#pragma once

#include <cstdint>

namespace ncqlab::sata {

// Interface speed generations, as in SStatus.SPD (SATA 3.x, 14.1.1): 1 = 1.5, 2 = 3, 3 = 6 Gb/s; 0 = no communication.
using Generation = std::uint8_t;

enum class Direction : std::uint8_t { to_device, to_host };

constexpr Direction opposite(Direction direction) {
  return direction == Direction::to_device ? Direction::to_host : Direction::to_device;
}

// Values of SStatus.IPM (SATA 3.x, 14.1.1).
enum class LinkPower : std::uint8_t { active = 1, partial = 2, slumber = 6, dev_sleep = 8 };

// How a frame came to nothing. The letter is the bit of SError.DIAG that its receiver sets (SATA 3.x, 14.1.2); its
// sender sets H whenever R_ERR was the answer.
enum class Damage : std::uint8_t {
  none,
  crc,        // C: the CRC at the frame's end does not fit
  decode,     // B: a character that is none of 10b
  disparity,  // D: running disparity violated
  handshake,  // the frame arrived well and was taken, but its sender saw R_ERR
  refused,    // it arrived well, and the receiver answered R_ERR
  aborted,    // one end ended it with SYNC
};

// How a frame was answered instead of with R_OK.
enum class Refusal : std::uint8_t {
  r_err,
  sync,  // the receiver ended it
};

// What happened to the PHY, in a trace record of Kind::phy.
enum class PhyStep : std::uint8_t {
  comreset_begins = 1,
  comreset_ends,
  cominit,    // the device's, answering COMRESET or unasked
  comwake,    // of both, one after the other
  speed,      // the device begins to send ALIGN at the record's generation
  ready,      // both ends have been reset
  failed,     // no generation worked, or an end stayed silent: it takes a COMRESET to try again
  lost,       // COMRESET, cable pulled, signal lost
  recovered,  // the signal is back, nobody was reset
  power,      // another power state, or active again
};

}  // namespace ncqlab::sata
