#include "model/drive/disk.h"

#include <algorithm>
#include <stdexcept>

namespace ncqlab::drive {

Disk::Disk(const Profile& profile, std::shared_ptr<const MechanicsTables> tables)
    : profile_(profile),
      mechanism_(std::move(tables)),
      policy_(make_pick_policy(profile.queue, profile.queue_aging)),
      segments_(profile.read_ahead.segments, profile.read_ahead.segment_bytes / kSector_bytes),
      dirty_(profile.write_cache.limit_bytes / kSector_bytes, profile.write_cache.limit_entries),
      write_cache_enabled_(profile.write_cache.enabled) {
  if (policy_ == nullptr) throw std::logic_error("unknown pick policy " + profile.queue.pick_policy);
}

void Disk::submit(sim::Time now, const Command& command) {
  now_ = now;
  Slot& slot = slots_[command.tag];
  if (slot.active) throw std::logic_error("a tag was used twice");
  slot.command = command;
  slot.schedule.clear();
  slot.active = true;
  slot.in_arm = false;
  ++outstanding_;
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
      happening = happenings_.front();
      happenings_.pop_front();
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
        release(item.argument);
        happen(Happening::What::done, item.argument);
      }
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
      eligible_read(slot);
      break;
    case Operation::write:
      ++statistics_.writes;
      eligible_write(slot);
      break;
    case Operation::flush:
      flush_pending_ = true;
      finish_flush_when_clean();
      break;
  }
  start_next();
}

void Disk::release(unsigned tag) {
  slots_[tag].active = false;
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
      const Slot& slot = slots_[arm_tag_];
      if (slot.active && slot.in_arm) {  // it may have been abandoned, its tag used again
        agenda_.add({now_ + profile_.overheads.write_completion, AgendaItem::What::command_done, arm_tag_});
      }
      finish_flush_when_clean();  // this write may have replaced the last dirty sectors
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
  if (destage_urgent() && !dirty_.empty() && (waiting_.empty() || !last_was_destage_)) return start_destage();
  if (arm_ == Arm::reading && serve_waiting_from_pass()) return;
  if (!waiting_.empty()) {
    const sim::Time start = start_of(slots_[waiting_[0].tag].command);
    if (arm_ == Arm::reading) end_read_ahead();
    const Candidate chosen = waiting_.take(now_, waiting_.pick(*policy_, {mechanism_, start, arm_lba_}));
    last_was_destage_ = false;
    return chosen.write ? start_write(chosen) : start_read(chosen);
  }
  if ((idle_destage_ || destage_urgent()) && !dirty_.empty()) start_destage();
}

sim::Time Disk::start_of(const Command& command) const {
  const Overheads& overheads = profile_.overheads;
  return now_ + profile_.queue.planning_latency +
         (command.queued ? overheads.queued_media_access : overheads.media_access);
}

sim::Time Disk::begin_movement(sim::Time start, std::uint64_t lba, const Location& to, bool write) {
  const sim::Time way = mechanism_.positioning(mechanism_.geometry().angle_at(start), to, write, 0);
  pass_.begin(lba, to, start + way, write);
  return way;
}

void Disk::begin_movement_for(const Candidate& chosen) {
  const Location& to = chosen.location;
  const sim::Time start = start_of(slots_[chosen.tag].command);
  const sim::Time way = begin_movement(start, chosen.lba, to, chosen.write);
  ++statistics_.arm_movements;
  statistics_.positioning += way;
  statistics_.rotation += way - mechanism_.movement(to, chosen.write);
  const std::uint32_t from = mechanism_.track().cylinder;
  statistics_.seek_cylinders += to.cylinder > from ? to.cylinder - from : from - to.cylinder;
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
    if (std::find(throttled_.begin(), throttled_.end(), tag) != throttled_.end()) what = "room in the write cache";
    all.push_back({slot.command, what});
  }
  return all;
}

bool Disk::abandon(sim::Time now, unsigned tag) {
  now_ = now;
  const std::size_t candidate = waiting_.find(tag);
  const auto throttled = std::find(throttled_.begin(), throttled_.end(), tag);
  if (candidate != waiting_.size() && !waiting_[candidate].write) {
    waiting_.remove(candidate);
  } else if (throttled != throttled_.end()) {
    throttled_.erase(throttled);
  } else if (!agenda_.remove(AgendaItem::What::command_eligible, tag)) {
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
  throttled_.clear();
  happenings_.clear();
  agenda_.clear();
  reserved_sectors_ = 0;
  reserved_entries_ = 0;
  flush_pending_ = false;
  idle_destage_ = false;
  // The pass under way ends as it would have; nobody is told of a command's.
  if (arm_occupied_) occupy_arm_until(std::max(now_, arm_free_at_));
  if (!dirty_.empty()) rest_until_idle();
}

}  // namespace ncqlab::drive
