#include "testbench/workload/diskinfo.h"

#include <algorithm>
#include <stdexcept>

namespace ncqlab::workload {

namespace {

constexpr std::uint32_t kMebibyte_sectors = 2048;
constexpr std::uint32_t kPhysio_sectors = 256;  // FreeBSD's MAXPHYS of that time, 128 KiB
constexpr std::uint32_t kBulk_mebibytes = 100;
constexpr std::uint64_t kLongestStep_sectors = 16384;

std::uint64_t step_sectors(std::uint64_t sectors) {
  std::uint64_t step = 1;
  while (step * 2 <= sectors / 800) step *= 2;
  return std::min(step, kLongestStep_sectors);
}

}  // namespace

void Diskinfo::plan(std::uint64_t sectors) {
  const std::uint64_t step = step_sectors(sectors);
  const auto up = static_cast<std::int64_t>(step);
  const std::uint64_t quarter = sectors / 4;
  const std::uint64_t half = sectors / 2;
  constexpr std::uint64_t kBulk_sectors = std::uint64_t{kBulk_mebibytes} * kMebibyte_sectors;
  phases_ = {
      {"Full stroke", 250, false, true, 0, sectors - step, up, -up},
      {"Half stroke", 250, false, true, quarter, quarter + half, up, up},
      {"Quarter stroke", 500, false, true, quarter, quarter + quarter, up, up},
      {"Short forward", 400, false, false, half, 0, up, 0},
      {"Short backward", 400, false, false, half, 0, -up, 0},
      {"Seq outer", 2048, false, false, 0, 0, 1, 0},
      {"Seq inner", 2048, false, false, sectors - 2048, 0, 1, 0},
      {"outside", kBulk_mebibytes, true, false, 0, 0, kPhysio_sectors, 0},
      {"middle", kBulk_mebibytes, true, false, half - kBulk_sectors / 2 - 1, 0, kPhysio_sectors, 0},
      {"inside", kBulk_mebibytes, true, false, sectors - kBulk_sectors - 1, 0, kPhysio_sectors, 0},
  };
}

void Diskinfo::start(Target& target) {
  // So that the sector before the middle 100 MiB exists.
  const std::uint64_t smallest_sectors = std::uint64_t{kBulk_mebibytes} * kMebibyte_sectors + 2;
  if (target.capacity_sectors() < smallest_sectors) {
    throw std::invalid_argument("disk too small for diskinfo -t: " + std::to_string(target.capacity_sectors()) +
                                " sectors, at least " + std::to_string(smallest_sectors) + " are needed");
  }
  target_ = &target;
  plan(target.capacity_sectors());
  begin_phase();
}

void Diskinfo::begin_phase() {
  Phase& phase = phases_[phase_];
  second_is_next_ = false;
  if (phase.is_rate) {
    commands_left_ = phase.iterations * (kMebibyte_sectors / kPhysio_sectors);
    warming_up_ = true;
    submit(phase.first++, 1);
  } else {
    commands_left_ = phase.iterations;
    start_clock_later();
  }
}

void Diskinfo::start_clock_later() { target_->wake_at(target_->now() + sim::kSecond, 0); }

void Diskinfo::woken(std::uint64_t) {
  clock_started_ = target_->now();
  submit_next();
}

void Diskinfo::submit(std::uint64_t lba, std::uint32_t sectors) {
  io_.kind = IoKind::read;
  io_.lba = lba;
  io_.sectors = sectors;
  target_->submit(io_);
}

void Diskinfo::submit_next() {
  Phase& phase = phases_[phase_];
  --commands_left_;
  std::uint64_t& place = second_is_next_ ? phase.second : phase.first;
  const std::int64_t step = second_is_next_ ? phase.second_step : phase.first_step;
  const std::uint64_t lba = place;
  place += static_cast<std::uint64_t>(step);
  second_is_next_ = phase.pairs && !second_is_next_;
  submit(lba, phase.is_rate ? kPhysio_sectors : 1);
}

void Diskinfo::completed(Io& io) {
  if (!io.ok) ++failed_;
  if (warming_up_) {
    warming_up_ = false;
    start_clock_later();
  } else if (commands_left_ > 0) {
    submit_next();
  } else {
    end_phase();
  }
}

void Diskinfo::end_phase() {
  const Phase& phase = phases_[phase_];
  const sim::Time elapsed_us = target_->now() / sim::kMicrosecond - clock_started_ / sim::kMicrosecond;
  const double seconds = static_cast<double>(std::max<sim::Time>(elapsed_us, 1)) / 1e6;
  DiskinfoResult result;
  result.row = phase.row;
  result.iterations = phase.iterations;
  result.elapsed = elapsed_us * sim::kMicrosecond;
  if (phase.is_rate) {
    result.cell = "rate";
    result.unit = "kB/s";
    result.value = phase.iterations * 1024 / seconds;
  } else {
    result.cell = "per op";
    result.unit = "ms";
    result.value = seconds * 1000 / phase.iterations;
  }
  results_.push_back(result);
  if (++phase_ < phases_.size()) begin_phase();
}

}  // namespace ncqlab::workload
