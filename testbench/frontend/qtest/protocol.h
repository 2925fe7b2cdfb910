// The qtest line protocol: one line is one request, carried out at once and answered with one line (as in QEMU 7.2,
// softmmu/qtest.c, whose comment describes it).
//
// Every request but a clock command then takes `step` of the machine's time, before it is answered: so a client that
// polls, or waits for an interrupt, sees the machine go on, and the same lines give the same run. A clock command takes
// exactly what it says.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/sim/time.h"
#include "testbench/frontend/qtest/guest.h"

namespace ncqlab::qtest {

// A transfer of kMostBytes as hexadecimal digits fits into a line.
inline constexpr std::size_t kMostBytes = 32U << 20;
inline constexpr std::size_t kLongestLine = 2 * kMostBytes + 256;

// Where clock commands end: what is under way then still finds room below sim::kTimeLimit.
inline constexpr sim::Time kClockLimit = sim::kTimeLimit - 100 * sim::kHour;

class Protocol {
 public:
  Protocol(Guest& guest, sim::Time step) : guest_(&guest), step_(step) {}

  // Carries out one line and returns what to send: "IRQ raise 16\n" and the like if interrupts are intercepted, then
  // "OK ...\n" or "FAIL ...\n". Nothing for a blank line and for a comment, which begins with #: they take no time.
  std::string execute(std::string_view line);

  // For a line that was longer than kLongestLine.
  std::string refuse_long_line() const;

  // Another machine has taken the first one's place.
  void set_guest(Guest& guest) { guest_ = &guest; }
  Guest& guest() { return *guest_; }

 private:
  using Words = std::vector<std::string_view>;
  // Returns the answer without its newline.
  using Handler = std::string (Protocol::*)(const Words& words);
  struct Command {
    Handler handler;
    std::size_t arguments;
    const char* form;  // of the arguments
    bool clock = false;
  };
  static const std::map<std::string_view, Command>& commands();

  std::string port_out(const Words& words);
  std::string port_in(const Words& words);
  std::string write_value(const Words& words);
  std::string read_value(const Words& words);
  std::string read(const Words& words);
  std::string write(const Words& words);
  std::string fill(const Words& words);
  std::string base64_read(const Words& words);
  std::string base64_write(const Words& words);
  std::string endianness(const Words& words);
  std::string clock_step(const Words& words);
  std::string clock_set(const Words& words);
  std::string intercept(const Words& words);
  std::string set_irq_in(const Words& words);
  std::string module_load(const Words& words);

  std::string run_clock(sim::Time until);
  std::string irq_lines();

  Guest* guest_;
  sim::Time step_;
  bool intercepting_ = false;
  std::map<unsigned, bool> irq_levels_;  // as the client was told
};

}  // namespace ncqlab::qtest
