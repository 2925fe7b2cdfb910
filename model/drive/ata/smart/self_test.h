// SMART self-tests in the background or captive, and their logs 06h and 07h (ACS-3, 7.48 and Annex A).
//
// A test reads sectors from the first on, all of them in the extended test, as many as its time suffices for in the
// shorter ones; the first that cannot be read ends it. What cannot be read when the test begins counts.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "model/drive/ata/bytes.h"
#include "model/drive/profile.h"

namespace ncqlab::drive {

class SelfTests {
 public:
  explicit SelfTests(const Profile& profile) : profile_(profile) {}

  // LBA(7:0) of EXECUTE OFF-LINE IMMEDIATE, without the captive bit: 0 off-line collection, 1 short, 2 extended. How
  // long it takes; none when the drive has no such test. A test under way is aborted.
  std::optional<sim::Time> start(std::uint8_t number, bool captive, sim::Time now, std::uint16_t hours,
                                 std::optional<std::uint64_t> first_unreadable);
  void abort(sim::Time now, std::uint16_t hours);
  // A reset ends a captive test and leaves others alone.
  void reset(sim::Time now, std::uint16_t hours);

  bool running(sim::Time now) const { return number_ != 0 && now < ends_at_; }
  // Whether the test under way will end with a sector that cannot be read.
  bool finds_failure() const { return failing_lba_.has_value(); }
  // Byte 363 of SMART READ DATA: result or 0Fh above, tenths left below.
  std::uint8_t status(sim::Time now) const;
  // Byte 362: whether off-line data were ever collected.
  std::uint8_t offline_status(sim::Time now) const;

  Bytes log(sim::Time now);           // 06h
  Bytes extended_log(sim::Time now);  // 07h

 private:
  struct Entry {
    std::uint8_t number;
    std::uint8_t status;
    std::uint16_t hours;
    std::optional<std::uint64_t> failing_lba;
  };
  void settle(sim::Time now);
  void end(std::uint8_t result, std::uint8_t tenths_left, std::uint16_t hours);
  sim::Time duration(std::uint8_t number) const;
  std::uint8_t tenths_left(sim::Time now) const;

  const Profile& profile_;
  std::uint8_t number_ = 0;  // of the test under way, with the captive bit; 0: none
  sim::Time started_ = 0;
  sim::Time planned_ = 0;  // when it would end without a finding
  sim::Time ends_at_ = 0;
  std::uint16_t hours_ = 0;
  std::optional<std::uint64_t> failing_lba_;
  std::uint8_t result_ = 0;       // of the last test
  std::uint8_t result_left_ = 0;  // tenths that were left of it
  sim::Time offline_done_at_ = sim::kNever;
  std::deque<Entry> entries_;  // oldest first
  std::uint64_t recorded_ = 0;
};

}  // namespace ncqlab::drive
