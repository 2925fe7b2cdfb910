// The disk of the disk library's benchmarks: a Quantum Atlas 10K of 9.1 GB with the numbers of DiskSim 4.0's validation
// parameters (atlas10k.diskspecs, .model and .seek; extracted from a real drive by DIXtrac, Carnegie Mellon
// University).
//
// Brought into our shape: 24 zones of equal share from 334 over 313 to 229 sectors per track (10,047 cylinders instead
// of 10,042), skews of 63 and 113 sectors as time, the measured seek times as a curve through 1, a fifth and all of the
// cylinders. It serves to compare speed at the same work and claims nothing about that drive's response times.
#pragma once

#include "model/drive/profile.h"

namespace ncqlab::bench {

inline drive::Profile atlas10k() {
  drive::Profile profile;
  profile.name = "atlas10k";
  profile.capacity_sectors = 17'938'986;
  profile.mechanics.rpm = 10'025;
  profile.mechanics.heads = 6;
  profile.mechanics.zones = {24, 334, 313, 229};
  profile.mechanics.head_skew = sim::from_ms(1.13);
  profile.mechanics.cylinder_skew = sim::from_ms(1.87);
  profile.mechanics.head_switch = sim::from_ms(0.176);
  profile.mechanics.seek = {sim::from_ms(1.245), 0.4, 0.2, sim::from_ms(4.842), sim::from_ms(10.828)};
  profile.mechanics.write_settle = sim::from_ms(0.487);
  profile.queue = {"shortest-positioning-time", 32, 0, 0};
  profile.overheads.read_command = sim::from_ms(0.184);   // "Read hit over. after read"
  profile.overheads.write_command = sim::from_ms(0.345);  // "Write miss over. after read"
  // No read-ahead that holds the arm, at most 354 sectors of it; 10 segments of 374, one of them for writes.
  profile.read_ahead = {0, 354 * 512, 10, 374 * 512, 0};
  profile.write_cache = {true, 374 * 512, 0, 10 * sim::kMillisecond};
  return profile;
}

// The same with a write cache that holds so many extents, whatever their size.
inline drive::Profile with_dirty_entries(unsigned entries) {
  drive::Profile profile = atlas10k();
  profile.write_cache.limit_bytes = std::uint64_t{1} << 30;
  profile.write_cache.limit_entries = entries;
  return profile;
}

}  // namespace ncqlab::bench
