#include "model/drive/mechanics/seek_curve.h"

#include <algorithm>
#include <cmath>

#include "model/drive/mechanics/power.h"

namespace ncqlab::drive {

SeekTable::SeekTable(const SeekCurve& curve, std::uint32_t cylinders) : nanoseconds_(cylinders, 0) {
  if (cylinders < 2) return;
  const double last = cylinders - 1;
  const double knee = std::clamp(curve.knee_fraction * cylinders, 2.0, std::max(2.0, last));
  const auto in_ns = [](sim::Time t) { return static_cast<double>(t) / static_cast<double>(sim::kNanosecond); };
  const double first_ns = in_ns(curve.single_cylinder);
  const double knee_ns = in_ns(curve.knee);
  const double full_ns = in_ns(curve.full_stroke);
  const double slope = (knee_ns - first_ns) / (power(knee, curve.exponent) - 1.0);
  const double base = first_ns - slope;
  for (std::uint32_t distance = 1; distance < cylinders; ++distance) {
    const double d = distance;
    const double ns = d <= knee ? base + slope * power(d, curve.exponent)
                                : knee_ns + (full_ns - knee_ns) * (d - knee) / std::max(1.0, last - knee);
    nanoseconds_[distance] = static_cast<std::uint32_t>(std::lround(std::max(0.0, ns)));
  }
}

}  // namespace ncqlab::drive
