#include "model/drive/cache/write_cache.h"

#include <algorithm>
#include <iterator>

namespace ncqlab::drive {

void DirtyExtents::add(std::uint64_t first, std::uint64_t end) {
  auto it = extents_.upper_bound(first);
  if (it != extents_.begin() && std::prev(it)->second >= first) --it;
  while (it != extents_.end() && it->first <= end) {
    first = std::min(first, it->first);
    end = std::max(end, it->second);
    dirty_sectors_ -= it->second - it->first;
    it = extents_.erase(it);
  }
  extents_.emplace_hint(it, first, end);
  dirty_sectors_ += end - first;
}

void DirtyExtents::remove(std::uint64_t first, std::uint64_t end) {
  auto it = extents_.upper_bound(first);
  if (it != extents_.begin() && std::prev(it)->second > first) --it;
  while (it != extents_.end() && it->first < end) {
    const Extent old{it->first, it->second};
    dirty_sectors_ -= old.sectors();
    it = extents_.erase(it);
    if (old.first < first) {
      extents_.emplace(old.first, first);
      dirty_sectors_ += first - old.first;
    }
    if (old.end > end) {
      extents_.emplace(end, old.end);
      dirty_sectors_ += old.end - end;
    }
  }
}

bool DirtyExtents::covers(std::uint64_t first, std::uint64_t end) const {
  auto it = extents_.upper_bound(first);
  return it != extents_.begin() && std::prev(it)->second >= end;
}

Extent DirtyExtents::take(std::uint64_t first, std::uint64_t most_sectors) {
  const auto it = extents_.find(first);
  Extent taken{it->first, it->second};
  extents_.erase(it);
  dirty_sectors_ -= taken.sectors();
  if (taken.sectors() > most_sectors) {
    extents_.emplace(taken.first + most_sectors, taken.end);
    dirty_sectors_ += taken.end - taken.first - most_sectors;
    taken.end = taken.first + most_sectors;
  }
  in_flight_sectors_ += taken.sectors();
  return taken;
}

}  // namespace ncqlab::drive
