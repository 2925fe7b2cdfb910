#include "model/host/memory.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <stdexcept>

namespace ncqlab::host {

namespace {
constexpr std::align_val_t kCpuAlignment{4096};
}

void Memory::Release::operator()(std::uint8_t* bytes) const { ::operator delete[](bytes, kCpuAlignment); }

Memory::Memory(const MemoryOptions& options) : options_(options), next_(options.base) {}

Block Memory::allocate(std::uint64_t bytes, std::uint64_t alignment) {
  if (bytes == 0) throw std::invalid_argument("a memory block of 0 bytes");
  if (alignment == 0 || (alignment & (alignment - 1)) != 0) {
    throw std::invalid_argument("a memory block's alignment is a power of two");
  }
  const std::uint64_t padding = (0 - next_) & (alignment - 1);
  const std::uint64_t room = options_.end - next_;
  if (padding > room || bytes > room - padding) throw std::length_error("the guest's address space is full");
  const std::uint64_t address = next_ + padding;

  std::unique_ptr<std::uint8_t[], Release> cpu(new (kCpuAlignment) std::uint8_t[bytes]());
  const Block block{cpu.get(), address, bytes};
  blocks_.push_back({address, bytes, std::move(cpu)});
  next_ = std::min(options_.end - options_.guard_bytes, address + bytes) + options_.guard_bytes;
  return block;
}

std::uint8_t* Memory::translate(std::uint64_t address, std::uint64_t bytes) {
  const auto inside = [&](const Held& block) {
    const std::uint64_t offset = address - block.address;  // wraps to something huge below the block
    return offset < block.bytes && bytes <= block.bytes - offset;
  };
  if (blocks_.empty()) return nullptr;
  std::uint32_t& recent = recent_[address / 4096 % recent_.size()];
  if (!inside(blocks_[recent])) {
    const auto above = std::upper_bound(blocks_.begin(), blocks_.end(), address,
                                        [](std::uint64_t a, const Held& block) { return a < block.address; });
    if (above == blocks_.begin()) return nullptr;
    const auto found = static_cast<std::uint32_t>(above - blocks_.begin()) - 1;
    if (!inside(blocks_[found])) return nullptr;
    recent = found;
  }
  const Held& block = blocks_[recent];
  return block.cpu.get() + (address - block.address);
}

DmaTarget::Answer Memory::access(const DmaAccess& access, DmaCompletion* /*completion*/) {
  std::uint8_t* memory = translate(access.address, access.bytes);
  if (memory == nullptr) return Answer::error;
  if (access.to_memory) {
    std::memcpy(memory, access.buffer, access.bytes);
  } else {
    std::memcpy(access.buffer, memory, access.bytes);
  }
  return Answer::done;
}

}  // namespace ncqlab::host
