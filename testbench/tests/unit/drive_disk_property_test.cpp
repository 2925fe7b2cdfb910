// Random commands, with every policy, against a naive reference that knows for each sector which write's data the
// buffer holds and which are on the platter:
//   order         a command begins after older ones for the same sectors have ended, if one of them writes
//   conservation  each command ends once, and in the end the platter holds what was written last
//   durability    a write through the cache, and what was complete when a flush came, are on the platter when they end
//   FUA reads     find on the platter what was written before
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "model/drive/disk.h"
#include "model/sim/random.h"
#include "testbench/tests/unit/drive_varied_profile.h"

namespace ncqlab::drive {
namespace {

constexpr std::uint64_t kRegion = 1200;
using Versions = std::vector<std::uint32_t>;  // by LBA: the number of a write, 0 for none

class Reference final : public WritePassListener {
 public:
  void write_pass_begins(const Extent& extent) override {
    for (std::uint64_t lba = extent.first; lba < extent.end; ++lba) {
      EXPECT_GT(buffer[lba], platter[lba]) << "written though the platter has it";
      in_pass[lba] = buffer[lba];
    }
  }
  void write_pass_failed(const Extent& /*lost*/) override {}
  void write_pass_ended(sim::Time /*now*/, const Extent& extent) override {
    for (std::uint64_t lba = extent.first; lba < extent.end; ++lba) platter[lba] = in_pass[lba];
  }

  // Of the pass under way, what the head has written so far.
  void written(const std::optional<WritePassState>& pass) {
    if (!pass) return;
    for (std::uint64_t lba = pass->extent.first; lba < pass->written_end; ++lba) platter[lba] = in_pass[lba];
  }

  Versions buffer = Versions(kRegion);
  Versions platter = Versions(kRegion);
  Versions complete = Versions(kRegion);  // of writes that have ended
  Versions in_pass = Versions(kRegion);
};

class History {
 public:
  History(const Profile& profile, std::uint64_t seed)
      : profile_(profile), stream_(seed, "test/property"), disk_(profile_, tables_of(profile_)) {
    disk_.set_write_pass_listener(&reference_);
  }

  void run(int commands) {
    while (commands > 0 || active_ > 0) {
      const sim::Time next = next_due();
      const bool may_submit = commands > 0 && active_ < 30;
      if (may_submit && (active_ == 0 || stream_.below(3) != 0)) {
        const auto pause = static_cast<sim::Time>(stream_.below(1ULL << stream_.below(35)));
        go_to(std::min(next, now_ + pause));
        if (next_due() <= now_) continue;
        submit();
        --commands;
      } else {
        ASSERT_NE(next, sim::kNever) << "nothing is left to happen" << outstanding();
        go_to(next);
      }
      if (testing::Test::HasFailure()) return;
    }
    while (next_due() != sim::kNever) go_to(next_due());
    EXPECT_EQ(disk_.outstanding(), 0U);
    EXPECT_EQ(disk_.dirty_sectors(), 0U);
    EXPECT_EQ(reference_.platter, reference_.complete);
  }

 private:
  struct Slot {
    Command command;
    bool active = false;
    bool through = false;
    bool data_complete = false;
    std::uint32_t number = 0;
    sim::Time due = sim::kNever;
    Versions before;  // of a flush or FUA read: what was complete when it came
  };

