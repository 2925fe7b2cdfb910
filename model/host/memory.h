// Guest memory of the lab: a sparse 64-bit address space of blocks, each contiguous for the CPU.
//
// Addresses are handed out upwards from a base, with a guard gap behind every block, and depend on nothing but the
// order and the sizes of the allocations. Above 4 GiB by default, so that a driver which forgets the upper halves of
// the addresses is found out at once. A buffer may be scattered: its pages lie in any order, none beside the next, so
// that a driver which takes what is contiguous for the CPU for contiguous on the bus is found out too.
//
// Without coherence the device's view and the CPU's are two copies, as with caches that the bus does not snoop. They
// meet only where driver/platform.h says: a forgotten sync shows as stale data. Bytes are kept apart, not cache lines.
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
  bool coherent = true;

  // For controllers and drivers that know 32-bit addresses only.
  static MemoryOptions below_4gib() { return {0x10'0000, 0x1'0000'0000, 4096, true}; }
  // For drivers of controllers that drop the bits above 42, as ASMedia's ASM1061 does.
  static MemoryOptions above_43_bits() { return {0x800'0000'0000, 0xFFFF'FFFF'FFFF'F000, 4096, true}; }
};

struct Block {
  std::uint8_t* cpu = nullptr;
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
};

// Contiguous for the CPU; on the bus only inside each granule.
struct ScatteredBlock {
  std::uint8_t* cpu = nullptr;
  std::uint64_t bytes = 0;
  std::uint64_t granule_bytes = 0;
  std::vector<std::uint64_t> addresses;  // of the granules

  std::uint64_t address_of(std::uint64_t offset) const {
    return addresses[offset / granule_bytes] + offset % granule_bytes;
  }
};

class Memory final : public DmaTarget {
 public:
  explicit Memory(const MemoryOptions& options = {});

  bool coherent() const { return options_.coherent; }

  // Zeroed. `alignment` is a power of two, at least 1, and holds for the address and (up to 4096) for the CPU's
  // pointer. Throws std::invalid_argument for 0 bytes or another alignment, std::length_error when the address space is
  // full.
  Block allocate(std::uint64_t bytes, std::uint64_t alignment);
  // Zeroed; granules of whole pages of 4096 bytes, aligned to a page. Throws as allocate(), std::invalid_argument for
  // another granule.
  ScatteredBlock allocate_scattered(std::uint64_t bytes, std::uint64_t granule_bytes);

  // The CPU's view of [address, address + bytes), or nullptr when that is not inside one block or granule.
  std::uint8_t* translate(std::uint64_t address, std::uint64_t bytes);

  // The seam's ordering calls (driver/platform.h), for [address, address + bytes) inside one block or granule; nothing
  // in coherent memory. Throw std::out_of_range elsewhere.
  // What the CPU has stored there by now is seen by the device after the next write_barrier().
  void sync_for_device(std::uint64_t address, std::uint64_t bytes);
  void write_barrier();
  // What the device has stored there by now is seen by the CPU at once.
  void sync_for_cpu(std::uint64_t address, std::uint64_t bytes);

  // The device's view. Error outside of the blocks; never pending.
  Answer access(const DmaAccess& access, DmaCompletion* completion) override;

 private:
  struct Release {
    void operator()(std::uint8_t* bytes) const;
  };
  using Bytes = std::unique_ptr<std::uint8_t[], Release>;
  struct Range {
    std::uint64_t address;
    std::uint64_t bytes;
    std::uint8_t* cpu;
    std::uint8_t* device;
  };
  struct Synced {
    std::uint8_t* device;
    std::vector<std::uint8_t> bytes;
  };

  std::uint64_t take_addresses(std::uint64_t bytes, std::uint64_t alignment);
  Range take_bytes(std::uint64_t bytes);
  const Range* find(std::uint64_t address, std::uint64_t bytes);
  const Range& found(std::uint64_t address, std::uint64_t bytes);

  MemoryOptions options_;
  std::uint64_t next_;
  std::uint64_t shuffles_ = 0;
  std::vector<Bytes> bytes_;
  std::vector<Range> ranges_;                 // by address
  std::array<std::uint32_t, 2048> recent_{};  // by page: the range that was found there last
  std::vector<Synced> synced_;                // until the next barrier
};

}  // namespace ncqlab::host
