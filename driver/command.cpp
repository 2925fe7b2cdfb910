#include "driver/command.h"

namespace ncqlab::driver {
namespace {

// ACS-3, clause 7.
constexpr std::uint8_t kReadSectorsExt = 0x24;
constexpr std::uint8_t kReadDmaExt = 0x25;
constexpr std::uint8_t kWriteSectorsExt = 0x34;
constexpr std::uint8_t kWriteDmaExt = 0x35;
constexpr std::uint8_t kWriteDmaFuaExt = 0x3D;
constexpr std::uint8_t kReadFpdmaQueued = 0x60;
constexpr std::uint8_t kWriteFpdmaQueued = 0x61;
constexpr std::uint8_t kFlushCacheExt = 0xEA;
constexpr std::uint8_t kIdentifyDevice = 0xEC;

constexpr std::uint8_t kFisRegisterH2d = 0x27;
constexpr std::uint8_t kFisCommandBit = 0x80;
constexpr std::uint8_t kDeviceLba = 0x40;
constexpr std::uint8_t kDeviceFua = 0x80;  // of FPDMA QUEUED commands

constexpr std::uint32_t kHeaderFisDwords = sizeof(CommandFis) / 4;
constexpr std::uint32_t kHeaderWrite = 1U << 6;
constexpr unsigned kHeaderPrdtlShift = 16;

struct TaskFile {
  std::uint8_t command = 0;
  std::uint8_t device = 0;
  std::uint16_t features = 0;
  std::uint16_t count = 0;
  std::uint64_t lba = 0;
};

void store(CommandFis& fis, const TaskFile& task_file) {
  fis.type = kFisRegisterH2d;
  fis.command_bit = kFisCommandBit;
  fis.command = task_file.command;
  fis.features_low = static_cast<std::uint8_t>(task_file.features);
  fis.lba_0 = static_cast<std::uint8_t>(task_file.lba);
  fis.lba_1 = static_cast<std::uint8_t>(task_file.lba >> 8);
  fis.lba_2 = static_cast<std::uint8_t>(task_file.lba >> 16);
  fis.device = task_file.device;
  fis.lba_3 = static_cast<std::uint8_t>(task_file.lba >> 24);
  fis.lba_4 = static_cast<std::uint8_t>(task_file.lba >> 32);
  fis.lba_5 = static_cast<std::uint8_t>(task_file.lba >> 40);
  fis.features_high = static_cast<std::uint8_t>(task_file.features >> 8);
  fis.count_low = static_cast<std::uint8_t>(task_file.count);
  fis.count_high = static_cast<std::uint8_t>(task_file.count >> 8);
  fis.icc = 0;
  fis.control = 0;
  for (std::uint8_t& byte : fis.auxiliary) byte = 0;
}

Prd* prds_of(CommandTable& table) { return reinterpret_cast<Prd*>(&table + 1); }

void store(Prd& prd, std::uint64_t address, std::uint32_t bytes) {
  prd.address_low.set(static_cast<std::uint32_t>(address));
  prd.address_high.set(static_cast<std::uint32_t>(address >> 32));
  prd.reserved.set(0);
  prd.count.set(bytes - 1U);
}

// The same cutting as measure() counted.
void store_scatter_list(const Segment* segments, std::uint32_t count, Prd* prd) {
  for (std::uint32_t i = 0; i < count; ++i) {
    std::uint64_t address = segments[i].bus_address;
    std::uint32_t left = segments[i].bytes;
    while (left > kPrdLimit_bytes) {
      store(*prd++, address, kPrdLimit_bytes);
      address += kPrdLimit_bytes;
      left -= kPrdLimit_bytes;
    }
    store(*prd++, address, left);
  }
}

std::uint8_t opcode_of(const Request& request, bool dma) {
  if (request.operation == Operation::flush) return kFlushCacheExt;
  const bool write = request.operation == Operation::write;
  if (!dma) return write ? kWriteSectorsExt : kReadSectorsExt;
  if (!write) return kReadDmaExt;
  return request.force_unit_access ? kWriteDmaFuaExt : kWriteDmaExt;
}

// ACS-3, 7.22 and 7.58: the tag stands in count(7:3), the number of sectors in features; 65536 is 0 in 16 bits.
TaskFile queued_task_file(const Request& request, unsigned tag) {
  TaskFile task_file;
  task_file.command = request.operation == Operation::write ? kWriteFpdmaQueued : kReadFpdmaQueued;
  task_file.device = kDeviceLba;
  if (request.force_unit_access) task_file.device |= kDeviceFua;
  task_file.features = static_cast<std::uint16_t>(request.sectors);
  task_file.count = static_cast<std::uint16_t>(tag << 3);
  task_file.lba = request.lba;
  return task_file;
}

TaskFile plain_task_file(const Request& request, bool dma) {
  TaskFile task_file;
  task_file.command = opcode_of(request, dma);
  task_file.device = kDeviceLba;
  if (request.operation != Operation::flush) {
    task_file.count = static_cast<std::uint16_t>(request.sectors);
    task_file.lba = request.lba;
  }
  return task_file;
}

}  // namespace

ScatterSize measure(const Segment* segments, std::uint32_t count, std::uint64_t highest_address) {
  ScatterSize size;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Segment& segment = segments[i];
    const bool odd = (segment.bus_address & 1U) != 0 || (segment.bytes & 1U) != 0;
    if (odd || segment.bytes == 0 || segment.bus_address > highest_address ||
        segment.bytes - 1U > highest_address - segment.bus_address) {
      size.legal = false;
      return size;
    }
    size.bytes += segment.bytes;
    size.prds += (segment.bytes - 1U) / kPrdLimit_bytes + 1U;
  }
  return size;
}

void build_command(const Request& request, bool dma, unsigned tag, CommandHeader& header, CommandTable& table) {
  store(table.command_fis, request.driver.queued ? queued_task_file(request, tag) : plain_task_file(request, dma));
  std::uint32_t flags = kHeaderFisDwords;
  if (request.operation == Operation::write) flags |= kHeaderWrite;
  if (request.operation != Operation::flush) {
    store_scatter_list(request.segments, request.segment_count, prds_of(table));
    flags |= static_cast<std::uint32_t>(request.driver.prds) << kHeaderPrdtlShift;
  }
  header.flags.set(flags);
  header.prd_bytes.set(0);
}

void build_identify(std::uint64_t buffer_address, CommandHeader& header, CommandTable& table) {
  TaskFile task_file;
  task_file.command = kIdentifyDevice;
  store(table.command_fis, task_file);
  store(*prds_of(table), buffer_address, 512);
  header.flags.set(kHeaderFisDwords | 1U << kHeaderPrdtlShift);
  header.prd_bytes.set(0);
}

}  // namespace ncqlab::driver
