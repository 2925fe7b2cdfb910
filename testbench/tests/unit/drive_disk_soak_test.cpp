// Thousands of random command sequences against what must hold for all of them: every command ends exactly once,
// happenings come in the order of time and of the protocol, nothing hangs, and in the end nothing is dirty.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>

#include "model/drive/disk.h"
#include "model/sim/random.h"
#include "testbench/tests/unit/drive_varied_profile.h"

namespace ncqlab::drive {
namespace {

class Soak {
 public:
  Soak(const Profile& profile, std::uint64_t seed)
      : profile_(profile), stream_(seed, "test/soak"), disk_(profile_, tables_of(profile_, Layout{seed % 3})) {}

  void run(int commands) {
    while (commands > 0 || active_ > 0) {
      const sim::Time next = next_due();
      const bool may_submit = commands > 0 && !flushing_ && active_ < 32;
      if (may_submit && (active_ == 0 || stream_.below(3) != 0)) {
        go_to(std::min(next, now_ + pause()));
        if (next_due() <= now_) continue;
        submit();
        --commands;
      } else if (next != sim::kNever) {
        go_to(next);
      } else {
        FAIL() << active_ << " commands are outstanding and nothing is left to happen";
      }
      if (testing::Test::HasFatalFailure()) return;
      if (resets_left_ > 0 && stream_.below(40) == 0) reset();
    }
    while (next_due() != sim::kNever) go_to(next_due());
    EXPECT_EQ(disk_.outstanding(), 0U);
    EXPECT_EQ(disk_.dirty_sectors(), 0U);
  }
  void allow_resets(int count) { resets_left_ = count; }

 private:
  enum class Waits : std::uint8_t { nothing, scheduled, buffer, host_data, fetch, done };
  struct Slot {
    Waits waits = Waits::nothing;
    Command command;
    sim::Time due = sim::kNever;  // of the data that the host fetches or brings
  };

  sim::Time pause() {
    const std::uint64_t scale = 1ULL << stream_.below(36);  // up to 68 ms
    return static_cast<sim::Time>(stream_.below(scale));
  }
  sim::Time next_due() const {
    sim::Time next = disk_.next();
    for (const Slot& slot : slots_) next = std::min(next, slot.due);
    return next;
  }
  void go_to(sim::Time when) {
    ASSERT_GE(when, now_);
    now_ = when;
    drain();
    for (unsigned tag = 0; tag < kTags; ++tag) {
      if (slots_[tag].due > now_) continue;
      slots_[tag].due = sim::kNever;
      if (slots_[tag].waits == Waits::fetch) {
        disk_.transferred(now_, tag);
        end(tag);
      } else {
        slots_[tag].waits = Waits::done;
        disk_.host_data_complete(now_, tag);
      }
      drain();
    }
  }
  void drain() {
    Happening happening{};
    while (disk_.advance(now_, happening)) {
      Slot& slot = slots_[happening.tag];
      switch (happening.what) {
        case Happening::What::data_scheduled: {
          ASSERT_EQ(slot.waits, Waits::scheduled);
          sim::Time before = 0;
          for (std::uint32_t sectors = 1; sectors <= slot.command.sectors; ++sectors) {
            const sim::Time at = disk_.available(happening.tag, sectors);
            ASSERT_GE(at, before);
            before = at;
          }
          slot.waits = Waits::fetch;
          slot.due = std::max(now_, before);
          break;
        }
        case Happening::What::buffer_ready:
          ASSERT_EQ(slot.waits, Waits::buffer);
          slot.waits = Waits::host_data;
          slot.due = now_ + pause() / 16;
          break;
        case Happening::What::done:
          ASSERT_EQ(slot.waits, Waits::done);
          end(happening.tag);
          break;
        case Happening::What::failed:
          FAIL() << "nothing is wrong with the media";
      }
    }
    ASSERT_GE(disk_.next(), now_);
  }
  void end(unsigned tag) {
    slots_[tag].waits = Waits::nothing;
    if (tag == kNonQueuedTag) flushing_ = false;
    --active_;
  }
  void submit() {
    Command command;
    if (active_ == 0) disk_.set_write_cache(stream_.below(5) != 0);
    if (stream_.below(20) == 0) {
      command.operation = Operation::flush;
      flushing_ = true;
    } else {
      command.tag = static_cast<unsigned>(stream_.below(32));
      while (slots_[command.tag].waits != Waits::nothing) command.tag = (command.tag + 1) % 32;
      command.queued = true;
      command.high_priority = stream_.below(4) == 0;
      command.operation = stream_.below(2) == 0 ? Operation::read : Operation::write;
      command.force_unit_access = command.operation == Operation::write && stream_.below(4) == 0;
      command.sectors = 1 + static_cast<std::uint32_t>(stream_.below(stream_.below(10) == 0 ? 700 : 20));
      const std::uint64_t region = stream_.below(3) == 0 ? profile_.capacity_sectors : 1200;
      command.lba = stream_.below(region - command.sectors + 1);
      if (stream_.below(8) == 0) command.lba = profile_.capacity_sectors - command.sectors;
    }
    Slot& slot = slots_[command.tag];
    slot.command = command;
    slot.waits = command.operation == Operation::read    ? Waits::scheduled
                 : command.operation == Operation::write ? Waits::buffer
                                                         : Waits::done;
    ++active_;
    disk_.submit(now_, command);
    drain();
  }
  void reset() {
    --resets_left_;
    disk_.abandon_commands(now_);
    slots_.fill({});
    active_ = 0;
    flushing_ = false;
    drain();
  }

  Profile profile_;
  sim::Stream stream_;
  Disk disk_;
  std::array<Slot, kTags> slots_;
  sim::Time now_ = 0;
  unsigned active_ = 0;
  int resets_left_ = 0;
  bool flushing_ = false;
};

TEST(DriveDiskSoak, EveryCommandEndsExactlyOnce) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Soak soak(varied(seed), seed);
    soak.run(60);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(DriveDiskSoak, ResetsLoseNothingElse) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Soak soak(varied(seed), seed);
    soak.allow_resets(5);
    soak.run(60);
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace ncqlab::drive
