// Where an LBA lies: zones, tracks, heads, sectors, and the angle at which each sector starts.
//
// Classic layout: an LBA run fills a track, then the next head of the same cylinder, then the next cylinder. A track's
// number is cylinder * heads + head. Angles are times within one revolution: 0 .. revolution-1 picoseconds; sector 0 of
// a track is displaced from its predecessor's by the head skew or, on the first head of a cylinder, the cylinder skew.
#pragma once

#include <cstdint>
#include <vector>

#include "model/drive/profile.h"
#include "model/sim/time.h"

namespace ncqlab::drive {

// A manufacturing variant of one profile: drives of one model differ in where zones begin and at which angle the
// spindle happens to stand at power-on. Layout 0 is the nominal one.
struct Layout {
  std::uint64_t number = 0;
};

struct Track {
  std::uint32_t cylinder = 0;
  std::uint32_t head = 0;
};

struct Location : Track {
  std::uint32_t sector = 0;  // within the track
  std::uint32_t sectors_per_track = 0;
  sim::Time angle = 0;          // at which the sector starts
  std::uint64_t track_end = 0;  // the first LBA behind the track; the capacity on the last one
};

class Geometry {
 public:
  // The profile has been checked by the loader: counts are positive, the zones hold the capacity.
  Geometry(const Mechanics& mechanics, std::uint64_t capacity_sectors, Layout layout);

  sim::Time revolution() const { return revolution_; }
  std::uint64_t capacity_sectors() const { return capacity_; }
  std::uint32_t cylinders() const { return cylinders_; }
  std::uint32_t heads() const { return heads_; }
  // The spindle's angle at time t.
  sim::Time angle_at(sim::Time t) const { return (t + spindle_phase_) % revolution_; }

  // lba < capacity_sectors().
  Location locate(std::uint64_t lba) const;
  // Time that `sectors` of a track with so many sectors pass in.
  sim::Time pass_time(std::uint64_t sectors, std::uint32_t sectors_per_track) const {
    return static_cast<sim::Time>(sectors * static_cast<std::uint64_t>(revolution_) / sectors_per_track);
  }

 private:
  struct Zone {
    std::uint64_t first_lba;
    std::uint32_t first_track;
    std::uint32_t sectors_per_track;
  };
  const Zone& zone_of(std::uint64_t lba) const;

  std::vector<Zone> zones_;
  std::uint64_t capacity_;
  std::uint64_t zone_share_;
  std::uint32_t heads_;
  std::uint32_t cylinders_ = 0;
  sim::Time revolution_;
  sim::Time spindle_phase_ = 0;
  sim::Time head_skew_;
  sim::Time cylinder_pitch_;  // angle from sector 0 of a cylinder to sector 0 of the next
};

}  // namespace ncqlab::drive
