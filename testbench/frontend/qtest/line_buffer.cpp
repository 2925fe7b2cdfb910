#include "testbench/frontend/qtest/line_buffer.h"

namespace ncqlab::qtest {

LineBuffer::Line LineBuffer::take(std::size_t end) {
  Line line;
  line.too_long = dropping_ || end - begin_ > longest_line_;
  if (!line.too_long) line.text = pending_.substr(begin_, end - begin_);
  dropping_ = false;
  return line;
}

std::optional<LineBuffer::Line> LineBuffer::next() {
  const std::size_t end = pending_.find('\n', scanned_);
  if (end != std::string::npos) {
    Line line = take(end);
    begin_ = scanned_ = end + 1;
    return line;
  }
  // Everything complete has been handed out: only now is the buffer moved, once for all of those lines.
  pending_.erase(0, begin_);
  begin_ = 0;
  if (pending_.size() > longest_line_) {
    dropping_ = true;
    pending_.clear();
  }
  scanned_ = pending_.size();
  return std::nullopt;
}

std::optional<LineBuffer::Line> LineBuffer::rest() {
  if (begin_ == pending_.size() && !dropping_) return std::nullopt;
  Line line = take(pending_.size());
  pending_.clear();
  begin_ = scanned_ = 0;
  return line;
}

}  // namespace ncqlab::qtest
