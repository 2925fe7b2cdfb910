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
    {0x0B, "REQUEST SENSE DATA EXT", P::non_data, L::none, A::request_sense, Needs::sense_data_reporting},
    {0x20, "READ SECTORS", P::pio_in, L::lba28, A::media},
    {0x24, "READ SECTORS EXT", P::pio_in, L::lba48, A::media},
    {0x25, "READ DMA EXT", P::dma_in, L::lba48, A::media},
    {0x27, "READ NATIVE MAX ADDRESS EXT", P::non_data, L::lba48, A::native_max},
    {0x29, "READ MULTIPLE EXT", P::pio_in, L::lba48, A::media_multiple},
    {0x2F, "READ LOG EXT", P::pio_in, L::none, A::read_log},
    {0x30, "WRITE SECTORS", P::pio_out, L::lba28, A::media},
    {0x34, "WRITE SECTORS EXT", P::pio_out, L::lba48, A::media},
    {0x35, "WRITE DMA EXT", P::dma_out, L::lba48, A::media},
    {0x37, "SET MAX ADDRESS EXT", P::non_data, L::lba48, A::set_max, Needs::host_protected_area},
    {0x39, "WRITE MULTIPLE EXT", P::pio_out, L::lba48, A::media_multiple},
    {0x3D, "WRITE DMA FUA EXT", P::dma_out, L::lba48, A::media, Needs::nothing, true},
    {0x3F, "WRITE LOG EXT", P::pio_out, L::none, A::write_log, Needs::smart},
    {0x40, "READ VERIFY SECTORS", P::non_data, L::lba28, A::verify},
    {0x42, "READ VERIFY SECTORS EXT", P::non_data, L::lba48, A::verify},
    {0x45, "WRITE UNCORRECTABLE EXT", P::non_data, L::lba48, A::uncorrectable, Needs::write_uncorrectable},
    {0x47, "READ LOG DMA EXT", P::dma_in, L::none, A::read_log, Needs::read_log_dma},
    {0x57, "WRITE LOG DMA EXT", P::dma_out, L::none, A::write_log, Needs::read_log_dma},
    {0x60, "READ FPDMA QUEUED", P::queued_in, L::queued, A::media, Needs::queuing},
    {0x61, "WRITE FPDMA QUEUED", P::queued_out, L::queued, A::media, Needs::queuing},
    {0x63, "NCQ NON-DATA", P::queued_non_data, L::queued, A::manage_queue, Needs::ncq_management},
    {0x64, "SEND FPDMA QUEUED", P::queued_out, L::queued, A::queued_trim, Needs::ncq_send_receive},
    {0x65, "RECEIVE FPDMA QUEUED", P::queued_in, L::queued, A::queued_read_log, Needs::ncq_send_receive},
    {0x78, "ACCESSIBLE MAX ADDRESS CONFIGURATION", P::non_data, L::lba48, A::accessible_max,
     Needs::accessible_max_address},
    {0x90, "EXECUTE DEVICE DIAGNOSTIC", P::non_data, L::none, A::diagnostic},
    {0x92, "DOWNLOAD MICROCODE (activate)", P::non_data, L::none, A::microcode, Needs::download_microcode, false, 0x0F},
    {0x92, "DOWNLOAD MICROCODE", P::pio_out, L::none, A::microcode, Needs::download_microcode},
    {0x93, "DOWNLOAD MICROCODE DMA (activate)", P::non_data, L::none, A::microcode, Needs::download_microcode, false,
     0x0F},
    {0x93, "DOWNLOAD MICROCODE DMA", P::dma_out, L::none, A::microcode, Needs::download_microcode},
    {0xB0, "SMART READ DATA", P::pio_in, L::none, A::smart, Needs::smart, false, 0xD0},
    {0xB0, "SMART READ THRESHOLDS", P::pio_in, L::none, A::smart, Needs::smart, false, 0xD1},
    {0xB0, "SMART READ LOG", P::pio_in, L::none, A::smart_read_log, Needs::smart, false, 0xD5},
    {0xB0, "SMART WRITE LOG", P::pio_out, L::none, A::smart_write_log, Needs::smart, false, 0xD6},
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
    {0xE4, "READ BUFFER", P::pio_in, L::none, A::read_buffer, Needs::buffers},
    {0xE5, "CHECK POWER MODE", P::non_data, L::none, A::check_power},
    {0xE6, "SLEEP", P::non_data, L::none, A::sleep},
    {0xE7, "FLUSH CACHE", P::non_data, L::none, A::flush},
    {0xE8, "WRITE BUFFER", P::pio_out, L::none, A::write_buffer, Needs::buffers},
    {0xE9, "READ BUFFER DMA", P::dma_in, L::none, A::read_buffer, Needs::buffers},
    {0xEA, "FLUSH CACHE EXT", P::non_data, L::none, A::flush},
    {0xEB, "WRITE BUFFER DMA", P::dma_out, L::none, A::write_buffer, Needs::buffers},
    {0xEC, "IDENTIFY DEVICE", P::pio_in, L::none, A::identify},
    {0xEF, "SET FEATURES", P::non_data, L::none, A::set_features},
    {0xF1, "SECURITY SET PASSWORD", P::pio_out, L::none, A::security, Needs::security},
    {0xF2, "SECURITY UNLOCK", P::pio_out, L::none, A::security, Needs::security},
    {0xF3, "SECURITY ERASE PREPARE", P::non_data, L::none, A::security, Needs::security},
    {0xF4, "SECURITY ERASE UNIT", P::pio_out, L::none, A::security, Needs::security},
    {0xF5, "SECURITY FREEZE LOCK", P::non_data, L::none, A::security, Needs::security},
    {0xF6, "SECURITY DISABLE PASSWORD", P::pio_out, L::none, A::security, Needs::security},
    {0xF8, "READ NATIVE MAX ADDRESS", P::non_data, L::lba28, A::native_max},
    {0xF9, "SET MAX SET PASSWORD", P::pio_out, L::none, A::protect_max, Needs::host_protected_area, false, 0x01},
    {0xF9, "SET MAX LOCK", P::non_data, L::none, A::protect_max, Needs::host_protected_area, false, 0x02},
    {0xF9, "SET MAX UNLOCK", P::pio_out, L::none, A::protect_max, Needs::host_protected_area, false, 0x03},
    {0xF9, "SET MAX FREEZE LOCK", P::non_data, L::none, A::protect_max, Needs::host_protected_area, false, 0x04},
    {0xF9, "SET MAX ADDRESS", P::non_data, L::lba28, A::set_max, Needs::host_protected_area},
};

