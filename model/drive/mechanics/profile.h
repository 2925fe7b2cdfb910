// Of a drive profile: platters, heads and arm.
#pragma once

#include "model/sim/time.h"

namespace ncqlab::drive {

// Zones of equal share of the LBA space; sectors per track follow a parabola through the three given values (outermost
// zone, the zone at half of the LBA space, innermost zone), rounded to whole sectors.
struct Zones {
  unsigned count = 1;
  unsigned outer_sectors_per_track = 0;
  unsigned middle_sectors_per_track = 0;
  unsigned inner_sectors_per_track = 0;
};

// seek(d) for d cylinders: seek(1) = single_cylinder, rising as base + slope * d^exponent to `knee` at knee_fraction of
// all cylinders, then linear to `full_stroke` at the last cylinder. Settling for a read is contained.
struct SeekCurve {
  sim::Time single_cylinder = 0;
  double exponent = 0.5;
  double knee_fraction = 0.2;
  sim::Time knee = 0;
  sim::Time full_stroke = 0;
};

struct Mechanics {
  double rpm = 7200;
  unsigned heads = 1;
  Zones zones;
  sim::Time head_skew = 0;      // angle between sector 0 of one track and of the next, as time; same cylinder
  sim::Time cylinder_skew = 0;  // the same from the last head of a cylinder to the first of the next
  sim::Time head_switch = 0;    // settling on another head of the same cylinder
  SeekCurve seek;
  sim::Time write_settle = 0;  // added before a write that moved the arm by more than one cylinder: the skews hold it
};

}  // namespace ncqlab::drive
