// The one event queue of a machine: stable, keyed (time, sequence).
//
// Two events of one time run in the order in which they were posted, whatever else is pending. (Native SystemC ties
// come out in heap order, and an unrelated event reorders them; that is why SystemC only hosts this queue.)
//
// Every event belongs to an owner. When the owner is gone (a drive was pulled), its pending events are skipped: the
// owner's generation no longer matches. Nothing is ever searched for or erased.
#pragma once

#include <cstdint>
#include <vector>

#include "model/sim/time.h"

namespace ncqlab::sim {

class EventQueue {
 public:
  using Callback = void (*)(void* object, std::uint64_t argument);

  struct Owner {
    std::uint32_t slot = 0;
    std::uint32_t generation = 0;
  };

  // A place in the order, taken now and filled later: see Controller's DMA through a foreign interconnect, whose
  // completion must keep the place that the pure model would have given it.
  struct Key {
    Time when;
    std::uint64_t sequence;
  };

  EventQueue();
  EventQueue(const EventQueue&) = delete;
  EventQueue& operator=(const EventQueue&) = delete;

  Time now() const { return now_; }
  Time next_time() const { return heap_.empty() ? kNever : heap_.front().key.when; }
  bool empty() const { return heap_.empty(); }
  std::uint64_t executed() const { return executed_; }
  // The key of the event that runs now.
  Key current_key() const { return current_; }

  Owner add_owner();
  void remove_owner(Owner owner);

  // Posts `callback(object, argument)` for time `when`, not before now. Throws TimeLimitError beyond kTimeLimit.
  void post(Time when, Owner owner, Callback callback, void* object, std::uint64_t argument = 0);
  // The same with a key that was taken earlier (current_key()); it must not lie before the last one executed.
  void post_keyed(Key key, Owner owner, Callback callback, void* object, std::uint64_t argument = 0);

  // Time has passed without an event (a host's foreign processes had the word): now() becomes `when`, unless that lies
  // in the past, but never passes an event that is due.
  void advance_to(Time when);

  // Runs the event with the smallest key. False when there is none.
  bool run_one();

  // Asks whoever runs the queue to return after the event that runs now. Hosts test and clear it.
  void request_stop() { stop_requested_ = true; }
  bool take_stop_request() {
    const bool requested = stop_requested_;
    stop_requested_ = false;
    return requested;
  }
  bool stop_requested() const { return stop_requested_; }

  // Asks the SystemC host to let other processes of the kernel run before the next event; the bare host has none.
  void request_yield() { yield_requested_ = true; }
  bool take_yield_request() {
    const bool requested = yield_requested_;
    yield_requested_ = false;
    return requested;
  }

 private:
  struct Entry {
    Key key;
    Callback callback;
    void* object;
    std::uint64_t argument;
    Owner owner;
  };

  static bool before(const Key& a, const Key& b) {
    return a.when != b.when ? a.when < b.when : a.sequence < b.sequence;
  }
  void push(const Entry& entry);
  Entry pop();

  std::vector<Entry> heap_;  // 4-ary
  std::vector<std::uint32_t> generations_;
  std::vector<std::uint32_t> free_slots_;
  Time now_ = 0;
  Key current_{0, 0};
  std::uint64_t next_sequence_ = 1;
  std::uint64_t executed_ = 0;
  bool stop_requested_ = false;
  bool yield_requested_ = false;
};

}  // namespace ncqlab::sim
