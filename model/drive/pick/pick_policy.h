// Which of the waiting commands the arm serves next: one interface, one file per policy.
#pragma once

#include <algorithm>
#include <memory>
#include <string>

#include "model/drive/mechanics/mechanism.h"
#include "model/drive/pick/profile.h"

namespace ncqlab::drive {

// A command that waits for the arm.
struct Candidate {
  std::uint64_t lba = 0;  // where the movement goes: of a read, behind what the cache holds of it
  Location location;      // of that
  bool write = false;
  unsigned tag = 0;
  sim::Time since = 0;        // it waits
  std::uint64_t arrival = 0;  // a serial number: it began to wait as the so-manieth
};

// Where the arm is when a choice is made.
struct Outlook {
  const Mechanism& mechanism;
  sim::Time start;    // of the movement to what is chosen
  std::uint64_t lba;  // behind the last pass
};

class PickPolicy {
 public:
  virtual ~PickPolicy() = default;
  // The index of the choice among `count` > 0 candidates in the order of their arrival, of which the policy sees the
  // oldest, as many as its window.
  std::size_t pick(const Outlook& outlook, const Candidate* candidates, std::size_t count) const {
    return choose(outlook, candidates, std::min(count, window_));
  }

 protected:
  explicit PickPolicy(const Queue& queue) : window_(queue.window) {}

 private:
  virtual std::size_t choose(const Outlook& outlook, const Candidate* candidates, std::size_t count) const = 0;

  std::size_t window_;
};

// "fifo", "elevator", "nearest", "shortest-positioning-time" or "aged-shortest-positioning-time"; null for another
// name.
std::unique_ptr<PickPolicy> make_pick_policy(const Queue& queue, const QueueAging& aging);

}  // namespace ncqlab::drive