// Place of an opcode's first entry in kCommands plus one; 0: none. Its others follow, the one for every other feature
// last.
constexpr auto make_index() {
  std::array<std::uint8_t, 256> index{};
  for (std::size_t i = std::size(kCommands); i > 0; --i) {
    index[kCommands[i - 1].opcode] = static_cast<std::uint8_t>(i);
  }
  return index;
}
constexpr auto kIndex = make_index();

}  // namespace

const CommandEntry* find_command(std::uint8_t opcode, std::uint16_t features) {
  const unsigned place = kIndex[opcode];
  if (place == 0) return nullptr;
  const CommandEntry* entry = &kCommands[place - 1];
  while (entry->feature != 0 && entry->feature != static_cast<std::uint8_t>(features)) ++entry;
  return entry;
}

std::uint8_t unforced(std::uint8_t opcode) {
  const CommandEntry* forced = find_command(opcode, 0);
  for (const CommandEntry& entry : kCommands) {
    const bool same =
        entry.protocol == forced->protocol && entry.addressing == forced->addressing && entry.action == forced->action;
    if (same && !entry.force_unit_access) return entry.opcode;
  }
  return opcode;
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
    case Needs::smart:
      return profile.smart.present;
    case Needs::host_protected_area:
      return profile.features.host_protected_area;
    case Needs::accessible_max_address:
      return profile.features.accessible_max_address;
    case Needs::security:
      return profile.features.security;
    case Needs::download_microcode:
      return profile.features.download_microcode;
    case Needs::write_uncorrectable:
      return profile.features.write_uncorrectable;
    case Needs::sense_data_reporting:
      return profile.features.sense_data_reporting;
    case Needs::buffers:
      return profile.features.buffers;
  }
  return false;
}

}  // namespace ncqlab::drive
