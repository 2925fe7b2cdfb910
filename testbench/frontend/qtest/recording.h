// A machine's history as text, from which the same machine can be made again: this is how a machine migrates. The model
// is deterministic, so its history is its state.
//
//   ncqlab-qtest-history 1
//   line EVENTS PICOSECONDS REQUEST      one qtest request, and where the machine had come to when it was answered
//   tray open|close|remove ID            what the monitor's hands did to an optical drive
//   tray insert ID FILE
//   end running|stopped FINGERPRINT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "testbench/frontend/qtest/machine.h"

namespace ncqlab::qtest {

class Recording {
 public:
  // A history of more bytes than that is not kept.
  static constexpr std::size_t kMostBytes = 256U << 20;

  void add_line(std::string_view line, const Progress& progress);
  void add_tray(std::string_view deed);
  // The whole history of another machine is the beginning of this one's.
  void continue_from(std::string_view history);
  bool complete() const { return !overflowed_; }
  // The whole history up to now. complete() only.
  std::string text(bool stopped, std::uint64_t fingerprint) const;

 private:
  void add(std::string line);

  std::string lines_;
  bool overflowed_ = false;
};

// What the receiving side answers once the machine is there: only then has it left the sending side.
inline constexpr std::string_view kMigrated = "migrated\n";

// Brings a new machine to where the history ends. Throws std::runtime_error when the text is no whole history, or when
// the machine does not become the one that was recorded: then it is of another make.
void replay(std::string_view text, Machine& machine);

// The longest text that replay() has to be ready for.
inline constexpr std::size_t kLongestHistory = Recording::kMostBytes + 1024;

}  // namespace ncqlab::qtest
