#include "testbench/frontend/qtest/blkdebug.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>

#include "testbench/frontend/qtest/option_string.h"
#include "testbench/frontend/qtest/text.h"

namespace ncqlab::qtest {

namespace {

constexpr std::uint64_t kMostStates = 31;
constexpr std::uint64_t kMostErrno = 4095;
constexpr std::size_t kMostRules = 1000;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string_view unquoted(std::string_view text) {
  return text.size() >= 2 && text.front() == '"' && text.back() == '"' ? text.substr(1, text.size() - 2) : text;
}

std::optional<BlockEvent> event_named(std::string_view name) {
  if (name == "read_aio") return BlockEvent::read;
  if (name == "write_aio") return BlockEvent::write;
  if (name == "flush_to_disk") return BlockEvent::flush;
  return std::nullopt;
}

}  // namespace

Blkdebug Blkdebug::parse(std::string_view text, const std::string& name) {
  Blkdebug result;
  std::size_t number = 0;
  std::vector<bool> has_event;
  const auto fail = [&](const std::string& what) {
    throw ArgumentError(name + ":" + std::to_string(number) + ": " + what);
  };
  const auto number_of = [&](std::string_view value, std::uint64_t most) {
    const auto parsed = parse_number(value);
    if (!parsed || *parsed > most) fail("'" + shown(value) + "' is no number from 0 to " + std::to_string(most));
    return static_cast<unsigned>(*parsed);
  };
  const auto flag_of = [&](std::string_view value) {
    if (value != "on" && value != "off") fail("'" + shown(value) + "' is not on or off");
    return value == "on";
  };

  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = trimmed(text.substr(begin, end - begin));
    begin = end + 1;
    ++number;
    if (line.empty() || line[0] == '#') continue;
    if (line == "[inject-error]" || line == "[set-state]") {
      if (result.rules_.size() == kMostRules) fail("more than " + std::to_string(kMostRules) + " rules");
      Rule rule;
      rule.injects = line == "[inject-error]";
      result.rules_.push_back(rule);
      has_event.push_back(false);
      continue;
    }
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos || result.rules_.empty()) {
      fail("expected [inject-error], [set-state] or KEY = \"VALUE\" below one of them");
    }
    const std::string_view key = trimmed(line.substr(0, equals));
    const std::string_view value = unquoted(trimmed(line.substr(equals + 1)));
    Rule& rule = result.rules_.back();
    if (key == "event") {
      const auto event = event_named(value);
      if (!event) fail("'" + shown(value) + "': the events are read_aio, write_aio and flush_to_disk");
      rule.event = *event;
      has_event.back() = true;
    } else if (key == "state") {
      rule.state = number_of(value, kMostStates);
    } else if (key == "new_state" && !rule.injects) {
      rule.new_state = number_of(value, kMostStates);
    } else if (key == "errno" && rule.injects) {
      rule.error = static_cast<int>(number_of(value, kMostErrno));
    } else if (key == "once" && rule.injects) {
      rule.once = flag_of(value);
    } else if (key == "immediately" && rule.injects) {
      flag_of(value);  // whether the error comes before or after QEMU's own queue: here there is none
    } else {
      fail("'" + shown(key) + "' is not known here");
    }
  }
  for (const bool named : has_event) {
    if (!named) throw ArgumentError(name + ": a rule without an event");
  }
  return result;
}

Blkdebug Blkdebug::load(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf() || file.peek() == std::ifstream::traits_type::eof())) {
    throw ArgumentError("blkdebug: can't read " + path);
  }
  return parse(text.str(), path);
}

// All rules see the state that was there before the event.
int Blkdebug::happen(BlockEvent event) {
  int error = 0;
  unsigned next = state_;
  for (Rule& rule : rules_) {
    if (rule.event != event || rule.spent || (rule.state != 0 && rule.state != state_)) continue;
    if (!rule.injects) {
      next = rule.new_state;
    } else if (error == 0) {
      error = rule.error;
      rule.spent = rule.once;
    }
  }
  state_ = next;
  return error;
}

}  // namespace ncqlab::qtest
