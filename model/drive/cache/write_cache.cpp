#include "model/drive/cache/write_cache.h"

#include <algorithm>
#include <iterator>

namespace ncqlab::drive {

void DirtyExtents::add(std::uint64_t first, std::uint64_t end) {
  if (!coalesce_) remove(first, end);
  auto it = extents_.upper_bound(first);
  if (coalesce_ && it != extents_.begin() && std::prev(it)->second >= first) --it;
  while (coalesce_ && it != extents_.end() && it->first <= end) {
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
  return without_dirty_ends({first, end}).sectors() == 0;
}

std::optional<Extent> DirtyExtents::first_within(std::uint64_t first, std::uint64_t end) const {
  auto it = extents_.upper_bound(first);
  if (it != extents_.begin() && std::prev(it)->second > first) --it;
  if (it == extents_.end() || it->first >= end) return std::nullopt;
  return Extent{std::max(first, it->first), std::min(end, it->second)};
}

Extent DirtyExtents::without_dirty_ends(Extent range) const {
  auto it = extents_.upper_bound(range.first);
  if (it != extents_.begin() && std::prev(it)->second > range.first) --it;
  for (; it != extents_.end() && it->first <= range.first && range.first < range.end; ++it) {
    range.first = std::min(range.end, it->second);
  }
  it = extents_.lower_bound(range.end);
  while (it != extents_.begin() && range.first < range.end && (--it)->second >= range.end) {
    range.end = std::max(range.first, it->first);
  }
  return range;
}

Extent DirtyExtents::take(std::uint64_t first, std::uint64_t most_sectors) {
  const auto it = std::prev(extents_.upper_bound(first));
  const Extent taken{first, std::min(it->second, first + most_sectors)};
  remove(taken.first, taken.end);
  in_flight_sectors_ += taken.sectors();
  return taken;
}

}  // namespace ncqlab::drive
