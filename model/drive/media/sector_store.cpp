#include "model/drive/media/sector_store.h"

#include <algorithm>
#include <cstring>

namespace ncqlab::drive {

namespace {

// Bits `first` to `end` - 1 of 64.
constexpr std::uint64_t bits(std::uint64_t first, std::uint64_t end) {
  const std::uint64_t below_end = end >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << end) - 1;
  return first >= 64 ? 0 : below_end & ~((std::uint64_t{1} << first) - 1);
}

}  // namespace

std::uint64_t SectorStore::mask_within(std::uint64_t number, const Extent& extent) {
  const std::uint64_t first = number * kBlock_sectors;
  if (extent.end <= first) return 0;
  return bits(std::max(extent.first, first) - first, extent.end - first);
}

SectorStore::Run SectorStore::run_at(std::uint64_t lba, std::uint32_t sectors) const {
  const std::uint64_t end = lba + sectors;
  auto block = blocks_.lower_bound(lba / kBlock_sectors);
  const auto stored_at = [&](std::uint64_t at) {
    return block != blocks_.end() && block->first == at / kBlock_sectors &&
           (block->second.stored >> at % kBlock_sectors & 1) != 0;
  };
  const bool stored = stored_at(lba);
  std::uint64_t at = lba;
  while (at < end && stored_at(at) == stored) {
    if (block == blocks_.end()) {
      at = end;
    } else if (block->first > at / kBlock_sectors) {  // nothing before that block
      at = std::min(end, block->first * kBlock_sectors);
    } else if (++at % kBlock_sectors == 0) {
      ++block;
    }
  }
  return {static_cast<std::uint32_t>(at - lba), stored};
}

void SectorStore::read(std::uint64_t lba, std::uint32_t sectors, std::uint8_t* buffer) const {
  auto block = blocks_.find(lba / kBlock_sectors);
  for (std::uint32_t i = 0; i < sectors; ++i, ++lba, buffer += kSector_bytes) {
    const auto sector = static_cast<std::uint32_t>(lba % kBlock_sectors);
    if (i != 0 && sector == 0) ++block;
    if ((block->second.patterned >> sector & 1) != 0) {
      pattern_->fill(lba, block->second.keys->of[sector], buffer);
    } else {
      std::memcpy(buffer, bytes_of(block->second, sector), kSector_bytes);
    }
  }
}

std::uint8_t* SectorStore::room_for(Block& block, std::uint32_t sector) {
  auto& group = block.groups[sector / kGroup_sectors];
  if (group == nullptr) group.reset(new Group);  // not make_unique: that would fill it with zeros first
  return bytes_of(block, sector);
}

void SectorStore::write(std::uint64_t lba, std::uint32_t sectors, const std::uint8_t* data) {
  auto block = blocks_.end();
  for (std::uint32_t i = 0; i < sectors; ++i, ++lba, data += kSector_bytes) {
    const auto sector = static_cast<std::uint32_t>(lba % kBlock_sectors);
    if (i == 0 || sector == 0) block = blocks_.try_emplace(lba / kBlock_sectors).first;
    Block& to = block->second;
    const std::uint64_t bit = std::uint64_t{1} << sector;
    std::uint64_t key = 0;
    to.stored |= bit;
    if (pattern_ != nullptr && pattern_->recognise(lba, data, key)) {
      if (to.keys == nullptr) to.keys.reset(new Keys);
      to.keys->of[sector] = key;
      to.patterned |= bit;
    } else {
      std::memcpy(room_for(to, sector), data, kSector_bytes);
      to.patterned &= ~bit;
    }
  }
}

// Memory of groups that hold nothing any more goes with them.
void SectorStore::forget(Block& block, std::uint64_t mask) {
  block.stored &= ~mask;
  block.patterned &= ~mask;
  const std::uint64_t raw = block.stored & ~block.patterned;
  for (std::uint32_t group = 0; group < block.groups.size(); ++group) {
    if ((raw >> group * kGroup_sectors & 0xFF) == 0) block.groups[group].reset();
  }
}

void SectorStore::erase(const Extent& extent) {
  auto block = blocks_.lower_bound(extent.first / kBlock_sectors);
  while (block != blocks_.end() && block->first * kBlock_sectors < extent.end) {
    forget(block->second, mask_within(block->first, extent));
    block = block->second.stored == 0 ? blocks_.erase(block) : std::next(block);
  }
}

// A whole group of bytes changes hands.
void SectorStore::move_block(Block& from, Block& to, std::uint64_t mask) const {
  const std::uint64_t moving = from.stored & mask;
  const std::uint64_t patterned = from.patterned & mask;
  if (patterned != 0 && to.keys == nullptr) to.keys.reset(new Keys);
  for (std::uint32_t group = 0; group < from.groups.size(); ++group) {
    const std::uint32_t first = group * kGroup_sectors;
    const std::uint64_t here = bits(first, first + kGroup_sectors);
    if ((moving & ~patterned & here) == here && to.groups[group] == nullptr) {
      to.groups[group] = std::move(from.groups[group]);
      continue;
    }
    if ((moving & here) == 0) continue;
    for (std::uint32_t sector = first; sector < first + kGroup_sectors; ++sector) {
      if ((moving >> sector & 1) == 0) continue;
      if ((patterned >> sector & 1) != 0) {
        to.keys->of[sector] = from.keys->of[sector];
      } else {
        std::memcpy(room_for(to, sector), bytes_of(from, sector), kSector_bytes);
      }
    }
  }
  to.stored |= moving;
  to.patterned = (to.patterned & ~moving) | patterned;
  forget(from, moving);
}

void SectorStore::move_to(SectorStore& other, const Extent& extent) {
  auto block = blocks_.lower_bound(extent.first / kBlock_sectors);
  while (block != blocks_.end() && block->first * kBlock_sectors < extent.end) {
    const std::uint64_t mask = mask_within(block->first, extent);
    if ((block->second.stored & mask) != 0) move_block(block->second, other.blocks_[block->first], mask);
    block = block->second.stored == 0 ? blocks_.erase(block) : std::next(block);
  }
}

}  // namespace ncqlab::drive
