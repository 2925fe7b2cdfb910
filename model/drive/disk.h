// A rotating disk behind its interface: queue, arm, read-ahead, write cache. Time in, time out: no event queue, no
// link, no contents. The ATA layer (model/drive/ata) runs it in a machine; calibration, fuzzing and benchmarks run it
// alone.
//
// Use: submit() commands at non-decreasing times, then advance(now) until it returns false, again at next() or earlier.
//   read           data_scheduled -> the caller moves the data as available() allows -> transferred()
//   write          buffer_ready -> the caller brings the data -> host_data_complete() ... -> done
//   flush          done
// Where the media give trouble a read ends at readable() sectors, and a write or flush as `failed`.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "model/drive/agenda.h"
#include "model/drive/cache/physical_sectors.h"
#include "model/drive/cache/read_segments.h"
#include "model/drive/cache/write_cache.h"
#include "model/drive/disk_command.h"
#include "model/drive/mechanics/mechanism.h"
#include "model/drive/mechanics/pass.h"
#include "model/drive/media_hooks.h"
#include "model/drive/pick/waiting_commands.h"
#include "model/drive/profile.h"
#include "model/drive/trouble.h"
#include "model/drive/write_pass.h"

namespace ncqlab::drive {

struct Happening {
  enum class What : std::uint8_t {
    data_scheduled,  // a read's data are or will be in the buffer: available() says when
    buffer_ready,    // a write's data may be sent
    done,            // a write or flush is complete; its tag is free
    failed,          // a write or flush has come to a sector that cannot be written; its tag is free
  };
  What what;
  unsigned tag;
  std::uint64_t lba;  // of that sector
};

// Happenings that nobody has fetched yet: a few at a time, at most two for each tag.
class HappeningQueue {
 public:
  bool empty() const { return first_ == end_; }
  void push(const Happening& happening) { ring_[end_++ % kRoom] = happening; }
  Happening pop() { return ring_[first_++ % kRoom]; }
  void clear() { first_ = end_; }

 private:
  static constexpr unsigned kRoom = 128;
  std::array<Happening, kRoom> ring_{};
  unsigned first_ = 0;
  unsigned end_ = 0;
};

// Counts and sums since the disk was made.
struct DiskStatistics {
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;
  std::uint64_t read_hits = 0;      // served without a movement of their own
  std::uint64_t arm_movements = 0;  // for commands
  std::uint64_t destage_passes = 0;
  std::uint64_t destaged_sectors = 0;
  std::uint64_t seek_cylinders = 0;  // of commands
  sim::Time positioning = 0;         // movement and rotation of commands
  sim::Time rotation = 0;            // the rotation in it
  std::uint64_t throttled_writes = 0;
  std::uint64_t held_commands = 0;  // behind an older command for the same sectors
  std::uint64_t joined_writes = 0;  // written in the pass of the write before them
};

// What a flush came to.
struct FlushCost {
  std::uint64_t passes = 0;  // of the head, with that which was under way
  std::uint64_t sectors = 0;
  sim::Time time = 0;  // from the command to its end
};

class Disk {
 public:
  // `tables` made from the same profile; shared between disks.
  Disk(const Profile& profile, std::shared_ptr<const MechanicsTables> tables);
  // Null: nobody is told. Called from within advance() and the functions that may start the arm.
  void set_write_pass_listener(WritePassListener* listener) { write_passes_ = listener; }

  // Null: the media give no trouble.
  void set_trouble_source(TroubleSource* source) { trouble_ = source; }

  // Draws the profile's tail events, if it has any; without this call there are none.
  void draw_tail_events(std::uint64_t seed, std::uint32_t drive) {
    if (profile_.tail_events.any()) tail_.emplace(profile_.tail_events, seed, drive);
  }
  // Null: none.
  void set_media_hooks(MediaHooks* hooks) { media_hooks_ = hooks; }

  void submit(sim::Time now, const Command& command);
  void host_data_complete(sim::Time now, unsigned tag);
  void transferred(sim::Time now, unsigned tag);

  // The next instant at which advance() has something to do; kNever when the disk rests.
  sim::Time next() const { return happenings_.empty() ? agenda_.next_time() : now_; }
  // Does what is due until `now` and hands out one happening; false when there is none left.
  bool advance(sim::Time now, Happening& happening);

  // When the first `sectors` of a scheduled read are in the buffer (it may lie in the past).
  sim::Time available(unsigned tag, std::uint32_t sectors) const {
    const Slot& slot = slots_[tag];
    return slot.schedule.available(mechanism_.geometry(), std::min(slot.command.lba + sectors, slot.missing.end));
  }

