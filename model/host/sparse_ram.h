// A guest's RAM as a front end sees it: the region [0, size) of bus addresses, readable and writable at any byte by the
// front end and by the controller. A page takes room in this process when something other than 0 is first written to
// it, so a guest of many gibibytes costs what it touches.
//
// Memory (memory.h) is the other kind: the lab's, which hands out blocks with gaps between them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "model/host/dma_target.h"

namespace ncqlab::host {

class SparseRam final : public DmaTarget {
 public:
  static constexpr std::uint64_t kPageBytes = 64 * 1024;
  static constexpr std::uint64_t kLargestBytes = 1ULL << 40;  // the table of pages is then 128 MiB

  // Zeros. Throws std::invalid_argument for 0 bytes and for more than kLargestBytes; `bytes` need not be whole pages.
  explicit SparseRam(std::uint64_t bytes);

  std::uint64_t size_bytes() const { return bytes_; }
  // How much of it is held in this process.
  std::uint64_t resident_bytes() const { return resident_pages_ * kPageBytes; }

  // Whether [address, address + bytes) lies inside; an empty range does up to the very end.
  bool contains(std::uint64_t address, std::uint64_t bytes) const {
    return address <= bytes_ && bytes <= bytes_ - address;
  }

  // False, with nothing copied, when any byte lies outside.
  bool read(std::uint64_t address, void* buffer, std::uint64_t bytes) const;
  bool write(std::uint64_t address, const void* buffer, std::uint64_t bytes);
  bool fill(std::uint64_t address, std::uint8_t value, std::uint64_t bytes);

  // Error when any byte lies outside; never pending.
  Answer access(const DmaAccess& access, DmaCompletion* completion) override;

 private:
  std::uint8_t* touch(std::uint64_t page);

  std::uint64_t bytes_;
  std::vector<std::unique_ptr<std::uint8_t[]>> pages_;  // by number; null is all zeros
  std::uint64_t resident_pages_ = 0;
};

}  // namespace ncqlab::host
