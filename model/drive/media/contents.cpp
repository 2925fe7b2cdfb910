#include "model/drive/media/contents.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace ncqlab::drive {

void Contents::factory_fill(std::uint64_t lba, std::uint32_t sectors, std::uint8_t* buffer) const {
  if (factory_ != nullptr) {
    factory_->fill(lba, sectors, buffer);
  } else {
    std::memset(buffer, 0, static_cast<std::size_t>(sectors) * kSector_bytes);
  }
}

void Contents::read(std::uint64_t lba, std::uint32_t sectors, std::uint8_t* buffer) const {
  const std::uint64_t end = lba + sectors;
  auto next = blocks_.lower_bound(lba / kBlock_sectors);
  while (lba < end) {
    // Up to the next block that exists, everything is as the factory left it.
    const std::uint64_t block_first = next == blocks_.end() ? end : next->first * kBlock_sectors;
    if (lba < block_first) {
      const auto run = static_cast<std::uint32_t>(std::min(end, block_first) - lba);
      factory_fill(lba, run, buffer);
      lba += run;
      buffer += static_cast<std::size_t>(run) * kSector_bytes;
      continue;
    }
    const Block& block = *next->second;
    const auto offset = static_cast<std::uint32_t>(lba - block_first);
    if ((block.written >> offset & 1) != 0) {
      std::memcpy(buffer, block.bytes + offset * kSector_bytes, kSector_bytes);
    } else {
      factory_fill(lba, 1, buffer);
    }
    ++lba;
    buffer += kSector_bytes;
    if (offset + 1 == kBlock_sectors) ++next;
  }
}

void Contents::write(std::uint64_t lba, std::uint32_t sectors, const std::uint8_t* data) {
  while (sectors > 0) {
    auto& block = blocks_[lba / kBlock_sectors];
    if (block == nullptr) block.reset(new Block);  // not make_unique: that would fill it with zeros first
    const auto offset = static_cast<std::uint32_t>(lba % kBlock_sectors);
    const std::uint32_t run = std::min(sectors, kBlock_sectors - offset);
    std::memcpy(block->bytes + offset * kSector_bytes, data, static_cast<std::size_t>(run) * kSector_bytes);
    block->written = static_cast<std::uint8_t>(block->written | (((1U << run) - 1) << offset));
    lba += run;
    data += static_cast<std::size_t>(run) * kSector_bytes;
    sectors -= run;
  }
}

void Contents::discard(std::uint64_t lba, std::uint64_t sectors) {
  const std::uint64_t end = lba + sectors;
  auto block = blocks_.lower_bound(lba / kBlock_sectors);
  while (block != blocks_.end() && block->first * kBlock_sectors < end) {
    const std::uint64_t first = block->first * kBlock_sectors;
    const std::uint64_t from = std::max(lba, first) - first;
    const std::uint64_t to = std::min<std::uint64_t>(end - first, kBlock_sectors);
    const unsigned gone = ((1U << to) - 1) & ~((1U << from) - 1);
    block->second->written = static_cast<std::uint8_t>(block->second->written & ~gone);
    block = block->second->written == 0 ? blocks_.erase(block) : std::next(block);
  }
}

}  // namespace ncqlab::drive
