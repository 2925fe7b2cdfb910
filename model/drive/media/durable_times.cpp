#include "model/drive/media/durable_times.h"

#include <iterator>

namespace ncqlab::drive {

void DurableTimes::split_at(std::uint64_t lba) {
  const auto behind = runs_.upper_bound(lba);
  if (behind == runs_.begin()) return;
  Run& run = std::prev(behind)->second;
  if (std::prev(behind)->first == lba || run.end <= lba) return;
  runs_.emplace_hint(behind, lba, run);
  run.end = lba;
}

void DurableTimes::forget(const Extent& extent) {
  split_at(extent.first);
  split_at(extent.end);
  runs_.erase(runs_.lower_bound(extent.first), runs_.lower_bound(extent.end));
}

void DurableTimes::set(const Extent& extent, sim::Time when) {
  if (extent.first >= extent.end) return;
  forget(extent);
  runs_[extent.first] = {extent.end, when};
}

std::optional<sim::Time> DurableTimes::since(std::uint64_t lba) const {
  const auto behind = runs_.upper_bound(lba);
  if (behind == runs_.begin()) return std::nullopt;
  const Run& run = std::prev(behind)->second;
  return lba < run.end ? std::optional<sim::Time>(run.when) : std::nullopt;
}

}  // namespace ncqlab::drive
