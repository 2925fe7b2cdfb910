#include "model/drive/disk.h"

#include <algorithm>
#include <stdexcept>

namespace ncqlab::drive {

Disk::Disk(const Profile& profile, std::shared_ptr<const MechanicsTables> tables)
    : profile_(profile),
      mechanism_(std::move(tables)),
      policy_(make_pick_policy(profile.queue, profile.queue_aging)),
      segments_(profile.read_ahead.segments, profile.read_ahead.segment_bytes / kSector_bytes),
      dirty_(profile.write_cache.limit_bytes / kSector_bytes, profile.write_cache.limit_entries,
             profile.destaging.coalesce),
      physical_(profile.mechanics.flash ? 1 : profile.physical_sectors.bytes / kSector_bytes,
                profile.physical_sectors.lba_0_offset),
      write_cache_enabled_(profile.write_cache.enabled) {
  if (policy_ == nullptr) throw std::logic_error("unknown pick policy " + profile.queue.pick_policy);
  const std::string& destaging = profile.destaging.policy;
  precedence_ = destaging == "reads-first" ? Precedence::commands
                : destaging == "watermark" ? Precedence::destaging
                                           : Precedence::alternate;
}

void Disk::submit(sim::Time now, const Command& command) {
  now_ = now;
  Slot& slot = slots_[command.tag];
  if (slot.active) throw std::logic_error("a tag was used twice");
  slot.command = command;
  slot.schedule.clear();
  slot.active = true;
  slot.in_arm = false;
  slot.readable = command.sectors;
  slot.serial = ++submissions_;
  ++outstanding_;
  if (command.operation == Operation::write) ++outstanding_writes_;
  if (command.operation == Operation::flush) flush_start_.time = now;
  idle_destage_ = false;
  ++idle_serial_;
  const Overheads& overheads = profile_.overheads;
  sim::Time overhead = command.operation == Operation::read ? overheads.read_command : overheads.write_command;
  if (command.queued) overhead += overheads.queued_command;
  agenda_.add({now + overhead, AgendaItem::What::command_eligible, command.tag});
}

void Disk::transferred(sim::Time now, unsigned tag) {
  now_ = now;
  release(tag);
}

bool Disk::advance(sim::Time now, Happening& happening) {
  for (;;) {
    if (!happenings_.empty()) {
      happening = happenings_.pop();
      return true;
    }
    if (agenda_.next_time() > now) break;
    const AgendaItem item = agenda_.take();
    now_ = std::max(now_, item.when);
    process(item);
  }
  now_ = now;
  return false;
}

void Disk::process(const AgendaItem& item) {
  switch (item.what) {
    case AgendaItem::What::command_eligible:
      if (slots_[item.argument].active) eligible(item.argument);
      break;
    case AgendaItem::What::command_done:
      if (slots_[item.argument].active) {
        happen(Happening::What::done, item.argument);
        release(item.argument);
      }
      break;
    case AgendaItem::What::command_failed:
      if (slots_[item.argument].active) {
        happen(Happening::What::failed, item.argument, slots_[item.argument].failed_lba);
        release(item.argument);
      }
      break;
    case AgendaItem::What::write_landed:
      write_landed(item.argument);
      break;
    case AgendaItem::What::arm_free:
      if (item.argument == arm_serial_) arm_free();
      break;
    case AgendaItem::What::idle:
      if (item.argument == idle_serial_) {
        idle_destage_ = true;
        start_next();
      }
      break;
  }
}

void Disk::eligible(unsigned tag) {
  Slot& slot = slots_[tag];
  switch (slot.command.operation) {
    case Operation::read:
      ++statistics_.reads;
      break;
    case Operation::write:
      ++statistics_.writes;
      break;
    case Operation::flush:
      begin_flush();
      return start_next();
  }
  if (outstanding_writes_ != 0 && waits_for_older(slot)) {
    ++statistics_.held_commands;
    return held_.push_back(tag);
  }
  begin(slot);
  start_next();
}

void Disk::begin(Slot& slot) { slot.command.operation == Operation::read ? eligible_read(slot) : eligible_write(slot); }

// Commands for the same sectors are served in the order of their arrival when one of them writes.
bool Disk::waits_for_older(const Slot& slot) const {
  const Command& command = slot.command;
  const auto stands_before = [&](const Slot& other) {
    return other.active && other.serial < slot.serial && other.command.lba < command.lba + command.sectors &&
           command.lba < other.command.lba + other.command.sectors &&
           (command.operation == Operation::write || other.command.operation == Operation::write);
  };
  return std::any_of(slots_.begin(), slots_.end(), stands_before);
}

void Disk::resume_held() {
  for (std::size_t i = 0; i < held_.size();) {
    Slot& slot = slots_[held_[i]];
    if (waits_for_older(slot)) {
      ++i;
      continue;
    }
    held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(i));
    begin(slot);
  }
  start_next();
}

void Disk::release(unsigned tag) {
  slots_[tag].active = false;
  if (slots_[tag].command.operation == Operation::write) --outstanding_writes_;
  if (!held_.empty()) resume_held();
  if (--outstanding_ == 0 && !dirty_.empty()) rest_until_idle();
}

void Disk::rest_until_idle() {
  agenda_.add({now_ + profile_.write_cache.destage_after_idle, AgendaItem::What::idle, ++idle_serial_});
}

void Disk::occupy_arm_until(sim::Time when) {
  arm_occupied_ = true;
  arm_free_at_ = when;
  agenda_.add({when, AgendaItem::What::arm_free, ++arm_serial_});
}

