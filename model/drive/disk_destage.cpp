// From the volatile cache to the platter: which dirty data go next, when they compete with commands, and flush.
#include <algorithm>

#include "model/drive/disk.h"

namespace ncqlab::drive {

// Does a write wait that only destaging lets in?
bool Disk::destage_for_room() const {
  if (throttled_.empty()) return false;
  const Slot& slot = slots_[throttled_.front()];
  return !slot.through || !buffer_has_room_for(slot.command.sectors);
}

void Disk::watch_marks() {
  if (precedence_ != Precedence::destaging) return;
  const auto held = static_cast<double>(dirty_.held_sectors());
  const auto limit = static_cast<double>(dirty_.limit_sectors());
  const Destaging& destaging = profile_.destaging;
  draining_ = !dirty_.empty() && held > limit * (draining_ ? destaging.low_fraction : destaging.high_fraction);
}

// The dirty run that the head reaches first; for a read or a flush that waits, among what it waits for.
Extent Disk::next_destage(sim::Time start, Location& location) const {
  const Geometry& geometry = mechanism_.geometry();
  if (!forced_reads_.empty()) {
    const Command& read = slots_[forced_reads_.front()].command;
    if (const auto run = dirty_.first_within(read.lba, read.lba + read.sectors)) {
      location = mechanism_.locate(run->first);
      return *run;
    }
  }
  Extent best;
  sim::Time best_time = sim::kNever;
  const auto consider = [&](const Extent& extent) {
    const Location there = mechanism_.locate(extent.first);
    // What follows the last pass directly needs no movement and no preparation.
    const sim::Time time = extent.first == arm_lba_ ? 0
                                                    : mechanism_.positioning(geometry.angle_at(start), there, true,
                                                                             profile_.queue.rotational_guard);
    if (time < best_time) {
      best_time = time;
      best = extent;
      location = there;
    }
  };
  if (flush_pending_) {
    // Of what the flush waits for, some may be in a write that waits for the arm itself.
    flushing_.visit_from(arm_lba_, profile_.destaging.candidates, [&](const Extent& extent) {
      if (const auto run = dirty_.first_within(extent.first, extent.end)) consider(*run);
    });
  }
  if (best_time == sim::kNever) dirty_.visit_from(arm_lba_, profile_.destaging.candidates, consider);
  return best;
}

void Disk::start_destage() {
  if (arm_ == Arm::reading) end_read_ahead();
  last_was_destage_ = true;
  const sim::Time start = now_ + profile_.overheads.media_access;
  Location location;
  const Extent next = next_destage(start, location);
  begin_movement(next.first == arm_lba_ ? now_ : start, next.first, location, true);
  const std::uint64_t most = profile_.destaging.pass_bytes / kSector_bytes;
  const Extent wanted{next.first, std::min(next.end, next.first + most)};
  const Extent possible = lay_write_trouble(wanted, 0, kTags);
  if (physical_.several()) read_before_last(wanted, read_before_first(wanted));
  pass_lost_end_ = possible.end + 1;
  dirty_.take(next.first, (pass_fails_at_ ? pass_lost_end_ : possible.end) - next.first);
  begin_write_pass(Arm::destaging, possible);
}

void Disk::end_destage() {
  end_write_pass();
  Extent taken = writing_;
  if (pass_fails_at_) {
    taken.end = *pass_fails_at_ + 1;
    flushing_.remove(*pass_fails_at_, taken.end);
    if (!lost_) lost_ = pass_fails_at_;
  }
  dirty_.destaged(taken);
  ++statistics_.destage_passes;
  statistics_.destaged_sectors += writing_.sectors();
  watch_marks();
  admit_throttled();
  if (!forced_reads_.empty()) resume_forced_reads();
  finish_flush_when_clean();
}

// ---- reads that the write cache must not answer

bool Disk::waits_for_destage(const Command& read) const {
  return dirty_.first_within(read.lba, read.lba + read.sectors).has_value();
}

// FUA: from the platter, after what is dirty of it has got there. A destage under way has the arm, so that the read
// comes behind it anyway.
void Disk::eligible_forced_read(Slot& slot) {
  if (waits_for_destage(slot.command)) return forced_reads_.push_back(slot.command.tag);
  wait_for_arm(slot, slot.command.lba);
}

void Disk::resume_forced_reads() {
  for (std::size_t i = 0; i < forced_reads_.size();) {
    Slot& slot = slots_[forced_reads_[i]];
    if (waits_for_destage(slot.command)) {
      ++i;
      continue;
    }
    forced_reads_.erase(forced_reads_.begin() + static_cast<std::ptrdiff_t>(i));
    wait_for_arm(slot, slot.command.lba);
  }
}

// ---- flush

// It covers what is complete when it comes: what is dirty, the pass under way, and writes on their way to the platter
// that replaced dirty data. Later writes do not prolong it. It fails with the first dirty sector that could not be
// written since the last one; what is still dirty then goes with the next flush (ACS-3, 7.10).
void Disk::begin_flush() {
  flush_pending_ = true;
  flush_start_.passes = statistics_.destage_passes;
  flush_start_.sectors = statistics_.destaged_sectors;
  flushing_ = dirty_;
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    const Command& command = slots_[waiting_[i].tag].command;
    if (waiting_[i].write) flushing_.add(command.lba, command.lba + command.sectors);
  }
  flush_waits_for_pass_ = arm_ == Arm::destaging || arm_ == Arm::writing_command;
  finish_flush_when_clean();
}

void Disk::finish_flush_when_clean() {
  if (!flush_pending_ || (!lost_ && (!flushing_.empty() || flush_waits_for_pass_))) return;
  flush_pending_ = false;
  last_flush_ = {statistics_.destage_passes - flush_start_.passes, statistics_.destaged_sectors - flush_start_.sectors,
                 now_ - flush_start_.time};
  slots_[kNonQueuedTag].failed_lba = lost_.value_or(0);
  agenda_.add({now_, lost_ ? AgendaItem::What::command_failed : AgendaItem::What::command_done, kNonQueuedTag});
  lost_.reset();
}

}  // namespace ncqlab::drive
