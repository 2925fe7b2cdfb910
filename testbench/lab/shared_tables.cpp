#include "testbench/lab/shared_tables.h"

#include <mutex>
#include <vector>

namespace ncqlab::lab {

namespace {

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
        !(entry.mechanics == profile.mechanics)) {
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
