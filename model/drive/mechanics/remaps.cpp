#include "model/drive/mechanics/remaps.h"

#include <algorithm>

namespace ncqlab::drive {

std::vector<Remaps::Remap>::const_iterator Remaps::from(std::uint64_t lba) const {
  return std::lower_bound(all_.begin(), all_.end(), lba,
                          [](const Remap& remap, std::uint64_t wanted) { return remap.lba < wanted; });
}

std::uint32_t Remaps::taken(std::uint64_t pool) const {
  return static_cast<std::uint32_t>(
      std::count_if(all_.begin(), all_.end(), [pool](const Remap& remap) { return remap.pool == pool; }));
}

bool Remaps::add(const Geometry& geometry, std::uint64_t lba) {
  const auto place = from(lba);
  if (geometry.spares_per_pool() == 0 || (place != all_.end() && place->lba == lba)) return false;
  const std::uint64_t own = geometry.spare_pool_of(lba);
  const std::uint64_t pools = geometry.spare_pools();
  for (std::uint64_t step = 0; step < pools; ++step) {
    const std::uint64_t pool = own + step < pools ? own + step : pools - 1 - step;
    const std::uint32_t slot = taken(pool);
    if (slot == geometry.spares_per_pool()) continue;
    all_.insert(place, {lba, pool, slot});
    return true;
  }
  return false;
}

void Remaps::correct(const Geometry& geometry, std::uint64_t lba, Location& location) const {
  const auto next = from(lba);
  if (next == all_.end()) return;
  if (next->lba == lba) {
    location = geometry.spare(next->pool, next->slot);
    location.track_end = lba + 1;
  } else {
    location.track_end = std::min(location.track_end, next->lba);
  }
}

}  // namespace ncqlab::drive