  // So many of a scheduled read's sectors can be read. available() says of the next when the drive gives it up; then
  // the caller ends the command with transferred().
  std::uint32_t readable(unsigned tag) const { return slots_[tag].readable; }

  bool write_cache_enabled() const { return write_cache_enabled_; }
  void set_write_cache(bool enabled) { write_cache_enabled_ = enabled; }
  void set_read_ahead(bool enabled) { read_ahead_enabled_ = enabled; }
  std::uint64_t dirty_sectors() const { return dirty_.dirty_sectors(); }
  unsigned outstanding() const { return outstanding_; }
  // Who waits for what, by tag: for reports on a machine that hangs.
  struct Outstanding {
    Command command;
    const char* waits_for;
  };
  std::vector<Outstanding> outstanding_commands() const;
  const DiskStatistics& statistics() const { return statistics_; }
  const FlushCost& last_flush() const { return last_flush_; }
  const Starvation& starvation(unsigned tag) const { return waiting_.starvation(tag); }
  const Geometry& geometry() const { return mechanism_.geometry(); }

  // Gives up one command while it is still only waiting: for its turn, for the arm before it has moved data, for room
  // in the write cache. False: it is under way and ends as it would have.
  bool abandon(sim::Time now, unsigned tag);
  // A hardware reset: commands are forgotten; what is in the write cache stays and is destaged.
  void abandon_commands(sim::Time now);
  // What the buffer holds of these sectors counts no more: they have been trimmed, or flagged as unreadable.
  void forget(sim::Time now, const Extent& extent);
  // Data of an abandoned write that had come stay in the write cache, as if the write had been cached.
  void keep_dirty(sim::Time now, const Extent& extent);

  // The write pass under way; none when the head does not write.
  std::optional<WritePassState> write_pass(sim::Time now);
  // The power fails: commands, caches and the pass under way are gone. The first `kept_sectors` of the dirty data, from
  // the arm upwards, stay dirty: those that the drive has saved with its own energy.
  void power_off(sim::Time now, std::uint64_t kept_sectors);
  std::vector<Extent> dirty_extents() const;

 private:
  struct Slot {
    Command command;
    Schedule schedule;
    Extent missing;            // of a read: what has to come from the platter, as far as the write cache has not got it
    std::uint64_t serial = 0;  // submitted as the so-manieth
    std::uint32_t readable = 0;
    std::uint64_t failed_lba = 0;  // of a write
    bool active = false;
    bool in_arm = false;   // a write whose pass is under way
    bool through = false;  // a write that goes to the platter before it is done
  };
  enum class Precedence : std::uint8_t { alternate, commands, destaging };  // Destaging::policy
  enum class Arm : std::uint8_t { resting, reading, writing_command, destaging };

  // disk.cpp
  void happen(Happening::What what, unsigned tag, std::uint64_t lba = 0) { happenings_.push({what, tag, lba}); }
  void process(const AgendaItem& item);
  void eligible(unsigned tag);
  void begin(Slot& slot);
  bool waits_for_older(const Slot& slot) const;
  void resume_held();
  void arm_free();
  void start_next();
  bool destage_goes_first() const;
  void release(unsigned tag);
  sim::Time start_of(const Command& command) const;
  sim::Time begin_movement(sim::Time start, std::uint64_t lba, const Location& to, bool write);
  sim::Time begin_movement_for(const Candidate& chosen);  // the rotation in it
  void occupy_arm_until(sim::Time when);
  // disk_trouble.cpp
  bool troubled() const { return trouble_ != nullptr && trouble_->troubled(); }
  Extent lay_write_trouble(Extent extent, sim::Time time_limit, unsigned tag);
  bool retry(const Trouble& trouble, sim::Time time_limit);
  // disk_partial.cpp
  bool in_buffer(const Extent& wanted);
  bool rest_in_buffer(std::uint64_t number, const Extent& written);
  void keep_rests(const Extent& written);
  bool must_be_read(std::uint64_t border, const Extent& written);
  bool read_before_first(const Extent& extent);
  void read_before_last(const Extent& extent, bool waited_at_first);
  // disk_hooks.cpp
  MediaEvent hooked(MediaEvent event);
  void hook_read(Slot& slot, std::uint64_t from, std::uint64_t end);
  Extent hook_write(const Extent& extent, unsigned tag);
  // disk_power.cpp
  void begin_write_pass(Arm arm, const Extent& extent);
  void end_write_pass();
  void rest_until_idle();  // then dirty data are destaged
  // disk_read.cpp
  void eligible_read(Slot& slot);
  bool hit_running_pass(Slot& slot, std::uint64_t& media_first);
  bool serve_waiting_from_pass();
  void wait_for_arm(const Slot& slot, std::uint64_t lba);
  void lay_read_trouble(Slot& slot, std::uint64_t from, std::uint64_t end);
  void read_from_landing(const Candidate& chosen, sim::Time landing, std::uint64_t end);
  void start_read(const Candidate& chosen);
  void end_read_ahead();
  std::uint64_t reading_end(std::uint64_t demand_end, std::uint64_t beyond_bytes) const;
  void take_from_write_buffer(Extent& missing) const;
  // disk_write.cpp
  void drop_read_data(const Extent& extent);
  void eligible_write(Slot& slot);
  bool admit(Slot& slot);
  bool admit_through(Slot& slot);
  bool buffer_has_room_for(std::uint64_t sectors) const;
  std::uint64_t buffer_left_for_reads() const;
  void make_room_for_writes();
  void start_write(const Candidate& chosen);
  void join_neighbours(Extent& extent);
  void write_landed(unsigned tag);
  void admit_throttled();
  // disk_destage.cpp
  void start_destage();
  void end_destage();
  Extent next_destage(sim::Time start, Location& location) const;
  bool destage_urgent() const { return destage_for_room() || flush_pending_ || !forced_reads_.empty() || draining_; }
  bool destage_for_room() const;
  void watch_marks();
  bool waits_for_destage(const Command& read) const;
  void eligible_forced_read(Slot& slot);
  void resume_forced_reads();
  void begin_flush();
  void finish_flush_when_clean();

