#include "testbench/lab/cpu.h"

#include <algorithm>
#include <stdexcept>

#include "testbench/lab/log.h"

namespace ncqlab::lab {

namespace {
// A level-triggered line that stays asserted although its handler says that it cleared the cause, or a driver that
// reads for ever: the run ends with an error instead of a hang.
constexpr unsigned kMostHandlerCallsInARow = 10'000;
}  // namespace

InProcessCpu::InProcessCpu(Machine& machine)
    : Actor(machine.queue()),
      machine_(machine),
      read_request_(machine.spec().controller.bus.register_read_request),
      read_reply_(machine.spec().controller.bus.register_read_reply),
      write_way_(machine.spec().controller.bus.register_write),
      writes_held_(machine.spec().controller.bus.posted_writes_held),
      contends_(machine.fabric().bus().registers_contend()),
      ahci_(std::make_unique<driver::Ahci>()) {
  machine_.fabric().connect_interrupts(this);
}

InProcessCpu::~InProcessCpu() { machine_.fabric().connect_interrupts(nullptr); }

bool InProcessCpu::attach(const driver::Options& options, sim::Time limit, driver::Platform* seam) {
  if (!ahci_->start(seam == nullptr ? *this : *seam, options)) return false;
  return run([this] { return ahci_->settled(); }, now() + limit);
}

// ---- register accesses

std::uint32_t InProcessCpu::read32(std::uint32_t offset) {
  ++register_reads_;
  if (!held_writes_.empty()) release_held_writes();
  // A read pushes the posted writes before it (PCI ordering).
  const sim::Time sampled_at = std::max(now() + read_request_, last_write_arrival_);
  const Waiting before = waiting_;
  waiting_ = Waiting::for_answer;
  if (!read_without_events(sampled_at, offset)) {
    while (!answered_) {
      if (machine_.host().run() == sim::Host::Ended::nothing_left && !answered_) {
        throw std::logic_error("the event queue ran dry during a register read");
      }
    }
  }
  waiting_ = before;
  const std::uint32_t value = sampled_;
  deliver_interrupts();
  return value;
}

// When nothing else lies in between, sampling and answer need no events: the same instants, the same order. True: the
// answer is there.
bool InProcessCpu::read_without_events(sim::Time sampled_at, std::uint32_t offset) {
  answered_ = false;
  if (contends_ || !machine_.host().time_may_jump() || queue().next_time() <= sampled_at) {
    post_at<&InProcessCpu::read_arrives>(sampled_at, offset);
    return false;
  }
  queue().advance_to(sampled_at);
  sampled_ = machine_.fabric().register_read(offset);
  const sim::Time answered_at = sampled_at + read_reply_;
  if (queue().next_time() <= answered_at) {
    post_at<&InProcessCpu::answer>(answered_at);
    return false;
  }
  queue().advance_to(answered_at);
  return true;
}

void InProcessCpu::read_arrives(std::uint64_t offset) {
  if (!contends_) return sample(offset);
  post_at<&InProcessCpu::sample>(machine_.fabric().bus().cross(true), offset);
}

void InProcessCpu::sample(std::uint64_t offset) {
  sampled_ = machine_.fabric().register_read(static_cast<std::uint32_t>(offset));
  post_after<&InProcessCpu::answer>(read_reply_);
}

void InProcessCpu::answer(std::uint64_t) {
  answered_ = true;
  queue().request_stop();
}

void InProcessCpu::write32(std::uint32_t offset, std::uint32_t value) {
  ++register_writes_;
  const std::uint64_t offset_and_value = static_cast<std::uint64_t>(offset) << 32 | value;
  if (writes_held_ == 0) {
    send_write(offset_and_value);
  } else {
    held_writes_.push_back(offset_and_value);
    if (held_writes_.size() == 1) post_after<&InProcessCpu::hold_over>(writes_held_, ++hold_serial_);
  }
  deliver_interrupts();
}

void InProcessCpu::hold_over(std::uint64_t serial) {
  if (serial == hold_serial_) release_held_writes();
}

void InProcessCpu::release_held_writes() {
  ++hold_serial_;
  for (const std::uint64_t offset_and_value : held_writes_) send_write(offset_and_value);
  held_writes_.clear();
}

void InProcessCpu::send_write(std::uint64_t offset_and_value) {
  last_write_arrival_ = std::max(last_write_arrival_, now() + write_way_);
  post_at<&InProcessCpu::write_arrives>(last_write_arrival_, offset_and_value);
}

void InProcessCpu::write_arrives(std::uint64_t offset_and_value) {
  if (!contends_) return apply_write(offset_and_value);
  post_at<&InProcessCpu::apply_write>(machine_.fabric().bus().cross(false), offset_and_value);
}

void InProcessCpu::apply_write(std::uint64_t offset_and_value) {
  machine_.fabric().register_write(static_cast<std::uint32_t>(offset_and_value >> 32),
                                   static_cast<std::uint32_t>(offset_and_value));
}

// ---- interrupts

void InProcessCpu::level(bool asserted) {
  line_asserted_ = asserted;
  if (asserted) interrupt_arrived();
}

void InProcessCpu::message(std::uint32_t) {
  message_pending_ = true;
  interrupt_arrived();
}

void InProcessCpu::interrupt_arrived() {
  if (waiting_ == Waiting::interruptibly && !masked_ && !in_handler_) queue().request_stop();
}

void InProcessCpu::deliver_interrupts() {
  unsigned calls = 0;
  while ((message_pending_ || line_asserted_) && !masked_ && !in_handler_) {
    message_pending_ = false;
    in_handler_ = true;
    ++interrupts_;
    const bool ours = ahci_->interrupt();
    in_handler_ = false;
    if (ours) service_wanted_ = true;
    // An unclaimed level stays up: somebody else's, or a controller that asserts for nothing.
    if (!ours && !message_pending_) break;
    if (++calls == kMostHandlerCallsInARow)
      throw std::runtime_error("interrupt storm: the handler can't clear the cause");
  }
}

void InProcessCpu::unmask_interrupt() {
  masked_ = false;
  deliver_interrupts();
}

// ---- time

std::uint64_t InProcessCpu::now_ns() { return static_cast<std::uint64_t>(now() / sim::kNanosecond); }

void InProcessCpu::delay_ns(std::uint32_t ns) {
  const std::uint64_t serial = ++delay_serial_;
  delay_over_ = false;
  post_after<&InProcessCpu::delay_over>(ns * sim::kNanosecond, serial);
  const Waiting before = waiting_;
  waiting_ = Waiting::interruptibly;
  while (!delay_over_) {
    deliver_interrupts();
    if (!delay_over_) machine_.host().run();
  }
  waiting_ = before;
  delay_over_ = false;
}

void InProcessCpu::delay_over(std::uint64_t serial) {
  if (serial != delay_serial_) return;
  delay_over_ = true;
  queue().request_stop();
}

void InProcessCpu::set_timer(std::uint64_t deadline_ns) {
  ++timer_serial_;
  if (deadline_ns == driver::kNever) return;
  const sim::Time deadline = static_cast<sim::Time>(deadline_ns) * sim::kNanosecond;
  post_at<&InProcessCpu::timer_due>(std::max(deadline, now()), timer_serial_);
}

void InProcessCpu::timer_due(std::uint64_t serial) {
  if (serial != timer_serial_) return;
  service_wanted_ = true;
  if (waiting_ != Waiting::for_answer) queue().request_stop();
}

void InProcessCpu::wake_at(sim::Time when, Sleeper& sleeper, std::uint64_t user) {
  std::uint64_t index = wakes_.size();
  if (free_wakes_.empty()) {
    wakes_.push_back({});
  } else {
    index = free_wakes_.back();
    free_wakes_.pop_back();
  }
  wakes_[index] = {&sleeper, user};
  post_at<&InProcessCpu::wake_due>(std::max(when, now()), index);
}

void InProcessCpu::wake_due(std::uint64_t index) {
  due_wakes_.push_back(index);
  if (waiting_ != Waiting::for_answer) queue().request_stop();
}

// ---- the main loop

// What is to be done outside the queue at this instant. False: nothing.
bool InProcessCpu::work() {
  deliver_interrupts();
  if (service_wanted_) {
    service_wanted_ = false;
    ahci_->service();
    return true;
  }
  if (due_wakes_.empty()) return false;
  const std::uint64_t index = due_wakes_.front();
  due_wakes_.erase(due_wakes_.begin());
  const Wake wake = wakes_[index];
  free_wakes_.push_back(index);
  wake.sleeper->wake(wake.user);
  return true;
}

bool InProcessCpu::run(const std::function<bool()>& finished, sim::Time until) {
  const std::uint64_t serial = ++limit_serial_;
  limit_reached_ = false;
  bool limit_posted = false;
  waiting_ = Waiting::interruptibly;
  while (!finished()) {
    if (work()) continue;
    if (limit_reached_) return false;
    if (!limit_posted && until < sim::kTimeLimit) {
      post_at<&InProcessCpu::limit_reached>(std::max(until, now()), serial);
      limit_posted = true;
    }
    if (machine_.host().run() == sim::Host::Ended::nothing_left && due_wakes_.empty() && !service_wanted_ &&
        !message_pending_) {
      return finished();
    }
  }
  ++limit_serial_;
  return true;
}

void InProcessCpu::limit_reached(std::uint64_t serial) {
  if (serial != limit_serial_) return;
  limit_reached_ = true;
  queue().request_stop();
}

bool InProcessCpu::allocate_dma(std::size_t bytes, std::size_t alignment, driver::DmaMemory& out) {
  const host::Block block = machine_.memory().allocate(bytes, alignment);
  out = {block.cpu, block.address, static_cast<std::size_t>(block.bytes)};
  return true;
}

void InProcessCpu::sync_for_device(const driver::DmaMemory& memory, std::size_t offset, std::size_t bytes) {
  machine_.memory().sync_for_device(memory.bus_address + offset, bytes);
}

void InProcessCpu::sync_for_cpu(const driver::DmaMemory& memory, std::size_t offset, std::size_t bytes) {
  machine_.memory().sync_for_cpu(memory.bus_address + offset, bytes);
}

void InProcessCpu::log(driver::LogLevel level, const char* message) {
  static constexpr Level kLevels[] = {Level::debug, Level::info, Level::warning, Level::error};
  lab::log(kLevels[static_cast<std::size_t>(level)], now(), "driver", message);
}

}  // namespace ncqlab::lab
