// One client's machine and its history: what the monitor and the qtest line protocol have in common.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "testbench/frontend/qtest/machine.h"
#include "testbench/frontend/qtest/protocol.h"
#include "testbench/frontend/qtest/recording.h"

namespace ncqlab::qtest {

// Names as QMP's RunState.
enum class RunState : std::uint8_t { prelaunch, running, paused, io_error, inmigrate, postmigrate };

// What the monitor is told without having asked.
struct Event {
  enum class Kind : std::uint8_t { stop, resume, block_io_error, tray_moved } kind = Kind::stop;
  BlockError error;  // of block_io_error
  TrayMove tray;     // of tray_moved
  sim::Time time = 0;
};

struct SessionOptions {
  MachineSpec machine;
  sim::Time step = 0;
  RunState state = RunState::running;
  bool keep_history = false;  // so that the machine can migrate
};

class Session {
 public:
  explicit Session(const SessionOptions& options);

  // As Protocol's.
  std::string execute(std::string_view line);
  std::string refuse_long_line() const { return protocol_.refuse_long_line(); }

  RunState state() const { return state_; }
  void stop();
  void resume();
  std::vector<Event> take_events();

  // A deed of tray_deeds.h: what is wrong with it, or nothing.
  std::optional<std::string> move_tray(std::string_view deed);

  // The history to send to another machine. Throws std::runtime_error when it has not been kept.
  std::string history() const;
  // The other side has it: the machine stops, and belongs to the other side from now on, its images too.
  void migrate_away();
  // The other side of that. Throws std::runtime_error (recording.h).
  void migrate_here(std::string_view history);

  Machine& machine() { return *machine_; }
  // At the end. Throws std::runtime_error when a file can't be written.
  void write_back() const;

 private:
  void tell(Event event);
  void note_block_errors();
  void note_tray_moves();

  SessionOptions options_;
  std::unique_ptr<Machine> machine_;
  Protocol protocol_;
  RunState state_;
  Recording recording_;
  std::vector<Event> events_;
};

}  // namespace ncqlab::qtest
