// Base of everything that schedules itself on the event queue: posts its own member functions, and takes its pending
// events with it when it goes.
//
//   class Port : private sim::Actor {
//     void fetch_command(std::uint64_t slot);
//     ... post_after<&Port::fetch_command>(latency, slot);
//   };
#pragma once

#include "model/sim/event_queue.h"

namespace ncqlab::sim {

class Actor {
 public:
  explicit Actor(EventQueue& queue) : queue_(&queue), owner_(queue.add_owner()) {}
  Actor(const Actor&) = delete;
  Actor& operator=(const Actor&) = delete;

  EventQueue& queue() const { return *queue_; }
  Time now() const { return queue_->now(); }

 protected:
  ~Actor() { queue_->remove_owner(owner_); }

  template <auto Method>
  void post_at(Time when, std::uint64_t argument = 0) {
    queue_->post(when, owner_, &call<Method>, this, argument);
  }
  template <auto Method>
  void post_after(Time delay, std::uint64_t argument = 0) {
    post_at<Method>(queue_->now() + delay, argument);
  }
  template <auto Method>
  void post_keyed(EventQueue::Key key, std::uint64_t argument = 0) {
    queue_->post_keyed(key, owner_, &call<Method>, this, argument);
  }

  // Forgets every pending event of this actor at once (power cut, reset).
  void drop_pending_events() {
    queue_->remove_owner(owner_);
    owner_ = queue_->add_owner();
  }

 private:
  template <class Derived>
  static Derived* self(void (Derived::*)(std::uint64_t), void* object) {
    return (Derived*)static_cast<Actor*>(object);  // a static_cast that also reaches a private base
  }
  template <auto Method>
  static void call(void* object, std::uint64_t argument) {
    (self(Method, object)->*Method)(argument);
  }

  EventQueue* queue_;
  EventQueue::Owner owner_;
};

}  // namespace ncqlab::sim
