#include "model/drive/tail_events.h"

#include <string>

namespace ncqlab::drive {

TailDelays::TailDelays(const TailEvents& events, std::uint64_t seed, std::uint32_t drive)
    : events_(events),
      retries_(seed, "retries of drive " + std::to_string(drive)),
      scans_(seed, "background scan of drive " + std::to_string(drive)) {}

sim::Time TailDelays::delay(sim::Time start, sim::Time resting_since, sim::Time revolution) {
  sim::Time sum = 0;
  if (events_.recalibration_period > 0 && start / events_.recalibration_period > recalibrations_) {
    recalibrations_ = start / events_.recalibration_period;
    sum += events_.recalibration;
  }
  if (events_.scan_after_idle > 0 && start - resting_since >= events_.scan_after_idle) {
    sum += static_cast<sim::Time>(scans_.below(static_cast<std::uint64_t>(events_.scan_step) + 1));
  }
  if (retries_.unit() < events_.retry_fraction) {
    sum += static_cast<sim::Time>(1 + retries_.below(events_.retry_revolutions)) * revolution;
  }
  return sum;
}

}  // namespace ncqlab::drive
