#include "model/drive/mechanics/seek_curve.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "model/drive/mechanics/power.h"

namespace ncqlab::drive {

namespace {

double in_ns(sim::Time t) { return static_cast<double>(t) / static_cast<double>(sim::kNanosecond); }

// Each of these gives nanoseconds for a distance of at least one cylinder. Square roots are std::sqrt's, which IEEE 754
// rounds exactly; other powers are our own.

class Power {
 public:
  Power(const SeekCurve& curve, double last)
      : exponent_(curve.exponent),
        last_(last),
        knee_(std::clamp(curve.knee_fraction * (last + 1), 2.0, std::max(2.0, last))),
        knee_ns_(in_ns(curve.knee)),
        full_ns_(in_ns(curve.full_stroke)),
        slope_((knee_ns_ - in_ns(curve.single_cylinder)) / (power(knee_, exponent_) - 1.0)),
        base_(in_ns(curve.single_cylinder) - slope_) {}
  double operator()(double d) const {
    return d <= knee_ ? base_ + slope_ * power(d, exponent_)
                      : knee_ns_ + (full_ns_ - knee_ns_) * (d - knee_) / std::max(1.0, last_ - knee_);
  }

 private:
  double exponent_, last_, knee_, knee_ns_, full_ns_, slope_, base_;
};

// Asked for rising distances: it walks along its points.
class Table {
 public:
  explicit Table(const std::vector<SeekPoint>& points) : points_(points) {}
  double operator()(double d) {
    while (next_ + 1 < points_.size() && static_cast<double>(points_[next_].cylinders) < d) ++next_;
    const SeekPoint& from = points_[next_ - 1];
    const SeekPoint& to = points_[next_];
    const auto first = static_cast<double>(from.cylinders);
    if (d <= first) return in_ns(from.time);
    return in_ns(from.time) +
           (in_ns(to.time) - in_ns(from.time)) * (d - first) / (static_cast<double>(to.cylinders) - first);
  }

 private:
  const std::vector<SeekPoint>& points_;
  std::size_t next_ = 1;
};

// Two straight lines that meet at a third of all cylinders, the mean distance between two that are chosen at random.
class ThreePoint {
 public:
  ThreePoint(const SeekCurve& curve, double last)
      : third_(std::max(2.0, (last + 1) / 3)),
        last_(last),
        single_(in_ns(curve.single_cylinder)),
        average_(in_ns(curve.average)),
        full_(in_ns(curve.full_stroke)) {}
  double operator()(double d) const {
    if (d <= third_) return single_ + (average_ - single_) * (d - 1) / (third_ - 1);
    return average_ + (full_ - average_) * (d - third_) / std::max(1.0, last_ - third_);
  }

 private:
  double third_, last_, single_, average_, full_;
};

// E. K. Lee's, as the DiskSim reference manual has it (B.5.1).
class Lee {
 public:
  Lee(const SeekCurve& curve, double cylinders) : single_(in_ns(curve.single_cylinder)) {
    const double average = in_ns(curve.average);
    const double full = in_ns(curve.full_stroke);
    root_ = (-10 * single_ + 15 * average - 5 * full) / (3 * std::sqrt(cylinders));
    line_ = (7 * single_ - 15 * average + 8 * full) / (3 * cylinders);
  }
  double operator()(double d) const { return root_ * std::sqrt(d - 1) + line_ * (d - 1) + single_; }

 private:
  double single_, root_ = 0, line_ = 0;
};

// Ruemmler and Wilkes' form for the HP 97560 and C2200A, as the DiskSim reference manual has it (B.5.2).
class Hpl {
 public:
  explicit Hpl(const SeekCurve& curve) : curve_(curve) {}
  double operator()(double d) const {
    const HplSeek& hpl = curve_.hpl;
    const auto cylinders = static_cast<std::size_t>(d);
    if (cylinders <= hpl.first_ten.size()) return in_ns(hpl.first_ten[cylinders - 1]);
    if (cylinders == 1) return in_ns(curve_.single_cylinder);
    if (cylinders < hpl.boundary_cylinders) return in_ns(hpl.short_base) + in_ns(hpl.short_per_root) * std::sqrt(d);
    return in_ns(hpl.long_base) + in_ns(hpl.long_per_cylinder) * d;
  }

 private:
  const SeekCurve& curve_;
};

template <class Curve>
void fill(std::vector<std::uint32_t>& nanoseconds, Curve curve) {
  for (std::size_t distance = 1; distance < nanoseconds.size(); ++distance) {
    const double ns = curve(static_cast<double>(distance));
    nanoseconds[distance] = static_cast<std::uint32_t>(std::llround(std::clamp(ns, 0.0, 4e9)));
  }
}

}  // namespace

SeekTable::SeekTable(const SeekCurve& curve, std::uint32_t cylinders) : nanoseconds_(cylinders, 0) {
  if (cylinders < 2) return;
  const double last = cylinders - 1;
  if (curve.curve == "power") {
    fill(nanoseconds_, Power(curve, last));
  } else if (curve.curve == "table") {
    fill(nanoseconds_, Table(curve.points));
  } else if (curve.curve == "three-point") {
    fill(nanoseconds_, ThreePoint(curve, last));
  } else if (curve.curve == "lee") {
    fill(nanoseconds_, Lee(curve, cylinders));
  } else if (curve.curve == "hpl") {
    fill(nanoseconds_, Hpl(curve));
  } else {
    throw std::logic_error("unknown seek curve " + curve.curve);
  }
}

}  // namespace ncqlab::drive
