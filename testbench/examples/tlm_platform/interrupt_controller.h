// A clocked module of the platform's own: samples the controllers' interrupt lines at 100 MHz, latches, tells the CPU.
#pragma once

#include <systemc>

namespace example {

class InterruptController final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(InterruptController);
  explicit InterruptController(const sc_core::sc_module_name& name) : sc_module(name), clock("clock") {
    SC_METHOD(sample);
    sensitive << clock.pos();
    dont_initialize();
  }

  sc_core::sc_in<bool> clock;
  sc_core::sc_in<bool> lines[2];

  // The lines as sampled last; `raised` is notified at a rising edge of one.
  bool pending(unsigned line) const { return latched_[line]; }
  const sc_core::sc_event& raised() const { return raised_; }

 private:
  void sample() {
    bool rising = false;
    for (unsigned i = 0; i < 2; ++i) {
      const bool level = lines[i].read();
      rising = rising || (level && !latched_[i]);
      latched_[i] = level;
    }
    if (rising) raised_.notify(sc_core::SC_ZERO_TIME);
  }

  bool latched_[2] = {false, false};
  sc_core::sc_event raised_;
};

}  // namespace example
