// `diskinfo -t` of FreeBSD (usr.sbin/diskinfo/diskinfo.c, speeddisk()): seek times and transfer rates of a disk, every
// read synchronous.
//
// step = 2^(fls(N / 800) - 1), at most 16384 sectors, on a disk of N sectors. One sector is read at each place:
//   Full stroke     125 pairs: 0 up by step, N - step down by step
//   Half stroke     125 pairs: N/4 and N/4 + N/2, both up by step
//   Quarter stroke  250 pairs: N/4 and N/4 + N/4, both up by step
//   Short forward   400 from N/2 up by step;   Short backward  400 from N/2 down by step
//   Seq outer       2048 from 0 one by one;    Seq inner       2048 from N - 2048
//   outside, middle, inside   one sector at 0, N/2 - 102401, N - 204801, then from the sector behind it 100 times 1 MiB
// Before the clock of each phase starts, the tool calls sync() and sleeps for 1 s (in the last three after their first
// sector). So these "seek times" contain rotation and overheads, on a fixed lattice of places. A read of 1 MiB is cut
// by physio(9) into commands of 128 KiB, one after the other.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/sim/time.h"
#include "testbench/workload/target.h"

namespace ncqlab::workload {

struct DiskinfoResult {
  std::string row;               // "Full stroke" .. "inside"
  std::string cell;              // "per op" or "rate"
  std::string unit;              // "ms" or "kB/s"; the tool's kB are 1024 bytes
  double value = 0;              // not yet rounded to the tool's three decimals, or none
  std::uint32_t iterations = 0;  // sectors, or mebibytes
  sim::Time elapsed = 0;         // whole microseconds, as the tool measures
};

class Diskinfo final : public Workload {
 public:
  void start(Target& target) override;  // throws std::invalid_argument for a disk under 204,802 sectors
  void completed(Io& io) override;
  void woken(std::uint64_t user) override;
  bool finished() const override { return target_ != nullptr && phase_ == phases_.size(); }

  // One for each phase that has ended, in the tool's order.
  const std::vector<DiskinfoResult>& results() const { return results_; }
  std::uint64_t failed() const { return failed_; }

 private:
  struct Phase {
    const char* row;
    std::uint32_t iterations;
    bool is_rate;
    // Reads go to first, second, first + first_step, ...; with no `pairs` to first only.
    bool pairs;
    std::uint64_t first, second;
    std::int64_t first_step, second_step;
  };

  void plan(std::uint64_t sectors);
  void begin_phase();
  void start_clock_later();
  void submit(std::uint64_t lba, std::uint32_t sectors);
  void submit_next();
  void end_phase();

  Target* target_ = nullptr;
  std::vector<Phase> phases_;
  std::size_t phase_ = 0;
  std::uint32_t commands_left_ = 0;  // of this phase
  bool second_is_next_ = false;
  bool warming_up_ = false;  // the one sector before the clock of a rate starts
  sim::Time clock_started_ = 0;
  Io io_;
  std::vector<DiskinfoResult> results_;
  std::uint64_t failed_ = 0;
};

}  // namespace ncqlab::workload
