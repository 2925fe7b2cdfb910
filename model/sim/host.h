// Who owns time. A machine has exactly one host; it runs the queue's events in key order.
//
// No driver, guest or foreign code runs inside a queue callback. What wants to run the driver (an interrupt, an answer
// to a register read, the end of a delay) calls EventQueue::request_stop() in its event; run() then returns to the
// program that drives the machine, with everything of a smaller key done and nothing of a larger one.
#pragma once

#include "model/sim/event_queue.h"

namespace ncqlab::sim {

class Host {
 public:
  virtual ~Host() = default;

  enum class Ended { stop_requested, nothing_left };
  // Runs events until one requests a stop, or none is left.
  virtual Ended run() = 0;
  virtual EventQueue& queue() = 0;

  // True when a program outside the queue may move time with EventQueue::advance_to() while nothing is pending in
  // between. False where a kernel keeps a clock of its own.
  virtual bool time_may_jump() const { return false; }

  // For code that has the word beside the queue's events while run() lasts (foreign SystemC processes): synchronise()
  // before it looks at or posts to the queue, so that now() is the host's present; wake() after it has posted.
  virtual void synchronise() {}
  virtual void wake() {}
};

// The queue alone: no kernel, fastest.
class BareHost final : public Host {
 public:
  Ended run() override;
  EventQueue& queue() override { return queue_; }
  bool time_may_jump() const override { return true; }

 private:
  EventQueue queue_;
};

}  // namespace ncqlab::sim
