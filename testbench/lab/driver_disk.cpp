#include "testbench/lab/driver_disk.h"

#include <algorithm>
#include <stdexcept>

#include "testbench/oracle/pattern.h"

namespace ncqlab::lab {

namespace {
// Hosts give a driver a buffer page by page; beyond so many pages the pieces grow instead (the driver's PRD limit).
constexpr std::uint32_t kPage_bytes = 4096;
constexpr std::uint32_t kMostPieces = 128;
constexpr std::uint64_t kSector_bytes = 512;
}  // namespace

DriverDisk::DriverDisk(InProcessCpu& cpu, unsigned port) : cpu_(cpu), port_(port) {
  const driver::DeviceInfo* device = cpu_.ahci().device(port);
  if (device == nullptr) throw std::invalid_argument("the driver has no device on that port");
  capacity_sectors_ = device->sectors;
}

std::uint64_t DriverDisk::capacity_sectors() const { return capacity_sectors_; }

DriverDisk::Slot& DriverDisk::take_slot() {
  if (free_slots_.empty()) {
    Slot& slot = slots_.emplace_back();
    slot.disk = this;
    slot.index = slots_.size() - 1;
    slot.request.done = &DriverDisk::done;
    slot.request.context = &slot;
    return slot;
  }
  Slot& slot = *free_slots_.back();
  free_slots_.pop_back();
  return slot;
}

void DriverDisk::prepare_buffer(Slot& slot, std::uint32_t bytes) {
  const std::uint32_t pages = (bytes + kPage_bytes - 1) / kPage_bytes;
  const std::uint32_t piece = kPage_bytes * ((pages + kMostPieces - 1) / kMostPieces);
  if (slot.buffer.bytes < bytes || slot.buffer.granule_bytes % piece != 0) {
    // Guest memory is never given back: doubling keeps the sum of outgrown buffers below the last.
    const std::uint64_t wanted = std::max<std::uint64_t>({bytes, 2 * slot.buffer.bytes, 16 * kPage_bytes});
    slot.buffer = cpu_.machine().memory().allocate_scattered(wanted, piece);
  }
  slot.segments.clear();
  for (std::uint32_t offset = 0; offset < bytes; offset += piece) {
    slot.segments.push_back({slot.buffer.address_of(offset), std::min(piece, bytes - offset)});
  }
}

void DriverDisk::sync_buffer_for_device(const Slot& slot) {
  host::Memory& memory = cpu_.machine().memory();
  if (memory.coherent()) return;
  for (const driver::Segment& segment : slot.segments) memory.sync_for_device(segment.bus_address, segment.bytes);
}

void DriverDisk::sync_buffer_for_cpu(const Slot& slot) {
  host::Memory& memory = cpu_.machine().memory();
  if (memory.coherent()) return;
  for (const driver::Segment& segment : slot.segments) memory.sync_for_cpu(segment.bus_address, segment.bytes);
}

void DriverDisk::submit(workload::Io& command) {
  Slot& slot = take_slot();
  slot.io = &command;
  slot.number = completions_.submitted(now());
  driver::Request& request = slot.request;
  request.lba = command.lba;
  request.sectors = command.sectors;
  request.force_unit_access = command.force_unit_access;
  request.segments = nullptr;
  request.segment_count = 0;
  if (command.kind == workload::IoKind::flush) {
    request.operation = driver::Operation::flush;
  } else {
    prepare_buffer(slot, static_cast<std::uint32_t>(command.sectors * kSector_bytes));
    request.segments = slot.segments.data();
    request.segment_count = static_cast<std::uint32_t>(slot.segments.size());
    if (command.kind == workload::IoKind::write) {
      request.operation = driver::Operation::write;
      slot.write = data_.write_submitted(command.lba, command.sectors);
      oracle::fill(slot.buffer.cpu, command.lba, command.sectors, slot.write.generation);
      sync_buffer_for_device(slot);
    } else {
      request.operation = driver::Operation::read;
      slot.read = data_.read_submitted(command.lba, command.sectors);
    }
  }
  if (!cpu_.ahci().submit(port_, request)) cpu_.wake_at(now(), refusals_, slot.index);
}

void DriverDisk::done(driver::Request& request) {
  auto& slot = *static_cast<Slot*>(request.context);
  slot.disk->answered(slot);
}

void DriverDisk::answered(Slot& slot) {
  workload::Io& io = *slot.io;
  io.ok = slot.request.status == driver::Status::ok;
  io.completed = now();
  completions_.completed(slot.number, now());
  cpu_.machine().trace().record(
      {now(), sim::Kind::completion, port_, slot.number, static_cast<std::uint64_t>(slot.request.status), io.lba});
  if (!io.ok && ++failed_ == 1) {
    first_failure_ = "request " + std::to_string(slot.number) + ", LBA " + std::to_string(io.lba) + ", " +
                     std::to_string(io.sectors) + " sectors, driver status " +
                     std::to_string(static_cast<unsigned>(slot.request.status));
  }
  if (io.kind == workload::IoKind::write) {
    data_.write_completed(slot.write, io.ok);
  } else if (io.kind == workload::IoKind::read) {
    if (io.ok) {
      sync_buffer_for_cpu(slot);
      data_.read_completed(slot.read, slot.buffer.cpu, now());
    } else {
      data_.read_failed(slot.read);
    }
  }
  free_slots_.push_back(&slot);
  client_->command_completed(io);
}

std::vector<std::string> DriverDisk::findings() {
  completions_.finish(now());
  std::vector<std::string> all = data_.errors();
  all.insert(all.end(), completions_.errors().begin(), completions_.errors().end());
  if (failed_ != 0) {
    all.push_back(std::to_string(failed_) + " requests were answered with an error, the first: " + first_failure_);
  }
  return all;
}

}  // namespace ncqlab::lab
