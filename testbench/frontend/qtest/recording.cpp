#include "testbench/frontend/qtest/recording.h"

#include <algorithm>
#include <stdexcept>

#include "testbench/frontend/qtest/protocol.h"
#include "testbench/frontend/qtest/text.h"
#include "testbench/frontend/qtest/tray_deeds.h"

namespace ncqlab::qtest {

namespace {

constexpr std::string_view kHeader = "ncqlab-qtest-history 1";

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error("migration: " + what); }

std::uint64_t number_of(std::string_view word) {
  const auto number = parse_number(word);
  if (!number) fail("'" + shown(word) + "' is no number");
  return *number;
}

// The next line of `text`, which it takes off.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) fail("the history ends early");
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end + 1);
  return line;
}

std::string_view take_word(std::string_view& line) {
  const std::size_t end = std::min(line.find(' '), line.size());
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(std::min(end + 1, line.size()));
  return word;
}

}  // namespace

void Recording::add(std::string line) {
  if (overflowed_) return;
  line += '\n';
  if (lines_.size() + line.size() > kMostBytes) {
    overflowed_ = true;
    lines_ = std::string();
  } else {
    lines_ += line;
  }
}

void Recording::add_line(std::string_view line, const Progress& progress) {
  add("line " + std::to_string(progress.events) + ' ' + std::to_string(progress.time) + ' ' + std::string(line));
}

void Recording::add_tray(std::string_view deed) { add("tray " + std::string(deed)); }

// All but the first line and the last.
void Recording::continue_from(std::string_view history) {
  const std::size_t begin = history.find('\n') + 1;
  const std::size_t end = history.rfind('\n', history.size() - 2) + 1;
  lines_ = history.substr(begin, end - begin);
}

std::string Recording::text(bool stopped, std::uint64_t fingerprint) const {
  return std::string(kHeader) + '\n' + lines_ + "end " + (stopped ? "stopped " : "running ") +
         std::to_string(fingerprint) + '\n';
}

void replay(std::string_view text, Machine& machine) {
  if (take_line(text) != kHeader) fail("this is no history of a machine");
  Protocol protocol(machine, 0);
  for (;;) {
    std::string_view line = take_line(text);
    const std::string_view kind = take_word(line);
    if (kind == "line") {
      const std::uint64_t events = number_of(take_word(line));
      const std::uint64_t time = number_of(take_word(line));
      if (time > static_cast<std::uint64_t>(sim::kTimeLimit)) fail("a time beyond all");
      machine.follow(Progress{events, static_cast<sim::Time>(time)});
      protocol.execute(line);
    } else if (kind == "tray") {
      if (const auto problem = move_tray(machine, line)) fail(*problem);
    } else if (kind == "end") {
      machine.follow(std::nullopt);
      if (take_word(line) == "stopped") machine.stop();
      if (number_of(take_word(line)) != machine.fingerprint()) fail("the machine here is not of the same make");
      return;
    } else {
      fail("'" + shown(kind) + "' is not known here");
    }
  }
}

}  // namespace ncqlab::qtest
