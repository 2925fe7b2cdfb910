// A disk so small and so round that every time in the tests can be checked by hand.
//
// 6000 rpm: a revolution of 10 ms. Two heads, two zones of 20,000 sectors each:
//   zone 0: cylinders 0..99,   100 sectors a track, 100 us a sector, 200 sectors a cylinder
//   zone 1: cylinders 100..299, 50 sectors a track, 200 us a sector, 100 sectors a cylinder
// Sector 0 of the second head lies 0.5 ms behind that of the first, that of the next cylinder 1.5 ms behind that of the
// last head: 2 ms a cylinder.
#pragma once

#include <memory>

#include "model/drive/mechanics/mechanism.h"
#include "model/drive/profile.h"

namespace ncqlab::drive {

inline constexpr sim::Time kMs = sim::kMillisecond;
inline constexpr sim::Time kUs = sim::kMicrosecond;
inline constexpr sim::Time kRevolution = 10 * kMs;
inline constexpr sim::Time kOuterSector = 100 * kUs;
inline constexpr sim::Time kInnerSector = 200 * kUs;

inline Profile small_profile() {
  Profile profile;
  profile.name = "small";
  profile.identity = {"Small Disk", "S-0001", "1.0"};
  profile.capacity_sectors = 40'000;
  profile.interface.generation = 2;
  profile.interface.ready_after_reset = 1 * kMs;
  Mechanics& mechanics = profile.mechanics;
  mechanics.rpm = 6000;
  mechanics.heads = 2;
  mechanics.zones = {2, 100, 75, 50};
  mechanics.head_skew = 500 * kUs;
  mechanics.cylinder_skew = 1500 * kUs;
  mechanics.head_switch = 200 * kUs;
  mechanics.seek = {1 * kMs, 0.5, 0.2, 4 * kMs, 9 * kMs};  // the knee lies at cylinder 60
  mechanics.write_settle = 250 * kUs;
  profile.overheads.read_command = 100 * kUs;
  profile.overheads.write_command = 110 * kUs;
  profile.overheads.queued_command = 40 * kUs;
  profile.overheads.media_access = 300 * kUs;
  profile.overheads.queued_media_access = 350 * kUs;
  profile.overheads.write_completion = 20 * kUs;
  profile.read_ahead.hold_bytes = 10 * 512;
  profile.read_ahead.limit_bytes = 100 * 512;
  profile.read_ahead.segments = 2;
  profile.read_ahead.segment_bytes = 200 * 512;
  profile.write_cache.limit_bytes = 100 * 512;
  profile.write_cache.destage_after_idle = 5 * kMs;
  return profile;
}

inline std::shared_ptr<const MechanicsTables> tables_of(const Profile& profile, Layout layout = {}) {
  return std::make_shared<const MechanicsTables>(profile.mechanics, profile.capacity_sectors, layout);
}

}  // namespace ncqlab::drive
