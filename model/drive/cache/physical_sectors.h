// Physical sectors of several LBAs (512e): which LBAs share one, and of which the drive has all data in its buffer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>

#include "model/drive/cache/extent.h"

namespace ncqlab::drive {

class PhysicalSectors {
 public:
  // `lba_0_offset`: LBA 0 is so many LBAs behind the start of its physical sector.
  PhysicalSectors(std::uint64_t sectors, std::uint64_t lba_0_offset) : sectors_(sectors), offset_(lba_0_offset) {}

  bool several() const { return sectors_ > 1; }
  // Whether a physical sector goes on across the border before `lba`.
  bool cut_at(std::uint64_t lba) const { return (lba + offset_) % sectors_ != 0; }
  std::uint64_t of(std::uint64_t lba) const { return (lba + offset_) / sectors_; }
  Extent extent(std::uint64_t number) const {
    const std::uint64_t first = number * sectors_;
    return {first - std::min(first, offset_), first + sectors_ - offset_};
  }

  // What a write will leave of that one is in the buffer, until it is written.
  void keep(std::uint64_t number) { kept_.insert(number); }
  bool take(std::uint64_t number) { return kept_.erase(number) != 0; }
  void clear() { kept_.clear(); }

 private:
  std::uint64_t sectors_;
  std::uint64_t offset_;
  std::set<std::uint64_t> kept_;
};

}  // namespace ncqlab::drive
