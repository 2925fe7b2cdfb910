#include "testbench/oracle/ata_command.h"

#include <array>
#include <cstddef>
#include <iterator>

namespace ncqlab::oracle {

namespace {

constexpr std::uint64_t kSector_bytes = 512;

// Where a command says how much it moves.
enum class Length : std::uint8_t {
  unknown,
  nothing,
  one_sector,
  count8,    // sectors in count(7:0), 0 for 256
  count16,   // in count, 0 for 65536
  features,  // in features, 0 for 65536
  pages,     // in count, 0 is not allowed
};

struct Entry {
  std::uint8_t code;
  Protocol protocol;
  Length length;
};

using P = Protocol;
using L = Length;

constexpr Entry kEntries[] = {
    {0x00, P::non_data, L::nothing},         // NOP
    {0x06, P::dma_out, L::pages},            // DATA SET MANAGEMENT
    {0x08, P::device_reset, L::nothing},     // DEVICE RESET
    {0x20, P::pio_in, L::count8},            // READ SECTOR(S)
    {0x24, P::pio_in, L::count16},           // READ SECTOR(S) EXT
    {0x25, P::dma_in, L::count16},           // READ DMA EXT
    {0x27, P::non_data, L::nothing},         // READ NATIVE MAX ADDRESS EXT
    {0x29, P::pio_in, L::count16},           // READ MULTIPLE EXT
    {0x2F, P::pio_in, L::pages},             // READ LOG EXT
    {0x30, P::pio_out, L::count8},           // WRITE SECTOR(S)
    {0x34, P::pio_out, L::count16},          // WRITE SECTOR(S) EXT
    {0x35, P::dma_out, L::count16},          // WRITE DMA EXT
    {0x39, P::pio_out, L::count16},          // WRITE MULTIPLE EXT
    {0x3D, P::dma_out, L::count16},          // WRITE DMA FUA EXT
    {0x3F, P::pio_out, L::pages},            // WRITE LOG EXT
    {0x40, P::non_data, L::nothing},         // READ VERIFY SECTOR(S)
    {0x42, P::non_data, L::nothing},         // READ VERIFY SECTOR(S) EXT
    {0x47, P::dma_in, L::pages},             // READ LOG DMA EXT
    {0x57, P::dma_out, L::pages},            // WRITE LOG DMA EXT
    {0x60, P::queued_in, L::features},       // READ FPDMA QUEUED
    {0x61, P::queued_out, L::features},      // WRITE FPDMA QUEUED
    {0x63, P::queued_non_data, L::nothing},  // NCQ NON-DATA
    {0x64, P::queued_out, L::features},      // SEND FPDMA QUEUED
    {0x65, P::queued_in, L::features},       // RECEIVE FPDMA QUEUED
    {0x90, P::non_data, L::nothing},         // EXECUTE DEVICE DIAGNOSTIC
    {0xA0, P::packet, L::unknown},           // PACKET
    {0xA1, P::pio_in, L::one_sector},        // IDENTIFY PACKET DEVICE
    {0xC4, P::pio_in, L::count8},            // READ MULTIPLE
    {0xC5, P::pio_out, L::count8},           // WRITE MULTIPLE
    {0xC6, P::non_data, L::nothing},         // SET MULTIPLE MODE
    {0xC8, P::dma_in, L::count8},            // READ DMA
    {0xCA, P::dma_out, L::count8},           // WRITE DMA
    {0xCE, P::pio_out, L::count16},          // WRITE MULTIPLE FUA EXT
    {0xE0, P::non_data, L::nothing},         // STANDBY IMMEDIATE
    {0xE1, P::non_data, L::nothing},         // IDLE IMMEDIATE
    {0xE2, P::non_data, L::nothing},         // STANDBY
    {0xE3, P::non_data, L::nothing},         // IDLE
    {0xE4, P::pio_in, L::one_sector},        // READ BUFFER
    {0xE5, P::non_data, L::nothing},         // CHECK POWER MODE
    {0xE6, P::non_data, L::nothing},         // SLEEP
    {0xE7, P::non_data, L::nothing},         // FLUSH CACHE
    {0xE8, P::pio_out, L::one_sector},       // WRITE BUFFER
    {0xEA, P::non_data, L::nothing},         // FLUSH CACHE EXT
    {0xEC, P::pio_in, L::one_sector},        // IDENTIFY DEVICE
    {0xEF, P::non_data, L::nothing},         // SET FEATURES
    {0xF8, P::non_data, L::nothing},         // READ NATIVE MAX ADDRESS
};

constexpr auto make_index() {
  std::array<Entry, 256> index{};
  for (const Entry& entry : kEntries) index[entry.code] = entry;
  return index;
}
constexpr auto kIndex = make_index();

std::uint64_t bytes_of(Length length, const sata::FisRecord& fis) {
  const auto sectors = [](std::uint32_t count, std::uint32_t zero_means) {
    return kSector_bytes * (count == 0 ? zero_means : count);
  };
  switch (length) {
    case Length::nothing:
      return 0;
    case Length::one_sector:
      return kSector_bytes;
    case Length::count8:
      return sectors(fis.count() & 0xFF, 256);
    case Length::count16:
      return sectors(fis.count(), 65536);
    case Length::features:
      return sectors(fis.features(), 65536);
    case Length::pages:
      if (fis.count() != 0) return sectors(fis.count(), 0);
      break;
    case Length::unknown:
      break;
  }
  return AtaCommand::kUnknownLength;
}

}  // namespace

AtaCommand decode_command(const sata::FisRecord& fis) {
  const Entry& entry = kIndex[fis.command()];
  return {entry.protocol, bytes_of(entry.length, fis)};
}

bool reads_queue_error_log(const sata::FisRecord& fis) {
  return (fis.command() == 0x2F || fis.command() == 0x47) && fis.byte(4) == 0x10;
}

bool aborts_queue(const sata::FisRecord& fis) { return fis.command() == 0x63 && (fis.features() & 0xF) == 0; }

}  // namespace ncqlab::oracle
