// Writes: into the volatile cache or through to the platter, destaging, flush.
#include <algorithm>

#include "model/drive/disk.h"

namespace ncqlab::drive {

namespace {
// A pass of the head over dirty data frees the cache when it ends; longer runs go on in the next pass without a loss.
constexpr std::uint64_t kDestagePass_sectors = 2048;
// Dirty extents looked at for the nearest, from the arm's place upwards in LBA order.
constexpr unsigned kDestageCandidates = 16;
}  // namespace

void Disk::eligible_write(Slot& slot) {
  slot.through = !write_cache_enabled_ || slot.command.force_unit_access;
  if (slot.through) return happen(Happening::What::buffer_ready, slot.command.tag);
  if (throttled_.empty() && admit(slot)) return;
  ++statistics_.throttled_writes;
  throttled_.push_back(slot.command.tag);
}

bool Disk::admit(Slot& slot) {
  // A write larger than the whole cache is let in alone, and counts until it has been destaged.
  const bool cache_is_empty = dirty_.empty() && reserved_sectors_ == 0 && arm_ != Arm::destaging;
  if (!cache_is_empty && !dirty_.has_room_for(reserved_sectors_ + slot.command.sectors, reserved_entries_ + 1)) {
    return false;
  }
  reserved_sectors_ += slot.command.sectors;
  ++reserved_entries_;
  happen(Happening::What::buffer_ready, slot.command.tag);
  return true;
}

void Disk::admit_throttled() {
  while (!throttled_.empty() && admit(slots_[throttled_.front()])) throttled_.pop_front();
}

void Disk::host_data_complete(sim::Time now, unsigned tag) {
  now_ = now;
  Slot& slot = slots_[tag];
  const std::uint64_t first = slot.command.lba;
  const std::uint64_t end = first + slot.command.sectors;
  segments_.drop(first, end);
  if (arm_ == Arm::reading && first < read_ahead_end_ && pass_.first_lba() < end) {
    // The running segment is stale from here on: keep what lies before.
    read_ahead_end_ = std::max(committed_end_, pass_.position(mechanism_, now_, read_ahead_end_));
    if (!arm_occupied_) {
      end_read_ahead();
      segments_.drop(first, end);
    }
  }
  if (slot.through) {
    dirty_.remove(first, end);  // the older copy must not overwrite this one later
    wait_for_arm(slot, first);
    admit_throttled();
  } else {
    reserved_sectors_ -= slot.command.sectors;
    --reserved_entries_;
    dirty_.add(first, end);
    release(tag);
    happen(Happening::What::done, tag);
  }
  start_next();
}

void Disk::start_write(const Candidate& chosen) {
  Slot& slot = slots_[chosen.tag];
  begin_movement_for(chosen);
  arm_tag_ = slot.command.tag;
  slot.in_arm = true;
  begin_write_pass(Arm::writing_command, {slot.command.lba, slot.command.lba + slot.command.sectors});
}

void Disk::start_destage() {
  if (arm_ == Arm::reading) end_read_ahead();
  last_was_destage_ = true;
  const Geometry& geometry = mechanism_.geometry();
  const sim::Time start = now_ + profile_.overheads.media_access;
  std::uint64_t best = 0;
  Location best_location;
  sim::Time best_time = sim::kNever;
  dirty_.visit_from(arm_lba_, kDestageCandidates, [&](const Extent& extent) {
    const Location location = geometry.locate(extent.first);
    // What follows the last pass directly needs no movement and no preparation.
    const sim::Time time = extent.first == arm_lba_ ? 0
                                                    : mechanism_.positioning(geometry.angle_at(start), location, true,
                                                                             profile_.queue.rotational_guard);
    if (time < best_time) {
      best_time = time;
      best = extent.first;
      best_location = location;
    }
  });
  begin_movement(best == arm_lba_ ? now_ : start, best, best_location, true);
  begin_write_pass(Arm::destaging, dirty_.take(best, kDestagePass_sectors));
}

void Disk::end_destage() {
  end_write_pass();
  dirty_.destaged(writing_);
  ++statistics_.destage_passes;
  statistics_.destaged_sectors += writing_.sectors();
  admit_throttled();
  finish_flush_when_clean();
}

void Disk::finish_flush_when_clean() {
  if (!flush_pending_ || !dirty_.empty() || arm_ == Arm::destaging) return;
  flush_pending_ = false;
  agenda_.add({now_, AgendaItem::What::command_done, kNonQueuedTag});
}

}  // namespace ncqlab::drive
