#include "model/sim/systemc/systemc_host.h"

#include <exception>
#include <systemc>
#include <utility>

#include "model/sim/systemc/sanitizer_stack.h"

namespace ncqlab::sim {

namespace {

// reset() keeps the report handler, its actions and its counts.
void restore_reports() {
  using sc_core::sc_report_handler;
  sc_report_handler::set_handler(&sc_report_handler::default_handler);
  sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DEFAULT_INFO_ACTIONS);
  sc_report_handler::set_actions(sc_core::SC_WARNING, sc_core::SC_DEFAULT_WARNING_ACTIONS);
  sc_report_handler::set_actions(sc_core::SC_ERROR, sc_core::SC_DEFAULT_ERROR_ACTIONS);
  sc_report_handler::set_actions(sc_core::SC_FATAL, sc_core::SC_DEFAULT_FATAL_ACTIONS);
}

}  // namespace

KernelGuard::KernelGuard() {
  sc_core::sc_get_curr_simcontext()->reset();
  restore_reports();
}

KernelGuard::~KernelGuard() {
  sc_core::sc_get_curr_simcontext()->reset();
  restore_reports();
}

namespace {

// libsystemc has a main() that wants an sc_main(). Ours is in an archive member of its own, so that a user's own
// sc_main() comes first; this reference takes it in when there is none.
[[gnu::used]] int (*const kScMain)(int, char**) = &sc_main;

sc_core::sc_time to_sc_time(Time duration) {
  // The kernel's default resolution is 1 ps, the unit of sim::Time; nobody may change it (sc_set_time_resolution).
  return sc_core::sc_time::from_value(static_cast<sc_dt::uint64>(duration));
}

class SystemcHost final : public Host, public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(SystemcHost);

  explicit SystemcHost(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_METHOD(run_queue);  // from the start: on a foreign platform nobody calls run()
    sensitive << resume_;
  }

  EventQueue& queue() override { return queue_; }
  void synchronise() override { queue_.advance_to(kernel_now()); }
  void wake() override { resume_.notify(sc_core::SC_ZERO_TIME); }

  Ended run() override {
    if (queue_.take_stop_request()) return Ended::stop_requested;
    running_ = true;
    wake();
    // Returns when run_queue() has paused the kernel, or when nothing at all is pending any more.
    sc_core::sc_start();
    tell_sanitizer_of_main_stack();
    running_ = false;
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    return queue_.take_stop_request() ? Ended::stop_requested : Ended::nothing_left;
  }

 private:
  static Time kernel_now() { return static_cast<Time>(sc_core::sc_time_stamp().value()); }

  void run_queue() {
    tell_sanitizer_of_main_stack();
    for (;;) {
      if (yielded_deltas_ > 0) {
        // Other processes were given this delta cycle; METHODs run before THREADs, so one more makes it certain.
        --yielded_deltas_;
        if (yielded_deltas_ > 0) return next_trigger(sc_core::SC_ZERO_TIME);
      }
      if (queue_.stop_requested()) return pause();
      const Time next = queue_.next_time();
      if (next == kNever) return next_trigger(resume_);
      if (next > kernel_now()) return next_trigger(to_sc_time(next - kernel_now()), resume_);
      try {
        queue_.run_one();
      } catch (...) {
        if (!running_) throw;
        failure_ = std::current_exception();  // SystemC would make a report of it
        return pause();
      }
      if (queue_.take_yield_request()) {
        yielded_deltas_ = 2;
        return next_trigger(sc_core::SC_ZERO_TIME);
      }
    }
  }

  void pause() {
    next_trigger(resume_);
    sc_core::sc_pause();
  }

  EventQueue queue_;
  sc_core::sc_event resume_;
  bool running_ = false;
  int yielded_deltas_ = 0;
  std::exception_ptr failure_;
};

}  // namespace

std::unique_ptr<Host> make_systemc_host(const char* module_name) { return std::make_unique<SystemcHost>(module_name); }

}  // namespace ncqlab::sim
