// Every request is answered exactly once, and none is outstanding at the end.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "model/sim/time.h"

namespace ncqlab::oracle {

class CompletionOracle {
 public:
  static constexpr std::size_t kMaxTexts = 20;

  // The request's number, to be kept with it.
  std::uint64_t submitted(sim::Time now);
  void completed(std::uint64_t number, sim::Time now);
  // Call once at the end of the run: what has had no answer is an error.
  void finish(sim::Time now);

  std::uint64_t outstanding() const { return outstanding_; }
  std::uint64_t error_count() const { return error_count_; }
  // The first kMaxTexts.
  const std::vector<std::string>& errors() const { return errors_; }

 private:
  struct Request {
    sim::Time submitted;
    bool answered;
  };
  void report(const std::string& text);

  std::deque<Request> requests_;  // from the oldest without an answer on
  std::uint64_t first_ = 0;       // its number
  std::uint64_t outstanding_ = 0;
  std::uint64_t error_count_ = 0;
  std::vector<std::string> errors_;
};

}  // namespace ncqlab::oracle
