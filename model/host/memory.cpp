#include "model/host/memory.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <stdexcept>
#include <utility>

#include "model/sim/random.h"

namespace ncqlab::host {

namespace {
constexpr std::uint64_t kPage = 4096;
constexpr std::align_val_t kCpuAlignment{kPage};
}  // namespace

void Memory::Release::operator()(std::uint8_t* bytes) const { ::operator delete[](bytes, kCpuAlignment); }

Memory::Memory(const MemoryOptions& options) : options_(options), next_(options.base) {}

std::uint64_t Memory::take_addresses(std::uint64_t bytes, std::uint64_t alignment) {
  const std::uint64_t padding = (0 - next_) & (alignment - 1);
  const std::uint64_t room = options_.end - next_;
  if (padding > room || bytes > room - padding) throw std::length_error("the guest's address space is full");
  const std::uint64_t address = next_ + padding;
  next_ = std::min(options_.end - options_.guard_bytes, address + bytes) + options_.guard_bytes;
  return address;
}

// The CPU's and the device's views of so many bytes; their address is still to be set.
Memory::Range Memory::take_bytes(std::uint64_t bytes) {
  const auto zeroed = [this, bytes] {
    bytes_.emplace_back(new (kCpuAlignment) std::uint8_t[bytes]());
    return bytes_.back().get();
  };
  std::uint8_t* const cpu = zeroed();
  return {0, bytes, cpu, options_.coherent ? cpu : zeroed()};
}

Block Memory::allocate(std::uint64_t bytes, std::uint64_t alignment) {
  if (bytes == 0) throw std::invalid_argument("a memory block of 0 bytes");
  if (alignment == 0 || (alignment & (alignment - 1)) != 0) {
    throw std::invalid_argument("a memory block's alignment is a power of two");
  }
  const std::uint64_t address = take_addresses(bytes, alignment);
  Range range = take_bytes(bytes);
  range.address = address;
  ranges_.push_back(range);
  return {range.cpu, address, bytes};
}

ScatteredBlock Memory::allocate_scattered(std::uint64_t bytes, std::uint64_t granule_bytes) {
  if (bytes == 0) throw std::invalid_argument("a memory block of 0 bytes");
  if (granule_bytes == 0 || granule_bytes % kPage != 0) throw std::invalid_argument("a granule is whole pages");
  const std::uint64_t granules = (bytes - 1) / granule_bytes + 1;
  std::vector<std::uint64_t> places(granules);  // of the ascending addresses: whose they are
  for (std::uint64_t i = 0; i < granules; ++i) places[i] = i;
  for (std::uint64_t i = granules; i > 1; --i) std::swap(places[i - 1], places[sim::mix64(++shuffles_) % i]);

  std::vector<std::uint64_t> ascending(granules);
  for (std::uint64_t& address : ascending) address = take_addresses(granule_bytes, kPage);
  const Range whole = take_bytes(granules * granule_bytes);
  ScatteredBlock block{whole.cpu, bytes, granule_bytes, std::vector<std::uint64_t>(granules)};
  for (std::uint64_t i = 0; i < granules; ++i) {
    const std::uint64_t offset = places[i] * granule_bytes;
    block.addresses[places[i]] = ascending[i];
    ranges_.push_back({ascending[i], granule_bytes, whole.cpu + offset, whole.device + offset});
  }
  return block;
}

const Memory::Range* Memory::find(std::uint64_t address, std::uint64_t bytes) {
  const auto inside = [&](const Range& range) {
    const std::uint64_t offset = address - range.address;  // wraps to something huge below the range
    return offset < range.bytes && bytes <= range.bytes - offset;
  };
  if (ranges_.empty()) return nullptr;
  std::uint32_t& recent = recent_[address / kPage % recent_.size()];
  if (!inside(ranges_[recent])) {
    const auto above = std::upper_bound(ranges_.begin(), ranges_.end(), address,
                                        [](std::uint64_t a, const Range& range) { return a < range.address; });
    if (above == ranges_.begin()) return nullptr;
    const auto nearest = static_cast<std::uint32_t>(above - ranges_.begin()) - 1;
    if (!inside(ranges_[nearest])) return nullptr;
    recent = nearest;
  }
  return &ranges_[recent];
}

std::uint8_t* Memory::translate(std::uint64_t address, std::uint64_t bytes) {
  const Range* range = find(address, bytes);
  return range == nullptr ? nullptr : range->cpu + (address - range->address);
}

const Memory::Range& Memory::found(std::uint64_t address, std::uint64_t bytes) {
  const Range* range = find(address, bytes);
  if (range == nullptr) throw std::out_of_range("memory that nobody has allocated is synchronised");
  return *range;
}

void Memory::sync_for_device(std::uint64_t address, std::uint64_t bytes) {
  if (options_.coherent) return;
  const Range& range = found(address, bytes);
  const std::uint64_t offset = address - range.address;
  synced_.push_back({range.device + offset, {range.cpu + offset, range.cpu + offset + bytes}});
}

void Memory::write_barrier() {
  for (const Synced& synced : synced_) std::copy(synced.bytes.begin(), synced.bytes.end(), synced.device);
  synced_.clear();
}

void Memory::sync_for_cpu(std::uint64_t address, std::uint64_t bytes) {
  if (options_.coherent) return;
  const Range& range = found(address, bytes);
  const std::uint64_t offset = address - range.address;
  std::memcpy(range.cpu + offset, range.device + offset, bytes);
}

DmaTarget::Answer Memory::access(const DmaAccess& access, DmaCompletion* /*completion*/) {
  const Range* range = find(access.address, access.bytes);
  if (range == nullptr) return Answer::error;
  std::uint8_t* const memory = range->device + (access.address - range->address);
  if (access.to_memory) {
    std::memcpy(memory, access.buffer, access.bytes);
  } else {
    std::memcpy(access.buffer, memory, access.bytes);
  }
  return Answer::done;
}

}  // namespace ncqlab::host
