#include "testbench/oracle/completion_oracle.h"

#include <cstdio>

namespace ncqlab::oracle {

namespace {

std::string at(const char* what, sim::Time when) {
  char text[64];
  std::snprintf(text, sizeof text, "%s at %.6f ms", what, sim::to_ms(when));
  return text;
}

}  // namespace

std::uint64_t CompletionOracle::submitted(sim::Time now) {
  requests_.push_back({now, false});
  ++outstanding_;
  return first_ + requests_.size() - 1;
}

void CompletionOracle::completed(std::uint64_t number, sim::Time now) {
  const std::string request = "request " + std::to_string(number);
  if (number >= first_ + requests_.size()) {
    report(request + " was never submitted; " + at("answered", now));
    return;
  }
  if (number < first_ || requests_[number - first_].answered) {
    report(request + " was answered before; " + at("again", now));
    return;
  }
  requests_[number - first_].answered = true;
  --outstanding_;
  while (!requests_.empty() && requests_.front().answered) {
    requests_.pop_front();
    ++first_;
  }
}

void CompletionOracle::finish(sim::Time now) {
  for (std::uint64_t number = first_; number < first_ + requests_.size(); ++number) {
    const Request& request = requests_[number - first_];
    if (request.answered) continue;
    report("request " + std::to_string(number) + ", " + at("submitted", request.submitted) +
           ", has no answer at the end, " + at("which is", now));
  }
}

void CompletionOracle::report(const std::string& text) {
  ++error_count_;
  if (errors_.size() < kMaxTexts) errors_.push_back(text);
}

}  // namespace ncqlab::oracle
