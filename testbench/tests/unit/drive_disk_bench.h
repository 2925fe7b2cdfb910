// Runs a disk library alone: a clock, commands in, happenings out with their times.
//
// As the ATA layer does, the bench brings a write's data when the buffer is ready and fetches a read's data when all of
// them are available, at once in both cases; a test that wants it otherwise says so with `by_hand`.
#pragma once

#include <array>
#include <vector>

#include "model/drive/disk.h"
#include "testbench/tests/unit/drive_small_profile.h"

namespace ncqlab::drive {

struct Note {
  sim::Time time;
  Happening::What what;
  unsigned tag;
};

class DiskBench {
 public:
  explicit DiskBench(Profile p, Layout layout = {})
      : profile(std::move(p)), disk(profile, tables_of(profile, layout)) {}

  void submit(const Command& command) {
    commands_[command.tag] = command;
    disk.submit(now, command);
    drain();
  }
  void read(unsigned tag, std::uint64_t lba, std::uint32_t sectors) {
    submit(queued(tag, Operation::read, lba, sectors));
  }
  void write(unsigned tag, std::uint64_t lba, std::uint32_t sectors, bool force_unit_access = false) {
    Command command = queued(tag, Operation::write, lba, sectors);
    command.force_unit_access = force_unit_access;
    submit(command);
  }
  // Not queued, as every flush.
  void flush() {
    Command command;
    command.operation = Operation::flush;
    submit(command);
  }

  // To time `when`, including what is due then.
  void run_until(sim::Time when) {
    while (next() <= when) step();
    now = when;
    drain();
  }
  // Until nothing is left to do.
  void run() {
    while (next() != sim::kNever) step();
  }

  void bring_data(unsigned tag) {
    disk.host_data_complete(now, tag);
    drain();
  }
  void fetch_data(unsigned tag) {
    disk.transferred(now, tag);
    pending_[tag] = sim::kNever;
    ended_[tag] = now;
    drain();
  }
  void reset() {
    disk.abandon_commands(now);
    pending_.fill(sim::kNever);
    drain();
  }

  // The instant of the last happening of that kind with that tag; kNever when there was none.
  sim::Time when(Happening::What what, unsigned tag = 0) const {
    for (auto note = notes.rbegin(); note != notes.rend(); ++note) {
      if (note->what == what && note->tag == tag) return note->time;
    }
    return sim::kNever;
  }
  sim::Time scheduled(unsigned tag = 0) const { return when(Happening::What::data_scheduled, tag); }
  sim::Time buffer_ready(unsigned tag = 0) const { return when(Happening::What::buffer_ready, tag); }
  sim::Time done(unsigned tag = 0) const { return when(Happening::What::done, tag); }
  // When the last of a read's data had come.
  sim::Time ended(unsigned tag = 0) const { return ended_[tag]; }

  Profile profile;
  Disk disk;
  sim::Time now = 0;
  std::vector<Note> notes;
  std::uint64_t failed_lba = 0;  // of the last failure
  bool by_hand = false;          // the test brings and fetches data itself

 private:
  static Command queued(unsigned tag, Operation operation, std::uint64_t lba, std::uint32_t sectors) {
    Command command;
    command.tag = tag;
    command.operation = operation;
    command.queued = tag != kNonQueuedTag;
    command.lba = lba;
    command.sectors = sectors;
    return command;
  }
  sim::Time next() const {
    sim::Time first = disk.next();
    for (const sim::Time fetch : pending_) first = std::min(first, fetch);
    return first;
  }
  void step() {
    now = std::max(now, next());
    drain();
    for (unsigned tag = 0; tag < kTags; ++tag) {
      if (pending_[tag] <= now) fetch_data(tag);
    }
  }
  void drain() {
    Happening happening{};
    while (disk.advance(now, happening)) {
      notes.push_back({now, happening.what, happening.tag});
      if (happening.what == Happening::What::failed) failed_lba = happening.lba;
      if (by_hand) continue;
      if (happening.what == Happening::What::buffer_ready) disk.host_data_complete(now, happening.tag);
      if (happening.what == Happening::What::data_scheduled) {
        pending_[happening.tag] = disk.available(happening.tag, commands_[happening.tag].sectors);
      }
    }
  }
  static std::array<sim::Time, kTags> nevers() {
    std::array<sim::Time, kTags> times{};
    times.fill(sim::kNever);
    return times;
  }

  std::array<Command, kTags> commands_{};
  std::array<sim::Time, kTags> pending_ = nevers();
  std::array<sim::Time, kTags> ended_ = nevers();
};

}  // namespace ncqlab::drive
