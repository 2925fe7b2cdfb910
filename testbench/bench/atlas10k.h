// The disk of the disk library's benchmarks: a Quantum Atlas 10K of 9.1 GB as DiskSim 4.0's validation parameters have
// it (extracted from a real drive by DIXtrac, Carnegie Mellon University): 10025 rpm, 6 heads, 10042 cylinders, 334
// sectors per track outside and 229 inside, single-cylinder seek 1.245 ms, full stroke 10.828 ms, head switch 0.176 ms,
// write settle 0.487 ms, skews of 63 and 113 sectors. Zones follow our parabola through 334, 306 and 229 instead of
// DiskSim's table, the seek curve a knee at a third of the cylinders.
#pragma once

#include "model/drive/profile.h"

namespace ncqlab::bench {

inline drive::Profile atlas10k() {
  drive::Profile profile;
  profile.name = "atlas10k";
  profile.capacity_sectors = 17'800'000;
  profile.mechanics.rpm = 10025;
  profile.mechanics.heads = 6;
  profile.mechanics.zones = {24, 334, 306, 229};
  profile.mechanics.head_skew = sim::from_ms(1.129);
  profile.mechanics.cylinder_skew = sim::from_ms(2.025);
  profile.mechanics.head_switch = sim::from_ms(0.176);
  profile.mechanics.seek = {sim::from_ms(1.245), 0.5, 0.33, sim::from_ms(5.5), sim::from_ms(10.828)};
  profile.mechanics.write_settle = sim::from_ms(0.487);
  profile.queue = {"shortest-positioning-time", 32, 0, 0};
  profile.overheads.read_command = profile.overheads.write_command = sim::from_ms(0.1);
  profile.read_ahead = {0, 256 * 1024, 10, 200 * 1024, 0};
  profile.write_cache = {true, 1 << 20, 0, 10 * sim::kMillisecond};
  return profile;
}

}  // namespace ncqlab::bench