void Disk::arm_free() {
  arm_occupied_ = false;
  switch (arm_) {
    case Arm::resting:
    case Arm::reading:
      break;
    case Arm::writing_command: {
      end_write_pass();
      write_landed(arm_tag_);
      admit_throttled();
      finish_flush_when_clean();
      break;
    }
    case Arm::destaging:
      end_destage();
      break;
  }
  start_next();
}

// The arm has nothing that it must finish: what does it do next? Writes that wait for room and reads that wait for the
// arm take turns.
void Disk::start_next() {
  if (arm_occupied_) return;
  if (!dirty_.empty() && destage_urgent() && destage_goes_first()) return start_destage();
  if (arm_ == Arm::reading && serve_waiting_from_pass()) return;
  if (!waiting_.empty()) {
    const sim::Time start = start_of(slots_[waiting_[0].tag].command);
    if (arm_ == Arm::reading) end_read_ahead();
    const Candidate chosen = waiting_.take(now_, waiting_.pick(*policy_, {mechanism_, start, arm_lba_}));
    last_was_destage_ = false;
    return chosen.write ? start_write(chosen) : start_read(chosen);
  }
  if (!dirty_.empty() && (idle_destage_ || destage_urgent())) start_destage();
}

// Destaging that is wanted, against commands that wait for the arm.
bool Disk::destage_goes_first() const {
  if (waiting_.empty()) return true;
  switch (precedence_) {
    case Precedence::commands:
      return !forced_reads_.empty() && !last_was_destage_;  // a command waits for these
    case Precedence::destaging:
      return true;
    case Precedence::alternate:
      break;
  }
  return !last_was_destage_;
}

sim::Time Disk::start_of(const Command& command) const {
  const Overheads& overheads = profile_.overheads;
  return now_ + profile_.queue.planning_latency +
         (command.queued ? overheads.queued_media_access : overheads.media_access);
}

sim::Time Disk::begin_movement(sim::Time start, std::uint64_t lba, const Location& to, bool write) {
  if (write != last_wrote_) start += profile_.media_access.turnaround;
  if (tail_) start += tail_->delay(start, arm_free_at_, mechanism_.geometry().revolution());
  last_wrote_ = write;
  const sim::Time way = mechanism_.way(start, to, write);
  pass_.begin(lba, to, start + way, write);
  return way;
}

sim::Time Disk::begin_movement_for(const Candidate& chosen) {
  const Location& to = chosen.location;
  const sim::Time start = start_of(slots_[chosen.tag].command);
  const sim::Time way = begin_movement(start, chosen.lba, to, chosen.write);
  ++statistics_.arm_movements;
  statistics_.positioning += way;
  const sim::Time rotation = mechanism_.rotation_in(way, to, chosen.write);
  statistics_.rotation += rotation;
  const std::uint32_t from = mechanism_.track().cylinder;
  statistics_.seek_cylinders += to.cylinder > from ? to.cylinder - from : from - to.cylinder;
  return rotation;
}

std::vector<Disk::Outstanding> Disk::outstanding_commands() const {
  std::vector<Outstanding> all;
  for (const Slot& slot : slots_) {
    if (!slot.active) continue;
    const unsigned tag = slot.command.tag;
    const char* what =
        slot.command.operation == Operation::read ? "its data to be read and sent" : "data from the host";
    if (slot.command.operation == Operation::flush) what = "dirty data to be destaged";
    if (waiting_.find(tag) != waiting_.size()) what = "the arm";
    if (slot.in_arm) what = "the head, which is on its way or writes";
    if (std::find(held_.begin(), held_.end(), tag) != held_.end()) what = "an older command for the same sectors";
    if (std::find(forced_reads_.begin(), forced_reads_.end(), tag) != forced_reads_.end()) {
      what = "dirty sectors of its own to be destaged";
    }
    if (std::find(throttled_.begin(), throttled_.end(), tag) != throttled_.end()) what = "room in the write cache";
    all.push_back({slot.command, what});
  }
  return all;
}

bool Disk::abandon(sim::Time now, unsigned tag) {
  now_ = now;
  const std::size_t candidate = waiting_.find(tag);
  const auto give_up = [tag](std::deque<unsigned>& tags) {
    const auto place = std::find(tags.begin(), tags.end(), tag);
    if (place == tags.end()) return false;
    tags.erase(place);
    return true;
  };
  if (candidate != waiting_.size() && !waiting_[candidate].write) {
    waiting_.remove(candidate);
  } else if (!give_up(held_) && !give_up(throttled_) && !give_up(forced_reads_) &&
             !agenda_.remove(AgendaItem::What::command_eligible, tag)) {
    return false;
  }
  release(tag);
  admit_throttled();
  return true;
}

void Disk::abandon_commands(sim::Time now) {
  now_ = now;
  for (Slot& slot : slots_) slot.active = false;
  outstanding_ = 0;
  waiting_.clear();
  held_.clear();
  throttled_.clear();
  forced_reads_.clear();
  happenings_.clear();
  agenda_.clear();
  reserved_sectors_ = 0;
  reserved_entries_ = 0;
  early_sectors_ = 0;
  early_commands_ = 0;
  outstanding_writes_ = 0;
  flush_pending_ = false;
  idle_destage_ = false;
  // The pass under way ends as it would have; nobody is told of a command's.
  if (arm_occupied_) occupy_arm_until(std::max(now_, arm_free_at_));
  if (!dirty_.empty()) rest_until_idle();
}

}  // namespace ncqlab::drive
