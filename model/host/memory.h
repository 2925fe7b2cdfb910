// Guest memory: a sparse 64-bit address space of blocks, each contiguous for the CPU too.
//
// Addresses are handed out upwards from a base, with a guard gap behind every block, and depend on nothing but the
// order and the sizes of the allocations. Above 4 GiB by default, so that a driver which forgets the upper halves of
// the addresses is found out at once.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "model/host/dma_target.h"

namespace ncqlab::host {

struct MemoryOptions {
  std::uint64_t base = 0x1'0000'0000;
  std::uint64_t end = 0xFFFF'FFFF'FFFF'F000;  // no block reaches it
  std::uint64_t guard_bytes = 4096;

  // For controllers and drivers that know 32-bit addresses only.
  static MemoryOptions below_4gib() { return {0x10'0000, 0x1'0000'0000, 4096}; }
};

struct Block {
  std::uint8_t* cpu = nullptr;
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
};

class Memory final : public DmaTarget {
 public:
  explicit Memory(const MemoryOptions& options = {});

  // Zeroed. `alignment` is a power of two, at least 1, and holds for the address and (up to 4096) for the CPU's
  // pointer. Throws std::invalid_argument for 0 bytes or another alignment, std::length_error when the address space is
  // full.
  Block allocate(std::uint64_t bytes, std::uint64_t alignment);

  // The CPU's view of [address, address + bytes), or nullptr when that is not inside one block.
  std::uint8_t* translate(std::uint64_t address, std::uint64_t bytes);

  // Error outside of the blocks; never pending.
  Answer access(const DmaAccess& access, DmaCompletion* completion) override;

 private:
  struct Release {
    void operator()(std::uint8_t* bytes) const;
  };
  struct Held {
    std::uint64_t address;
    std::uint64_t bytes;
    std::unique_ptr<std::uint8_t[], Release> cpu;
  };

  MemoryOptions options_;
  std::uint64_t next_;
  std::vector<Held> blocks_;                // by address
  std::array<std::uint32_t, 64> recent_{};  // by page: the block that was found there last
};

}  // namespace ncqlab::host
