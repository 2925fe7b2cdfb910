// The commands that wait for the arm, those of high priority before the others and the oldest first, and what their
// waiting comes to for each tag.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "model/drive/disk_command.h"
#include "model/drive/pick/pick_policy.h"

namespace ncqlab::drive {

// How long the commands of one tag have waited for the arm since the disk was made.
struct Starvation {
  sim::Time longest_wait = 0;
  std::uint64_t most_passed_over = 0;  // commands that began to wait later and were served, or given up, before it
};

class WaitingCommands {
 public:
  WaitingCommands() { candidates_.reserve(kTags); }

  bool empty() const { return candidates_.empty(); }
  std::size_t size() const { return candidates_.size(); }
  Candidate& operator[](std::size_t i) { return candidates_[i]; }
  const Candidate& operator[](std::size_t i) const { return candidates_[i]; }

  // The index of the command with that tag; size() when it does not wait.
  std::size_t find(unsigned tag) const {
    std::size_t i = 0;
    while (i < candidates_.size() && candidates_[i].tag != tag) ++i;
    return i;
  }
  void add(sim::Time now, std::uint64_t lba, const Location& location, bool write, unsigned tag, bool high_priority) {
    const Candidate added{lba, location, write, tag, now, arrivals_++};
    if (!high_priority) return candidates_.push_back(added);
    candidates_.insert(candidates_.begin() + static_cast<std::ptrdiff_t>(high_priority_++), added);
  }
  // From `index` on the first read whose movement would go to [first, last]; size() when there is none.
  std::size_t find_read(std::size_t index, std::uint64_t first, std::uint64_t last) const {
    const Candidate* const begin = candidates_.data();
    const Candidate* const end = begin + candidates_.size();
    const Candidate* one = begin + index;
    while (one != end && (one->write || one->lba < first || one->lba > last)) ++one;
    return static_cast<std::size_t>(one - begin);
  }
  // The write whose movement would go to `lba`.
  std::size_t find_write(std::uint64_t lba) const {
    std::size_t i = 0;
    while (i < candidates_.size() && !(candidates_[i].write && candidates_[i].lba == lba)) ++i;
    return i;
  }
  // While a command of high priority waits the policy sees no other.
  std::size_t pick(const PickPolicy& policy, const Outlook& outlook) const {
    const std::size_t seen = high_priority_ != 0 ? high_priority_ : candidates_.size();
    return seen == 1 ? 0 : policy.pick(outlook, candidates_.data(), seen);
  }
  Candidate take(sim::Time now, std::size_t index) {
    const Candidate taken = candidates_[index];
    Starvation& figures = starvation_[taken.tag];
    figures.longest_wait = std::max(figures.longest_wait, now - taken.since);
    figures.most_passed_over =
        std::max(figures.most_passed_over, arrivals_ - 1 - taken.arrival - younger_than(taken, index));
    remove(index);
    return taken;
  }
  // The command is given up.
  void remove(std::size_t index) {
    candidates_.erase(candidates_.begin() + static_cast<std::ptrdiff_t>(index));
    if (index < high_priority_) --high_priority_;
  }
  void clear() {
    candidates_.clear();
    high_priority_ = 0;
  }
  const Starvation& starvation(unsigned tag) const { return starvation_[tag]; }

 private:
  std::uint64_t younger_than(const Candidate& one, std::size_t index) const {
    if (high_priority_ == 0) return candidates_.size() - 1 - index;
    return static_cast<std::uint64_t>(std::count_if(
        candidates_.begin(), candidates_.end(), [&](const Candidate& other) { return other.arrival > one.arrival; }));
  }

  std::vector<Candidate> candidates_;
  std::size_t high_priority_ = 0;  // so many of the first
  std::uint64_t arrivals_ = 0;
  std::array<Starvation, kTags> starvation_{};
};

}  // namespace ncqlab::drive
