// The generations that a run of sectors may hold at present: nearly always one, so that one is stored in place.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "testbench/oracle/pattern.h"

namespace ncqlab::oracle {

// The oracle's own time: counts submissions and answers, so that "before" has a meaning within one picosecond.
using Moment = std::uint64_t;
inline constexpr Moment kOpen = UINT64_MAX;

struct Version {
  std::uint64_t generation = kFactory;
  Moment completed = 0;       // kOpen while the write is under way
  Moment superseded = kOpen;  // the earliest answer to a write that was submitted after `completed`

  // Whether a read submitted at that moment may return it.
  bool acceptable(Moment read_submitted) const { return superseded > read_submitted; }
  bool operator==(const Version& other) const {
    return generation == other.generation && completed == other.completed && superseded == other.superseded;
  }
};

class Versions {
 public:
  std::size_t size() const { return 1 + others_.size(); }
  const Version& first() const { return first_; }

  void add(const Version& version) { others_.push_back(version); }

  // Visits in order of generation.
  template <class Visit>
  void for_each(Visit visit) const {
    visit(first_);
    for (const Version& version : others_) visit(version);
  }
  template <class Visit>
  void for_each(Visit visit) {
    visit(first_);
    for (Version& version : others_) visit(version);
  }

  // Forgets what no read may return that is submitted at `oldest_read` or later. One version always stays: the last
  // write to be answered has nothing after it.
  void forget_before(Moment oldest_read) {
    if (others_.empty()) return;
    const auto last = std::remove_if(others_.begin(), others_.end(),
                                     [&](const Version& version) { return !version.acceptable(oldest_read); });
    others_.erase(last, others_.end());
    if (first_.acceptable(oldest_read) || others_.empty()) return;
    first_ = others_.front();
    others_.erase(others_.begin());
  }

  bool same_single(const Versions& other) const {
    return others_.empty() && other.others_.empty() && first_ == other.first_;
  }

 private:
  Version first_;
  std::vector<Version> others_;
};

}  // namespace ncqlab::oracle
