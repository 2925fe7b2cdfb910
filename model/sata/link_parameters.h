// The numbers of a SATA link. They are the controller's, whose PHY and cable they describe: object "link" of a
// controller profile. docs/TIMING.md says where each one stands in a frame's time.
#pragma once

#include <cstdint>

#include "model/sata/link_types.h"
#include "model/sim/time.h"

namespace ncqlab::sata {

struct LinkParameters {
  Generation highest_generation = 3;  // of the host's PHY

  // Frames (SATA 3.x, clause 9).
  std::uint32_t framing_dwords = 3;    // SOF, CRC, EOF
  std::uint32_t handshake_dwords = 6;  // X_RDY and R_RDY, WTRM and R_OK, two SYNC (least number of each)
  std::uint32_t align_dwords = 2;      // in every align_interval_dwords
  std::uint32_t align_interval_dwords = 256;
  // What may still arrive after a receiver has sent HOLD; a frame that its receiver holds takes so much longer.
  std::uint32_t hold_dwords = 20;
  // The ways of X_RDY, R_RDY, the frame and R_OK through cable, SerDes and elastic buffer of both ends. Estimate.
  sim::Time turn_around = 200 * sim::kNanosecond;

  // Out-of-band signals of six bursts each, nominal lengths (SATA 3.x, clause 8): bursts of 106.7 ns, spaced by 320 ns
  // in COMRESET and COMINIT, by 106.7 ns in COMWAKE. Calibration is part of the device's own start.
  sim::Time reset_signal = 2'560 * sim::kNanosecond;
  sim::Time wake_signal = 1'280 * sim::kNanosecond;
  // The device sends ALIGN at each rate it tries for 54.6 us (2048 dwords at 1.5 Gb/s, clause 8), from its highest
  // downwards.
  sim::Time negotiation_per_rate = 54'600 * sim::kNanosecond;

  // Power states (SATA 3.x, clauses 8 and 9): PMREQ_P or PMREQ_S, PMACK four times (4 to 16), SYNC; then the longest
  // exit times that the standard allows, and DETO's default for the way out of DevSleep.
  std::uint32_t power_request_dwords = 6;
  sim::Time partial_exit = 10 * sim::kMicrosecond;
  sim::Time slumber_exit = 10 * sim::kMillisecond;
  sim::Time dev_sleep_exit = 20 * sim::kMillisecond;
};

// The line's rate; 0 for no generation.
constexpr std::uint64_t line_bits_per_second(Generation generation) {
  return generation == 0 ? 0 : 1'500'000'000ULL << (generation - 1);
}

}  // namespace ncqlab::sata
