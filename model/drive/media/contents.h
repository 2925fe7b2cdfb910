// What the sectors of a disk hold: sparse, in blocks of 4 KiB made when first written. A sector that was never written
// holds what the factory left there.
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "model/drive/profile.h"

namespace ncqlab::drive {

// What never-written sectors read as. A test oracle installs a pattern that names the LBA, so that data from a wrong
// place are recognised; without one they read as zeros.
class FactoryContents {
 public:
  virtual void fill(std::uint64_t lba, std::uint32_t sectors, std::uint8_t* buffer) const = 0;

 protected:
  ~FactoryContents() = default;
};

class Contents;

// Wants to know when what a host has written must last (FLUSH CACHE), such as a file behind the disk.
class FlushListener {
 public:
  virtual void flushed(const Contents& contents) = 0;

 protected:
  ~FlushListener() = default;
};

class Contents {
 public:
  explicit Contents(const FactoryContents* factory = nullptr) : factory_(factory) {}

  void read(std::uint64_t lba, std::uint32_t sectors, std::uint8_t* buffer) const;
  void write(std::uint64_t lba, std::uint32_t sectors, const std::uint8_t* data);
  // The sectors are again as the factory left them.
  void discard(std::uint64_t lba, std::uint64_t sectors);

  // Calls visit(LBA, its 512 bytes) for every sector that was written, in LBA order.
  template <class Visit>
  void visit_written(Visit visit) const {
    for (const auto& [number, block] : blocks_) {
      for (std::uint32_t i = 0; i < kBlock_sectors; ++i) {
        if ((block->written >> i & 1) != 0) visit(number * kBlock_sectors + i, block->bytes + i * kSector_bytes);
      }
    }
  }

 private:
  static constexpr std::uint32_t kBlock_sectors = 8;
  struct Block {
    std::uint8_t written = 0;  // bit n: sector n
    std::uint8_t bytes[kBlock_sectors * kSector_bytes];
  };
  void factory_fill(std::uint64_t lba, std::uint32_t sectors, std::uint8_t* buffer) const;

  const FactoryContents* factory_;
  std::map<std::uint64_t, std::unique_ptr<Block>> blocks_;  // by LBA / 8
};

}  // namespace ncqlab::drive
