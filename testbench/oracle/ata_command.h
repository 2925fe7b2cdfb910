// What the protocol checker knows of ATA commands: the protocol by which each one moves its data, and how many bytes
// (ACS-3, clause 7). It is not the drive's own table on purpose: one error in both would go unseen.
#pragma once

#include <cstdint>

#include "model/sata/fis_record.h"

namespace ncqlab::oracle {

enum class Protocol : std::uint8_t {
  unknown,  // not in the table: whatever it does may be right
  non_data,
  pio_in,
  pio_out,
  dma_in,
  dma_out,
  packet,        // by PIO or DMA, in either direction or none
  device_reset,  // comes even while BSY, ends without an interrupt
  queued_in,
  queued_out,
  queued_non_data,
};

struct AtaCommand {
  static constexpr std::uint64_t kUnknownLength = ~std::uint64_t{0};

  Protocol protocol = Protocol::unknown;
  std::uint64_t bytes = kUnknownLength;  // that the whole command moves
};

// Of a Register H2D with the C bit. Logical sectors have 512 bytes.
AtaCommand decode_command(const sata::FisRecord& fis);

constexpr bool is_queued(Protocol protocol) {
  return protocol == Protocol::queued_in || protocol == Protocol::queued_out || protocol == Protocol::queued_non_data;
}

// READ LOG EXT or READ LOG DMA EXT of log 10h, which ends the halt after an error in the queue (SATA 3.x, 13.6.6).
bool reads_queue_error_log(const sata::FisRecord& fis);
// NCQ NON-DATA with subcommand 0h, ABORT NCQ QUEUE.
bool aborts_queue(const sata::FisRecord& fis);

}  // namespace ncqlab::oracle
