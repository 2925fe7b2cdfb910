// Seek time over distance, as a table made once per profile (shared by all drives of it), in whole nanoseconds.
#pragma once

#include <cstdint>
#include <vector>

#include "model/drive/profile.h"
#include "model/sim/time.h"

namespace ncqlab::drive {

class SeekTable {
 public:
  // SeekCurve (model/drive/mechanics/profile.h) says what each curve is. std::logic_error for an unknown one.
  SeekTable(const SeekCurve& curve, std::uint32_t cylinders);

  // 0 for distance 0; distance < cylinders.
  sim::Time operator[](std::uint32_t distance) const { return nanoseconds_[distance] * sim::kNanosecond; }
  std::uint32_t cylinders() const { return static_cast<std::uint32_t>(nanoseconds_.size()); }

 private:
  std::vector<std::uint32_t> nanoseconds_;
};

}  // namespace ncqlab::drive
