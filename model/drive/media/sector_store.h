// Sectors and their bytes, sparse: what was never stored takes no memory, and what a known pattern can make anew takes
// eight bytes a sector.
//
// Blocks of 64 sectors come into being when one of theirs is stored. Within a block the bytes stand in groups of eight
// sectors (4 KiB), and patterned sectors as keys.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>

#include "model/drive/cache/extent.h"
#include "model/drive/sector.h"

namespace ncqlab::drive {

// Contents that follow from an LBA and a key, such as those that a test oracle writes.
class SectorPattern {
 public:
  // True when the 512 bytes are exactly what fill() makes of `lba` and some key, which it gives.
  virtual bool recognise(std::uint64_t lba, const std::uint8_t* sector, std::uint64_t& key) const = 0;
  virtual void fill(std::uint64_t lba, std::uint64_t key, std::uint8_t* sector) const = 0;

 protected:
  ~SectorPattern() = default;
};

class SectorStore {
 public:
  // Null: everything is kept as bytes.
  explicit SectorStore(const SectorPattern* pattern = nullptr) : pattern_(pattern) {}

  bool empty() const { return blocks_.empty(); }

  // How many of the sectors from `lba` on, at most `sectors`, are alike in being stored or not.
  struct Run {
    std::uint32_t sectors;
    bool stored;
  };
  Run run_at(std::uint64_t lba, std::uint32_t sectors) const;

  // All of them are stored.
  void read(std::uint64_t lba, std::uint32_t sectors, std::uint8_t* buffer) const;
  void write(std::uint64_t lba, std::uint32_t sectors, const std::uint8_t* data);
  void erase(const Extent& extent);
  // Those of the extent that are stored here are stored there instead.
  void move_to(SectorStore& other, const Extent& extent);

  // Calls visit(first LBA, number) for every run of stored sectors within the extent, in LBA order; runs end with their
  // block.
  template <class Visit>
  void visit_runs(const Extent& extent, Visit visit) const;

 private:
  static constexpr std::uint32_t kBlock_sectors = 64;
  static constexpr std::uint32_t kGroup_sectors = 8;
  struct Group {
    std::uint8_t bytes[kGroup_sectors * kSector_bytes];
  };
  struct Keys {
    std::uint64_t of[kBlock_sectors];
  };
  struct Block {
    std::uint64_t stored = 0;     // bit n: sector n
    std::uint64_t patterned = 0;  // and it is a key
    std::unique_ptr<Keys> keys;   // when there is any
    std::array<std::unique_ptr<Group>, kBlock_sectors / kGroup_sectors> groups;
  };
  using Blocks = std::map<std::uint64_t, Block>;  // by LBA / 64

  static std::uint8_t* bytes_of(const Block& block, std::uint32_t sector) {
    return block.groups[sector / kGroup_sectors]->bytes + std::size_t{sector % kGroup_sectors} * kSector_bytes;
  }
  static std::uint8_t* room_for(Block& block, std::uint32_t sector);
  // The bits of a block's sectors that lie within the extent.
  static std::uint64_t mask_within(std::uint64_t number, const Extent& extent);
  static void forget(Block& block, std::uint64_t mask);
  void move_block(Block& from, Block& to, std::uint64_t mask) const;

  const SectorPattern* pattern_;
  Blocks blocks_;
};

template <class Visit>
void SectorStore::visit_runs(const Extent& extent, Visit visit) const {
  for (auto block = blocks_.lower_bound(extent.first / kBlock_sectors); block != blocks_.end(); ++block) {
    const std::uint64_t first = block->first * kBlock_sectors;
    if (first >= extent.end) return;
    const std::uint64_t stored = block->second.stored & mask_within(block->first, extent);
    for (std::uint32_t sector = 0; sector < kBlock_sectors; ++sector) {
      if ((stored >> sector & 1) == 0) continue;
      std::uint32_t end = sector + 1;
      while (end < kBlock_sectors && (stored >> end & 1) != 0) ++end;
      visit(first + sector, end - sector);
      sector = end;
    }
  }
}

}  // namespace ncqlab::drive
