// Writes: into the volatile cache or through to the platter, and the room that their data take.
#include <algorithm>

#include "model/drive/disk.h"

namespace ncqlab::drive {

void Disk::eligible_write(Slot& slot) {
  slot.through = !write_cache_enabled_ || slot.command.force_unit_access;
  if ((slot.through || throttled_.empty()) && admit(slot)) return;
  ++statistics_.throttled_writes;
  throttled_.push_back(slot.command.tag);
}

bool Disk::admit(Slot& slot) {
  if (slot.through) return admit_through(slot);
  const std::uint64_t sectors = slot.command.sectors;
  // A write larger than the whole cache is let in alone, and counts until it has been destaged.
  const bool cache_is_empty = dirty_.empty() && reserved_sectors_ == 0 && arm_ != Arm::destaging;
  if (!cache_is_empty && !dirty_.has_room_for(reserved_sectors_ + sectors, reserved_entries_ + 1)) return false;
  if (!buffer_has_room_for(sectors)) return false;
  reserved_sectors_ += sectors;
  ++reserved_entries_;
  make_room_for_writes();
  happen(Happening::What::buffer_ready, slot.command.tag);
  return true;
}

bool Disk::admit_through(Slot& slot) {
  const std::uint64_t sectors = slot.command.sectors;
  if (early_commands_ >= profile_.write_through.early_commands || !buffer_has_room_for(sectors)) return false;
  ++early_commands_;
  early_sectors_ += sectors;
  make_room_for_writes();
  happen(Happening::What::buffer_ready, slot.command.tag);
  return true;
}

void Disk::admit_throttled() {
  while (!throttled_.empty() && admit(slots_[throttled_.front()])) throttled_.pop_front();
}

// ---- the buffer that reads and writes share

// What is larger than all of it is let in alone.
bool Disk::buffer_has_room_for(std::uint64_t sectors) const {
  const std::uint64_t limit = profile_.track_buffer.bytes / kSector_bytes;
  if (limit == 0) return true;
  const std::uint64_t taken = dirty_.held_sectors() + reserved_sectors_ + early_sectors_;
  return taken == 0 || taken + sectors <= limit;
}

std::uint64_t Disk::buffer_left_for_reads() const {
  const std::uint64_t limit = profile_.track_buffer.bytes / kSector_bytes;
  const std::uint64_t taken = dirty_.held_sectors() + reserved_sectors_ + early_sectors_;
  return taken < limit ? limit - taken : 0;
}

void Disk::make_room_for_writes() {
  if (profile_.track_buffer.bytes != 0) segments_.keep_within(buffer_left_for_reads());
}

// ---- data and passes

void Disk::host_data_complete(sim::Time now, unsigned tag) {
  now_ = now;
  Slot& slot = slots_[tag];
  const std::uint64_t first = slot.command.lba;
  const std::uint64_t end = first + slot.command.sectors;
  if (physical_.several()) keep_rests({first, end});
  drop_read_data({first, end});
  if (slot.through) {
    dirty_.remove(first, end);  // the older copy must not overwrite this one later
    wait_for_arm(slot, first);
    admit_throttled();
  } else {
    reserved_sectors_ -= slot.command.sectors;
    --reserved_entries_;
    dirty_.add(first, end);
    watch_marks();
    admit_throttled();  // what was dirty already needs no room twice
    happen(Happening::What::done, tag);
    release(tag);
  }
  start_next();
}

// What has been read of these sectors is stale.
void Disk::drop_read_data(const Extent& extent) {
  segments_.drop(extent.first, extent.end);
  if (arm_ != Arm::reading || extent.first >= read_ahead_end_ || pass_.first_lba() >= extent.end) return;
  // So is the running segment from there on: keep what lies before.
  read_ahead_end_ = std::max(committed_end_, pass_.position(mechanism_, now_, read_ahead_end_));
  if (arm_occupied_) return;
  end_read_ahead();
  segments_.drop(extent.first, extent.end);
}

void Disk::forget(sim::Time now, const Extent& extent) {
  now_ = now;
  drop_read_data(extent);
  dirty_.remove(extent.first, extent.end);
  flushing_.remove(extent.first, extent.end);
  watch_marks();
  admit_throttled();
  start_next();
}

void Disk::start_write(const Candidate& chosen) {
  Slot& slot = slots_[chosen.tag];
  Extent extent{slot.command.lba, slot.command.lba + slot.command.sectors};
  begin_movement_for(chosen);
  arm_tag_ = slot.command.tag;
  slot.in_arm = true;
  pass_lost_end_ = extent.end;
  extent = lay_write_trouble(extent, slot.command.time_limit, arm_tag_);
  const bool waits = physical_.several() && read_before_first(extent);
  // Where there may be trouble each write has a pass of its own, and its own end.
  if (profile_.write_through.joins_neighbours && !troubled() && media_hooks_ == nullptr) join_neighbours(extent);
  if (physical_.several()) read_before_last(extent, waits);
  begin_write_pass(Arm::writing_command, extent);
}

// Writes that wait and follow directly go in the same pass.
void Disk::join_neighbours(Extent& extent) {
  for (;;) {
    const std::size_t next = waiting_.find_write(extent.end);
    if (next == waiting_.size()) return;
    agenda_.add({pass_.reached(mechanism_, extent.end), AgendaItem::What::write_landed, arm_tag_});
    arm_tag_ = waiting_.take(now_, next).tag;
    Slot& slot = slots_[arm_tag_];
    slot.in_arm = true;
    extent.end += slot.command.sectors;
    ++statistics_.joined_writes;
  }
}

// The last sector of a command is on the platter. It may have been abandoned, its tag used again.
void Disk::write_landed(unsigned tag) {
  Slot& slot = slots_[tag];
  if (!slot.active || !slot.in_arm) return;
  early_sectors_ -= slot.command.sectors;
  --early_commands_;
  auto end = AgendaItem::What::command_done;
  if (pass_fails_at_) {
    end = AgendaItem::What::command_failed;
    slot.failed_lba = *pass_fails_at_;
    flushing_.remove(slot.command.lba, slot.command.lba + slot.command.sectors);
  }
  agenda_.add({now_ + profile_.overheads.write_completion, end, tag});
}

}  // namespace ncqlab::drive
