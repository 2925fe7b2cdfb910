// Reads: cache hits, hits on what the head is just reading, and movements of the arm with read-ahead and its hold.
#include <algorithm>

#include "model/drive/disk.h"

namespace ncqlab::drive {

namespace {
// The firmware quirk ReadAhead::last_sectors_limit concerns so many sectors at the end of the disk.
constexpr std::uint64_t kEndOfDisk_sectors = 2048;
}  // namespace

std::uint64_t Disk::reading_end(std::uint64_t demand_end, std::uint64_t beyond_bytes) const {
  std::uint64_t beyond = read_ahead_enabled_ ? beyond_bytes / kSector_bytes : 0;
  const std::uint64_t capacity = mechanism_.geometry().capacity_sectors();
  const std::uint64_t limit = profile_.read_ahead.last_sectors_limit;
  if (limit != 0 && demand_end + kEndOfDisk_sectors > capacity) beyond = std::min(beyond, limit);
  return std::min(capacity, demand_end + beyond);
}

void Disk::eligible_read(Slot& slot) {
  slot.missing = {slot.command.lba, slot.command.lba + slot.command.sectors};
  if (slot.command.force_unit_access) return eligible_forced_read(slot);
  if (!dirty_.empty() || arm_ == Arm::destaging) take_from_write_buffer(slot.missing);
  const auto [lba, end] = slot.missing;
  std::uint64_t media_first = lba;  // what lies before it comes from the cache
  if (lba == end) {
    slot.schedule.set_all(now_);
  } else if (hit_running_pass(slot, media_first)) {
    // scheduled there
  } else if (const auto* segment = segments_.find(lba); segment != nullptr && end <= segment->end) {
    slot.schedule.set_all(now_);
  } else {
    if (segment != nullptr) media_first = std::max(media_first, segment->end);
    return wait_for_arm(slot, media_first);
  }
  ++statistics_.read_hits;
  happen(Happening::What::data_scheduled, slot.command.tag);
}

// Dirty sectors, and those that a destage is just writing, need not be read where they are the beginning or the end.
void Disk::take_from_write_buffer(Extent& missing) const {
  const auto take_in_flight = [&] {
    if (arm_ != Arm::destaging) return;
    if (writing_.first <= missing.first) missing.first = std::max(missing.first, std::min(missing.end, writing_.end));
    if (writing_.end >= missing.end) missing.end = std::min(missing.end, std::max(missing.first, writing_.first));
  };
  take_in_flight();
  if (dirty_.empty()) return;
  missing = dirty_.without_dirty_ends(missing);
  take_in_flight();
}

// What the head has read since the pass began, reads now, or will reach before it stops by itself. When it has stopped
// within the demand the rest needs a movement, to `media_first`.
bool Disk::hit_running_pass(Slot& slot, std::uint64_t& media_first) {
  if (arm_ != Arm::reading || slot.command.force_unit_access) return false;
  const auto [lba, end] = slot.missing;
  const std::uint64_t position = pass_.position(mechanism_, now_, read_ahead_end_);
  std::uint64_t kept = profile_.read_ahead.segment_bytes / kSector_bytes;
  if (profile_.track_buffer.bytes != 0) kept = std::min(kept, buffer_left_for_reads());
  const std::uint64_t oldest = std::max(pass_.first_lba(), position > kept ? position - kept : 0);
  if (lba < oldest || lba >= read_ahead_end_) return false;
  if (end <= position) {
    slot.schedule.set_all(now_);
    return true;
  }
  if (position >= read_ahead_end_) {
    media_first = std::max(lba, position);
    return false;
  }
  const std::uint64_t looked_at = read_ahead_end_;
  read_ahead_end_ = std::max(read_ahead_end_, reading_end(end, profile_.read_ahead.limit_bytes));
  if (troubled()) lay_read_trouble(slot, looked_at, end);
  const sim::Time reached = pass_.reached(mechanism_, end);
  slot.schedule.set_from(pass_, lba, end, now_);
  const std::uint64_t stop = std::min(end, read_ahead_end_);  // sooner where it cannot be read
  if (stop > committed_end_ || stop < end) {
    committed_end_ = stop;
    occupy_arm_until(stop < end ? pass_.reached(mechanism_, stop + 1) : reached);
  }
  return true;
}

// Before the arm leaves: commands that wait for what the head has read meanwhile, or will read within the hold, need no
// movement. True: the arm stays for one of them.
bool Disk::serve_waiting_from_pass() {
  if (waiting_.empty()) return false;
  const std::uint64_t position = pass_.position(mechanism_, now_, read_ahead_end_);
  const std::uint64_t reach = position + profile_.read_ahead.hold_bytes / kSector_bytes;
  const std::uint64_t first = pass_.first_lba();
  for (std::size_t i = waiting_.find_read(0, first, reach); i < waiting_.size();
       i = waiting_.find_read(i, first, reach)) {
    Candidate& candidate = waiting_[i];
    const std::uint64_t lba = candidate.lba;
    if (hit_running_pass(slots_[candidate.tag], candidate.lba)) {
      ++statistics_.read_hits;
      happen(Happening::What::data_scheduled, candidate.tag);
      waiting_.take(now_, i);
    } else {
      if (candidate.lba != lba) candidate.location = mechanism_.locate(candidate.lba);
      ++i;
    }
  }
  return arm_occupied_;
}

void Disk::wait_for_arm(const Slot& slot, std::uint64_t lba) {
  const Command& command = slot.command;
  waiting_.add(now_, lba, mechanism_.locate(lba), command.operation == Operation::write, command.tag,
               command.high_priority && profile_.serial_ata.ncq_priority);
}

void Disk::start_read(const Candidate& chosen) {
  Slot& slot = slots_[chosen.tag];
  const std::uint64_t end = slot.missing.end;
  const sim::Time rotation = begin_movement_for(chosen);
  if (profile_.media_access.zero_latency_fraction > 0) read_from_landing(chosen, pass_.begins_at() - rotation, end);
  arm_ = Arm::reading;
  committed_end_ = reading_end(end, profile_.read_ahead.hold_bytes);
  read_ahead_end_ = std::max(committed_end_, reading_end(end, profile_.read_ahead.limit_bytes));
  std::uint64_t busy_until = committed_end_;
  if (troubled() || media_hooks_ != nullptr) {
    if (troubled()) lay_read_trouble(slot, chosen.lba, end);
    hook_read(slot, chosen.lba, end);
    const bool fails = slot.command.lba + slot.readable < end;
    busy_until = fails ? committed_end_ + 1 : committed_end_;
  }
  occupy_arm_until(pass_.reached(mechanism_, busy_until));
  slot.schedule.set_from(pass_, chosen.lba, end, now_);
  happen(Happening::What::data_scheduled, slot.command.tag);
}

// The demand covers much of the track: the head need not wait for its beginning.
void Disk::read_from_landing(const Candidate& chosen, sim::Time landing, std::uint64_t end) {
  const Location& to = chosen.location;
  const auto share = static_cast<double>(std::min(end, to.track_end) - chosen.lba) / to.sectors_per_track;
  if (share < profile_.media_access.zero_latency_fraction) return;
  pass_.read_from_landing(mechanism_, landing, end);
}

// The arm is wanted elsewhere: what has been read so far becomes a cache segment.
void Disk::end_read_ahead() {
  const std::uint64_t position = pass_.position(mechanism_, now_, read_ahead_end_);
  segments_.store(pass_.first_lba(), position);
  make_room_for_writes();
  pass_.settle_at(mechanism_, position);
  arm_lba_ = position;
  arm_ = Arm::resting;
}

}  // namespace ncqlab::drive