  const Profile& profile_;
  Mechanism mechanism_;
  std::unique_ptr<PickPolicy> policy_;
  Precedence precedence_ = Precedence::alternate;
  ReadSegments segments_;
  DirtyExtents dirty_;
  PhysicalSectors physical_;

  std::array<Slot, kTags> slots_;
  WaitingCommands waiting_;            // for the arm
  std::deque<unsigned> held_;          // behind older commands for the same sectors, oldest first
  std::deque<unsigned> throttled_;     // writes without room, oldest first
  std::deque<unsigned> forced_reads_;  // wait for dirty sectors of theirs to reach the platter, oldest first
  HappeningQueue happenings_;
  Agenda agenda_;

  sim::Time now_ = 0;
  Arm arm_ = Arm::resting;
  bool arm_occupied_ = false;  // until arm_free(): it has something that it must finish
  sim::Time arm_free_at_ = 0;
  std::uint32_t arm_serial_ = 0;
  unsigned arm_tag_ = 0;
  Pass pass_;
  std::uint64_t committed_end_ = 0;  // of a command's pass: until there the arm is not given away
  std::uint64_t read_ahead_end_ = 0;
  Extent writing_;  // the sectors of the write pass under way
  WritePassListener* write_passes_ = nullptr;
  TroubleSource* trouble_ = nullptr;
  std::optional<TailDelays> tail_;
  MediaHooks* media_hooks_ = nullptr;
  bool pass_skipped_ = false;                   // the write pass under way writes nothing
  std::optional<std::uint64_t> pass_fails_at_;  // the sector behind writing_ that cannot be written
  std::uint64_t pass_lost_end_ = 0;             // the end of what is given up with it
  std::optional<std::uint64_t> lost_;           // the first dirty sector that could not be, until a flush has told
  bool last_wrote_ = false;                     // the head's last pass
  std::uint64_t arm_lba_ = 0;                   // behind the last pass
  bool last_was_destage_ = false;

  std::uint64_t reserved_sectors_ = 0;  // of cached writes whose data are still to come
  unsigned reserved_entries_ = 0;
  std::uint64_t early_sectors_ = 0;  // of writes through the cache whose data are wanted or in the buffer
  unsigned early_commands_ = 0;
  std::uint64_t submissions_ = 0;
  unsigned outstanding_writes_ = 0;
  bool write_cache_enabled_;
  bool read_ahead_enabled_ = true;
  bool draining_ = false;              // from the high mark down to the low one
  DirtyExtents flushing_{0, 0};        // what the flush waits for
  bool flush_waits_for_pass_ = false;  // and for the write pass that was under way when it came
  FlushCost last_flush_;
  FlushCost flush_start_;  // passes, sectors and time until then
  bool flush_pending_ = false;
  bool idle_destage_ = false;
  std::uint32_t idle_serial_ = 0;
  unsigned outstanding_ = 0;
  DiskStatistics statistics_;
};

}  // namespace ncqlab::drive