  std::string outstanding() const {
    std::string text;
    for (const Disk::Outstanding& one : disk_.outstanding_commands()) {
      text += "\ntag " + std::to_string(one.command.tag) + " LBA " + std::to_string(one.command.lba) + "+" +
              std::to_string(one.command.sectors) + " waits for " + one.waits_for;
    }
    return text;
  }
  sim::Time next_due() const {
    sim::Time next = disk_.next();
    for (const Slot& slot : slots_) next = std::min(next, slot.due);
    return next;
  }
  void go_to(sim::Time when) {
    now_ = when;
    drain();
    for (unsigned tag = 0; tag < kTags; ++tag) {
      Slot& slot = slots_[tag];
      if (slot.due > now_) continue;
      slot.due = sim::kNever;
      if (slot.command.operation == Operation::read) {
        end(slot);
        disk_.transferred(now_, tag);
      } else {
        slot.data_complete = true;
        each_sector(slot, [&](std::uint64_t lba) { reference_.buffer[lba] = slot.number; });
        disk_.host_data_complete(now_, tag);
      }
      drain();
    }
  }
  template <class Do>
  static void each_sector(const Slot& slot, Do what) {
    for (std::uint64_t lba = slot.command.lba; lba < slot.command.lba + slot.command.sectors; ++lba) what(lba);
  }
  void check_platter(const Slot& slot, const Versions& at_least) {
    each_sector(slot, [&](std::uint64_t lba) { EXPECT_GE(reference_.platter[lba], at_least[lba]) << "LBA " << lba; });
  }
  void check_order(const Slot& slot) {
    for (const Slot& other : slots_) {
      if (!other.active || other.number >= slot.number || other.command.operation == Operation::flush) continue;
      const bool writes = slot.command.operation == Operation::write || other.command.operation == Operation::write;
      const bool overlap = other.command.lba < slot.command.lba + slot.command.sectors &&
                           slot.command.lba < other.command.lba + other.command.sectors;
      EXPECT_FALSE(writes && overlap) << "tag " << slot.command.tag << " overtakes tag " << other.command.tag;
    }
  }
  void drain() {
    Happening happening{};
    while (disk_.advance(now_, happening)) {
      reference_.written(disk_.write_pass(now_));
      Slot& slot = slots_[happening.tag];
      ASSERT_TRUE(slot.active) << "an answer to nothing, tag " << happening.tag;
      switch (happening.what) {
        case Happening::What::data_scheduled:
          ASSERT_EQ(slot.command.operation, Operation::read);
          ASSERT_EQ(slot.due, sim::kNever) << "scheduled twice";
          check_order(slot);
          if (slot.command.force_unit_access) check_platter(slot, slot.before);
          slot.due = std::max(now_, disk_.available(happening.tag, slot.command.sectors));
          break;
        case Happening::What::buffer_ready:
          ASSERT_EQ(slot.command.operation, Operation::write);
          ASSERT_EQ(slot.due, sim::kNever);
          check_order(slot);
          slot.due = now_ + static_cast<sim::Time>(stream_.below(2 * kMs));
          break;
        case Happening::What::done:
          done(slot);
          break;
        case Happening::What::failed:
          FAIL() << "nothing is wrong with the media";
      }
    }
  }
  void done(Slot& slot) {
    if (slot.command.operation == Operation::flush) {
      for (std::uint64_t lba = 0; lba < kRegion; ++lba) {
        ASSERT_GE(reference_.platter[lba], slot.before[lba]) << "LBA " << lba << " after a flush";
      }
    } else {
      ASSERT_TRUE(slot.data_complete);
      each_sector(slot, [&](std::uint64_t lba) { reference_.complete[lba] = slot.number; });
      if (slot.through) check_platter(slot, reference_.complete);
    }
    end(slot);
  }
  void end(Slot& slot) {
    slot.active = false;
    --active_;
  }
  void submit() {
    Command command;
    if (active_ == 0) disk_.set_write_cache(stream_.below(5) != 0);
    if (!slots_[kNonQueuedTag].active && stream_.below(15) == 0) {
      command.operation = Operation::flush;
    } else {
      command.tag = static_cast<unsigned>(stream_.below(32));
      while (slots_[command.tag].active) command.tag = (command.tag + 1) % 32;
      command.queued = true;
      command.operation = stream_.below(3) == 0 ? Operation::read : Operation::write;
      command.high_priority = stream_.below(6) == 0;
      command.force_unit_access = stream_.below(4) == 0;
      command.sectors = 1 + static_cast<std::uint32_t>(stream_.below(stream_.below(10) == 0 ? 300 : 12));
      const std::uint64_t region = stream_.below(2) == 0 ? kRegion : 320;  // the small one for many collisions
      command.lba = stream_.below(region - command.sectors + 1);
    }
    Slot& slot = slots_[command.tag];
    slot = Slot{};
    slot.command = command;
    slot.active = true;
    slot.number = ++submissions_;
    slot.through = command.operation == Operation::write && (command.force_unit_access || !disk_.write_cache_enabled());
    slot.before = reference_.complete;
    ++active_;
    disk_.submit(now_, command);
    drain();
  }

  Profile profile_;
  sim::Stream stream_;
  Reference reference_;
  Disk disk_;
  std::array<Slot, kTags> slots_;
  sim::Time now_ = 0;
  unsigned active_ = 0;
  std::uint32_t submissions_ = 0;
};

TEST(DriveDiskProperty, OrderConservationAndDurabilityHoldForRandomCommands) {
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    History history(varied(seed), seed);
    history.run(60);
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace ncqlab::drive
