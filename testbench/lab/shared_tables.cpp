#include "testbench/lab/shared_tables.h"

#include <mutex>
#include <vector>

namespace ncqlab::lab {

namespace {

bool same(const drive::Mechanics& a, const drive::Mechanics& b) {
  return a.rpm == b.rpm && a.heads == b.heads && a.zones.count == b.zones.count &&
         a.zones.outer_sectors_per_track == b.zones.outer_sectors_per_track &&
         a.zones.middle_sectors_per_track == b.zones.middle_sectors_per_track &&
         a.zones.inner_sectors_per_track == b.zones.inner_sectors_per_track && a.head_skew == b.head_skew &&
         a.cylinder_skew == b.cylinder_skew && a.head_switch == b.head_switch &&
         a.seek.single_cylinder == b.seek.single_cylinder && a.seek.exponent == b.seek.exponent &&
         a.seek.knee_fraction == b.seek.knee_fraction && a.seek.knee == b.seek.knee &&
         a.seek.full_stroke == b.seek.full_stroke && a.write_settle == b.write_settle;
}

struct Entry {
  drive::Mechanics mechanics;
  std::uint64_t capacity_sectors;
  std::uint64_t layout;
  std::weak_ptr<const drive::MechanicsTables> tables;
};

}  // namespace

std::shared_ptr<const drive::MechanicsTables> shared_tables(const drive::Profile& profile, drive::Layout layout) {
  static std::mutex mutex;
  static std::vector<Entry> entries;
  const std::lock_guard<std::mutex> lock(mutex);
  for (Entry& entry : entries) {
    if (entry.layout != layout.number || entry.capacity_sectors != profile.capacity_sectors ||
        !same(entry.mechanics, profile.mechanics)) {
      continue;
    }
    if (auto tables = entry.tables.lock()) return tables;
    entry = entries.back();
    entries.pop_back();
    break;
  }
  auto tables = std::make_shared<const drive::MechanicsTables>(profile.mechanics, profile.capacity_sectors, layout);
  entries.push_back({profile.mechanics, profile.capacity_sectors, layout.number, tables});
  return tables;
}

}  // namespace ncqlab::lab
