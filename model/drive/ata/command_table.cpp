#include "model/drive/ata/command_table.h"

namespace ncqlab::drive {

namespace {

constexpr CommandEntry kCommands[] = {
    {0x20, "READ SECTORS", Protocol::pio_in, Addressing::lba28, false},
    {0x24, "READ SECTORS EXT", Protocol::pio_in, Addressing::lba48, false},
    {0x25, "READ DMA EXT", Protocol::dma_in, Addressing::lba48, false},
    {0x30, "WRITE SECTORS", Protocol::pio_out, Addressing::lba28, false},
    {0x34, "WRITE SECTORS EXT", Protocol::pio_out, Addressing::lba48, false},
    {0x35, "WRITE DMA EXT", Protocol::dma_out, Addressing::lba48, false},
    {0x3D, "WRITE DMA FUA EXT", Protocol::dma_out, Addressing::lba48, true},
    {0x60, "READ FPDMA QUEUED", Protocol::queued_in, Addressing::queued, false},
    {0x61, "WRITE FPDMA QUEUED", Protocol::queued_out, Addressing::queued, false},
    {0xC8, "READ DMA", Protocol::dma_in, Addressing::lba28, false},
    {0xCA, "WRITE DMA", Protocol::dma_out, Addressing::lba28, false},
    {kFlushCache, "FLUSH CACHE", Protocol::non_data, Addressing::none, false},
    {kFlushCacheExt, "FLUSH CACHE EXT", Protocol::non_data, Addressing::none, false},
    {kIdentifyDevice, "IDENTIFY DEVICE", Protocol::pio_in, Addressing::none, false},
    {kSetFeatures, "SET FEATURES", Protocol::non_data, Addressing::none, false},
};

}  // namespace

const CommandEntry* find_command(std::uint8_t opcode) {
  for (const CommandEntry& entry : kCommands) {
    if (entry.opcode == opcode) return &entry;
  }
  return nullptr;
}

}  // namespace ncqlab::drive
