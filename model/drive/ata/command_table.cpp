#include "model/drive/ata/command_table.h"

#include <array>
#include <cstddef>

namespace ncqlab::drive {

namespace {

using A = Action;
using L = Addressing;
using P = Protocol;

constexpr CommandEntry kCommands[] = {
    {0x00, "NOP", P::non_data, L::none, A::abort},
    {0x06, "DATA SET MANAGEMENT", P::dma_out, L::none, A::trim, Needs::trim},
    {0x20, "READ SECTORS", P::pio_in, L::lba28, A::media},
    {0x24, "READ SECTORS EXT", P::pio_in, L::lba48, A::media},
    {0x25, "READ DMA EXT", P::dma_in, L::lba48, A::media},
    {0x27, "READ NATIVE MAX ADDRESS EXT", P::non_data, L::lba48, A::native_max},
    {0x29, "READ MULTIPLE EXT", P::pio_in, L::lba48, A::media_multiple},
    {0x2F, "READ LOG EXT", P::pio_in, L::none, A::read_log},
    {0x30, "WRITE SECTORS", P::pio_out, L::lba28, A::media},
    {0x34, "WRITE SECTORS EXT", P::pio_out, L::lba48, A::media},
    {0x35, "WRITE DMA EXT", P::dma_out, L::lba48, A::media},
    {0x39, "WRITE MULTIPLE EXT", P::pio_out, L::lba48, A::media_multiple},
    {0x3D, "WRITE DMA FUA EXT", P::dma_out, L::lba48, A::media, Needs::nothing, true},
    {0x40, "READ VERIFY SECTORS", P::non_data, L::lba28, A::verify},
    {0x42, "READ VERIFY SECTORS EXT", P::non_data, L::lba48, A::verify},
    {0x47, "READ LOG DMA EXT", P::dma_in, L::none, A::read_log, Needs::read_log_dma},
    {0x60, "READ FPDMA QUEUED", P::queued_in, L::queued, A::media, Needs::queuing},
    {0x61, "WRITE FPDMA QUEUED", P::queued_out, L::queued, A::media, Needs::queuing},
    {0x63, "NCQ NON-DATA", P::queued_non_data, L::queued, A::manage_queue, Needs::ncq_management},
    {0x64, "SEND FPDMA QUEUED", P::queued_out, L::queued, A::queued_trim, Needs::ncq_send_receive},
    {0x65, "RECEIVE FPDMA QUEUED", P::queued_in, L::queued, A::queued_read_log, Needs::ncq_send_receive},
    {0x90, "EXECUTE DEVICE DIAGNOSTIC", P::non_data, L::none, A::diagnostic},
    {0xB0, "SMART", P::non_data, L::none, A::smart},
    {0xC4, "READ MULTIPLE", P::pio_in, L::lba28, A::media_multiple},
    {0xC5, "WRITE MULTIPLE", P::pio_out, L::lba28, A::media_multiple},
    {0xC6, "SET MULTIPLE MODE", P::non_data, L::none, A::set_multiple},
    {0xC8, "READ DMA", P::dma_in, L::lba28, A::media},
    {0xCA, "WRITE DMA", P::dma_out, L::lba28, A::media},
    {0xCE, "WRITE MULTIPLE FUA EXT", P::pio_out, L::lba48, A::media_multiple, Needs::nothing, true},
    {0xE0, "STANDBY IMMEDIATE", P::non_data, L::none, A::standby},
    {0xE1, "IDLE IMMEDIATE", P::non_data, L::none, A::idle},
    {0xE2, "STANDBY", P::non_data, L::none, A::standby},
    {0xE3, "IDLE", P::non_data, L::none, A::idle},
    {0xE5, "CHECK POWER MODE", P::non_data, L::none, A::check_power},
    {0xE6, "SLEEP", P::non_data, L::none, A::sleep},
    {0xE7, "FLUSH CACHE", P::non_data, L::none, A::flush},
    {0xEA, "FLUSH CACHE EXT", P::non_data, L::none, A::flush},
    {0xEC, "IDENTIFY DEVICE", P::pio_in, L::none, A::identify},
    {0xEF, "SET FEATURES", P::non_data, L::none, A::set_features},
    {0xF8, "READ NATIVE MAX ADDRESS", P::non_data, L::lba28, A::native_max},
};

// Place in kCommands plus one, by opcode; 0: none.
constexpr auto make_index() {
  std::array<std::uint8_t, 256> index{};
  for (std::size_t i = 0; i < std::size(kCommands); ++i) {
    index[kCommands[i].opcode] = static_cast<std::uint8_t>(i + 1);
  }
  return index;
}
constexpr auto kIndex = make_index();

}  // namespace

const CommandEntry* find_command(std::uint8_t opcode) {
  const unsigned place = kIndex[opcode];
  return place == 0 ? nullptr : &kCommands[place - 1];
}

bool offers(const Profile& profile, Needs needs) {
  const SerialAta& sata = profile.serial_ata;
  switch (needs) {
    case Needs::nothing:
      return true;
    case Needs::queuing:
      return profile.interface.ncq;
    case Needs::ncq_management:
      return profile.interface.ncq && sata.ncq_management;
    case Needs::ncq_send_receive:
      return profile.interface.ncq && sata.ncq_send_receive;
    case Needs::read_log_dma:
      return sata.read_log_dma;
    case Needs::trim:
      return sata.trim_blocks != 0;
  }
  return false;
}

}  // namespace ncqlab::drive
