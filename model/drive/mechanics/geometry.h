// Where an LBA lies: zones, tracks, heads, sectors, and the angle at which each sector starts.
//
// A zone is so many cylinders, each a track on every surface. In which order the LBAs fill the tracks of a zone is the
// layout (names from Gim and Won, "Extract and infer quickly", ACM TOS; that today's drives are banded: H. Wong,
// "Discovering hard disk physical geometry through microbenchmarking", stuffedcow.net 2019):
//   classic              all heads of a cylinder in turn, then the next cylinder from head 0
//   cylinder serpentine  the same, with the heads in falling order on every second cylinder
//   surface serpentine   the whole zone on one surface, then back on the next
//   hybrid serpentine    bands of so many cylinders: a band on one surface, back on the next, up to the last; then the
//                        next band from head 0
// Angles are times within one revolution: 0 .. revolution-1 picoseconds. From track to track in the order of the LBAs
// sector 0 is displaced by the head skew where only the head changes, by the band skew from band to band, else by the
// cylinder skew.
#pragma once

#include <cstdint>
#include <vector>

#include "model/drive/profile.h"
#include "model/sim/time.h"

namespace ncqlab::drive {

// A manufacturing variant of one profile: drives of one model differ in where zones begin, at which angle the spindle
// happens to stand at power-on, and how fast it turns within the tolerance. Layout 0 is the nominal one.
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

  // lba < capacity_sectors(). Where the sector was made; Mechanism::locate() knows of remapped ones.
  Location locate(std::uint64_t lba) const;
  // Time that `sectors` of a track with so many sectors pass in.
  sim::Time pass_time(std::uint64_t sectors, std::uint32_t sectors_per_track) const {
    return static_cast<sim::Time>(sectors * static_cast<std::uint64_t>(revolution_) / sectors_per_track);
  }

  // The spare sectors come in pools, one a track, cylinder or zone, numbered in the order of the LBAs.
  std::uint32_t spares_per_pool() const { return spares_; }
  std::uint64_t spare_pools() const { return spare_pools_; }
  std::uint64_t spare_pool_of(std::uint64_t lba) const;
  // pool < spare_pools(), slot < spares_per_pool(); track_end is 0.
  Location spare(std::uint64_t pool, std::uint32_t slot) const;

 private:
  enum class SparesPer : std::uint8_t { track, cylinder, zone };
  struct Zone {
    std::uint64_t first_lba;
    std::uint64_t end_lba;
    std::uint64_t first_pool;
    std::uint64_t cylinder_sectors;  // with spares per cylinder; else 0
    sim::Time skew;                  // angle of sector 0 of its first track
    std::uint32_t first_cylinder;
    std::uint32_t cylinders;
    std::uint32_t sectors_per_track;  // that pass in a revolution
    std::uint32_t track_sectors;      // that have an LBA
    std::uint32_t band;               // cylinders of a band, the last one's excepted
  };
  void add_zone(std::uint32_t sectors_per_track, std::uint64_t cylinders, std::uint32_t most_band);
  std::uint64_t usable_cylinder_sectors(std::uint32_t sectors_per_track) const;
  const Zone& zone_of(std::uint64_t lba) const;
  Location locate_otherwise(const Zone& zone, std::uint64_t lba) const;
  Location place(const Zone& zone, std::uint32_t track, std::uint32_t sector) const;
  sim::Time place_in_cylinder(const Zone& zone, std::uint32_t track, Location& location) const;
  sim::Time place_in_band(const Zone& zone, std::uint32_t track, Location& location) const;
  sim::Time band_pitch(std::uint32_t cylinders) const;

  std::vector<Zone> zones_;
  std::uint64_t capacity_;
  std::uint64_t zone_share_;  // of the LBA space, on average
  std::uint64_t spare_pools_ = 0;
  std::uint32_t heads_;
  std::uint32_t cylinders_ = 0;
  std::uint32_t spares_ = 0;
  SparesPer spares_per_ = SparesPer::track;
  bool plain_ = true;           // classic, and no spares in each cylinder
  bool turning_heads_ = false;  // cylinder serpentine
  bool bands_ = false;          // surface or hybrid serpentine
  sim::Time revolution_;
  sim::Time spindle_phase_ = 0;
  sim::Time head_skew_;
  sim::Time cylinder_skew_;
  sim::Time band_skew_;
  sim::Time cylinder_pitch_;  // angle from sector 0 of a cylinder to sector 0 of the next, without bands
};

}  // namespace ncqlab::drive
