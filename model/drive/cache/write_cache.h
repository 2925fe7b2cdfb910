// What the volatile write cache holds that the platter does not: extents of dirty sectors.
//
// Extents taken for destaging are counted until destaged() says that they are on the platter.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "model/drive/cache/extent.h"

namespace ncqlab::drive {

class DirtyExtents {
 public:
  // Adjacent extents are joined when they `coalesce`.
  DirtyExtents(std::uint64_t limit_sectors, unsigned limit_entries, bool coalesce = true)
      : limit_sectors_(limit_sectors), limit_entries_(limit_entries), coalesce_(coalesce) {}

  // For `entries` more extents of so many sectors together.
  bool has_room_for(std::uint64_t sectors, unsigned entries) const {
    return held_sectors() + sectors <= limit_sectors_ &&
           (limit_entries_ == 0 || extents_.size() + entries <= limit_entries_);
  }
  bool empty() const { return extents_.empty(); }
  std::uint64_t dirty_sectors() const { return dirty_sectors_; }
  std::uint64_t held_sectors() const { return dirty_sectors_ + in_flight_sectors_; }  // with those in flight
  std::uint64_t limit_sectors() const { return limit_sectors_; }
  std::size_t entries() const { return extents_.size(); }

  void add(std::uint64_t first, std::uint64_t end);
  // The sectors are no longer dirty (an FUA write replaced them).
  void remove(std::uint64_t first, std::uint64_t end);
  bool covers(std::uint64_t first, std::uint64_t end) const;
  // The lowest run of dirty sectors of one entry within [first, end).
  std::optional<Extent> first_within(std::uint64_t first, std::uint64_t end) const;
  // What is left of `range` when the dirty sectors at its beginning and at its end are taken off.
  Extent without_dirty_ends(Extent range) const;

  // Calls visit(first LBA, extent) for up to `count` extents, from the first one at or behind `lba` upwards in LBA
  // order and around.
  template <class Visit>
  void visit_from(std::uint64_t lba, unsigned count, Visit visit) const {
    auto it = extents_.lower_bound(lba);
    const std::size_t most = extents_.size() < count ? extents_.size() : count;
    for (std::size_t i = 0; i < most; ++i, ++it) {
      if (it == extents_.end()) it = extents_.begin();
      visit(Extent{it->first, it->second});
    }
  }
  // Takes what is dirty from `first` on, to the end of the entry it lies in and at most so many sectors, for destaging.
  Extent take(std::uint64_t first, std::uint64_t most_sectors);
  void destaged(const Extent& extent) { in_flight_sectors_ -= extent.sectors(); }
  void clear() {
    extents_.clear();
    dirty_sectors_ = in_flight_sectors_ = 0;
  }

 private:
  std::map<std::uint64_t, std::uint64_t> extents_;  // first -> end, disjoint; never adjacent when they coalesce
  std::uint64_t limit_sectors_;
  unsigned limit_entries_;
  bool coalesce_;
  std::uint64_t dirty_sectors_ = 0;
  std::uint64_t in_flight_sectors_ = 0;
};

}  // namespace ncqlab::drive
