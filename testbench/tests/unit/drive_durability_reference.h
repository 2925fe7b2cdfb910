// What a disk's sectors may hold, by an independent account: which writes there were, when each was sent and answered,
// and which of them the drive has promised to keep. It knows nothing of caches, passes or heads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace ncqlab::drive {

class DurabilityReference {
 public:
  using Moment = std::uint64_t;
  static constexpr Moment kNever = std::numeric_limits<Moment>::max();

  struct Write {
    std::uint64_t number = 0;  // what its sectors hold; 0 is what they hold at first
    Moment sent = 0;
    Moment answered = kNever;
    bool durable = false;  // the drive has promised
  };

  explicit DurabilityReference(std::uint64_t sectors) : writes_(sectors, std::vector<Write>{{0, 0, 0, true}}) {}

  std::uint64_t write_sent(std::uint64_t first, std::uint64_t sectors) {
    const Write write{++last_number_, ++moment_};
    for (std::uint64_t lba = first; lba < first + sectors; ++lba) writes_[lba].push_back(write);
    return write.number;
  }
  // `durable`: by FUA, or since the cache was off when it was sent.
  void write_answered(std::uint64_t number, bool durable) {
    ++moment_;
    for (auto& sector : writes_) {
      for (Write& write : sector) {
        if (write.number == number && write.answered == kNever) {
          write.answered = moment_;
          write.durable = write.durable || durable;
        }
      }
    }
  }
  Moment flush_sent() { return ++moment_; }
  // FLUSH CACHE, or another command that leaves nothing in the cache, was answered: it covers what had been answered
  // before it.
  void flush_answered(Moment sent) {
    ++moment_;
    for (auto& sector : writes_) {
      for (Write& write : sector) write.durable = write.durable || write.answered < sent;
    }
  }

  // While the power stays on a sector holds any write that no answered one has surely replaced; after a loss of power,
  // any that no durable one has.
  bool may_hold(std::uint64_t lba, std::uint64_t number, bool power_was_lost) const {
    const auto& sector = writes_[lba];
    const auto found = std::find_if(sector.begin(), sector.end(), [&](const Write& w) { return w.number == number; });
    return found != sector.end() && !replaced(sector, *found, power_was_lost);
  }
  // Torn by the loss of power: something that was not durable may have been under the head.
  bool may_be_unreadable(std::uint64_t lba) const {
    const auto& sector = writes_[lba];
    return std::any_of(sector.begin(), sector.end(),
                       [&](const Write& write) { return !write.durable && !replaced(sector, write, true); });
  }
  // What was found counts from now on, and is durable.
  void settle(std::uint64_t lba, std::uint64_t number) { writes_[lba] = {{number, moment_, moment_, true}}; }

  std::string expected(std::uint64_t lba, bool power_was_lost) const {
    std::string text;
    for (const Write& write : writes_[lba]) {
      if (replaced(writes_[lba], write, power_was_lost)) continue;
      text += (text.empty() ? "" : ", ") + std::to_string(write.number) + (write.durable ? " (durable)" : "");
    }
    return text;
  }

 private:
  static bool replaced(const std::vector<Write>& sector, const Write& write, bool power_was_lost) {
    return std::any_of(sector.begin(), sector.end(), [&](const Write& other) {
      const bool counts = power_was_lost ? other.durable : other.answered != kNever;
      return counts && write.answered < other.sent;
    });
  }

  std::vector<std::vector<Write>> writes_;  // by LBA
  std::uint64_t last_number_ = 0;
  Moment moment_ = 1;
};

}  // namespace ncqlab::drive
