#include "model/sim/event_queue.h"

#include <algorithm>
#include <stdexcept>

namespace ncqlab::sim {

namespace {
constexpr std::size_t kArity = 4;
}

EventQueue::EventQueue() {
  heap_.reserve(256);
  generations_.push_back(0);  // slot 0: owner that never dies
}

EventQueue::Owner EventQueue::add_owner() {
  if (!free_slots_.empty()) {
    const std::uint32_t slot = free_slots_.back();
    free_slots_.pop_back();
    return {slot, generations_[slot]};
  }
  generations_.push_back(0);
  return {static_cast<std::uint32_t>(generations_.size() - 1), 0};
}

void EventQueue::remove_owner(Owner owner) {
  if (owner.slot == 0 || generations_[owner.slot] != owner.generation) return;
  ++generations_[owner.slot];
  free_slots_.push_back(owner.slot);
}

void EventQueue::post(Time when, Owner owner, Callback callback, void* object, std::uint64_t argument) {
  if (when < now_) throw std::logic_error("an event was posted into the past");
  if (when > kTimeLimit) throw TimeLimitError(when);
  push({{when, next_sequence_++}, callback, object, argument, owner});
}

void EventQueue::post_keyed(Key key, Owner owner, Callback callback, void* object, std::uint64_t argument) {
  if (before(key, current_)) throw std::logic_error("an event was posted into the past");
  if (key.when > kTimeLimit) throw TimeLimitError(key.when);
  push({key, callback, object, argument, owner});
}

void EventQueue::advance_to(Time when) { now_ = std::max(now_, std::min(when, next_time())); }

bool EventQueue::run_one() {
  if (heap_.empty()) return false;
  const Entry entry = pop();
  now_ = entry.key.when;
  current_ = entry.key;
  if (generations_[entry.owner.slot] != entry.owner.generation) return true;
  ++executed_;
  entry.callback(entry.object, entry.argument);
  return true;
}

void EventQueue::push(const Entry& entry) {
  heap_.push_back(entry);
  std::size_t hole = heap_.size() - 1;
  while (hole > 0) {
    const std::size_t parent = (hole - 1) / kArity;
    if (!before(entry.key, heap_[parent].key)) break;
    heap_[hole] = heap_[parent];
    hole = parent;
  }
  heap_[hole] = entry;
}

EventQueue::Entry EventQueue::pop() {
  const Entry top = heap_.front();
  const Entry last = heap_.back();
  heap_.pop_back();
  const std::size_t size = heap_.size();
  if (size == 0) return top;
  std::size_t hole = 0;
  for (;;) {
    const std::size_t first = hole * kArity + 1;
    if (first >= size) break;
    const std::size_t end = std::min(first + kArity, size);
    std::size_t smallest = first;
    for (std::size_t child = first + 1; child < end; ++child) {
      if (before(heap_[child].key, heap_[smallest].key)) smallest = child;
    }
    if (!before(heap_[smallest].key, last.key)) break;
    heap_[hole] = heap_[smallest];
    hole = smallest;
  }
  heap_[hole] = last;
  return top;
}

}  // namespace ncqlab::sim
