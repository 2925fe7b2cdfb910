// Sectors that take retries, and those that even retries do not get: revolutions, time limits, failures.
#include <algorithm>

#include "model/drive/disk.h"

namespace ncqlab::drive {

// The head tries again, once a revolution, as often as the time limit allows. False: in vain.
bool Disk::retry(const Trouble& trouble, sim::Time time_limit) {
  const sim::Time revolution = mechanism_.geometry().revolution();
  sim::Time needed = static_cast<sim::Time>(trouble.revolutions) * revolution;
  const bool in_time = time_limit == 0 || needed <= time_limit;
  if (!in_time) needed = time_limit / revolution * revolution;
  pass_.hold_back(mechanism_, trouble.lba, needed);
  return in_time && !trouble.hopeless;
}

// Of a demand the part [from, end), which the pass has not been looked at for yet. The pass ends before a sector that
// cannot be read, and reading ahead gives up before one that takes retries.
void Disk::lay_read_trouble(Slot& slot, std::uint64_t from, std::uint64_t end) {
  const auto stop_at = [this](std::uint64_t lba) {
    read_ahead_end_ = std::min(read_ahead_end_, lba);
    committed_end_ = std::min(committed_end_, lba);
  };
  while (from < end) {
    const auto trouble = trouble_->first_trouble(Operation::read, {from, end});
    if (!trouble) break;
    if (!retry(*trouble, slot.command.time_limit)) {
      slot.readable = static_cast<std::uint32_t>(trouble->lba - slot.command.lba);
      pass_.reached(mechanism_, end);
      return stop_at(trouble->lba);
    }
    from = trouble->lba + 1;
  }
  if (end >= read_ahead_end_) return;
  if (const auto trouble = trouble_->first_trouble(Operation::read, {end, read_ahead_end_})) stop_at(trouble->lba);
}

// What the pass can write of the extent.
Extent Disk::lay_write_trouble(Extent extent, sim::Time time_limit, unsigned tag) {
  pass_fails_at_.reset();
  extent = hook_write(extent, tag);
  for (std::uint64_t from = extent.first; troubled() && from < extent.end;) {
    const auto trouble = trouble_->first_trouble(Operation::write, {from, extent.end});
    if (!trouble) break;
    if (!retry(*trouble, time_limit)) {
      pass_fails_at_ = trouble->lba;
      return {extent.first, trouble->lba};
    }
    from = trouble->lba + 1;
  }
  return extent;
}

}  // namespace ncqlab::drive
