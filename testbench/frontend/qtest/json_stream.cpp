#include "testbench/frontend/qtest/json_stream.h"

namespace ncqlab::qtest {

namespace {
constexpr std::size_t kLongest = 1U << 20;
constexpr unsigned kDeepest = 64;
constexpr std::string_view kBlanks = " \t\r\n";
}  // namespace

JsonStream::Object JsonStream::take(std::size_t end, bool refused) {
  Object object{refused ? std::string() : pending_.substr(0, end), refused};
  pending_.erase(0, end);
  scanned_ = 0;
  depth_ = 0;
  in_string_ = escaped_ = false;
  return object;
}

std::optional<JsonStream::Object> JsonStream::next() {
  if (scanned_ == 0) pending_.erase(0, pending_.find_first_not_of(kBlanks));
  if (!pending_.empty() && pending_[0] != '{') {
    const std::size_t object = pending_.find('{');
    return take(object == std::string::npos ? pending_.size() : object, true);
  }
  for (; scanned_ < pending_.size(); ++scanned_) {
    const char c = pending_[scanned_];
    if (in_string_) {
      if (!escaped_ && c == '"') in_string_ = false;
      escaped_ = !escaped_ && c == '\\';
    } else if (c == '"') {
      in_string_ = true;
    } else if (c == '{' || c == '[') {
      if (++depth_ > kDeepest) return take(pending_.size(), true);
    } else if (c == '}' || c == ']') {
      if (--depth_ == 0) return take(scanned_ + 1, false);
    }
  }
  if (pending_.size() > kLongest) return take(pending_.size(), true);
  return std::nullopt;
}

}  // namespace ncqlab::qtest
