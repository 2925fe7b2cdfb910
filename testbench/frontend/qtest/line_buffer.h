// Bytes as they arrive, lines as they are complete. A line beyond the limit is dropped to its end and reported as one,
// so that a peer that never ends a line can't fill memory.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace ncqlab::qtest {

class LineBuffer {
 public:
  explicit LineBuffer(std::size_t longest_line) : longest_line_(longest_line) {}

  void append(std::string_view bytes) { pending_.append(bytes); }

  struct Line {
    std::string text;  // without its newline
    bool too_long = false;
  };
  // The next complete line.
  std::optional<Line> next();
  // At the end of input: what came behind the last newline, if anything.
  std::optional<Line> rest();

 private:
  Line take(std::size_t end);

  std::size_t longest_line_;
  std::string pending_;
  std::size_t begin_ = 0;    // what lies before has been handed out
  std::size_t scanned_ = 0;  // no newline between begin_ and here
  bool dropping_ = false;    // the current line is too long already
};

}  // namespace ncqlab::qtest
