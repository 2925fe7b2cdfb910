// Arm, heads and spindle: where they are, and how long a way takes. Pure arithmetic, time in and time out.
#pragma once

#include <cstdint>
#include <memory>

#include "model/drive/mechanics/geometry.h"
#include "model/drive/mechanics/seek_curve.h"

namespace ncqlab::drive {

// What follows from a profile and a layout; shared by all drives that have both.
struct MechanicsTables {
  MechanicsTables(const Mechanics& mechanics, std::uint64_t capacity_sectors, Layout layout)
      : geometry(mechanics, capacity_sectors, layout),
        seek(mechanics.seek, geometry.cylinders()),
        head_switch(mechanics.head_switch),
        write_settle(mechanics.write_settle) {}

  Geometry geometry;
  SeekTable seek;
  sim::Time head_switch;
  sim::Time write_settle;
};

// Far below a sector (microseconds), far above rounding (picoseconds).
inline constexpr sim::Time kRoundingSlack = sim::kNanosecond;

class Mechanism {
 public:
  explicit Mechanism(std::shared_ptr<const MechanicsTables> tables) : tables_(std::move(tables)) {}

  const Geometry& geometry() const { return tables_->geometry; }
  // Where the arm stands.
  const Track& track() const { return track_; }
  void move_to(const Track& to) { track_ = to; }

  // Movement and settling to `to`, without the rotation.
  sim::Time movement(const Track& to, bool write) const { return movement(track_, to, write); }
  sim::Time movement(const Track& from, const Track& to, bool write) const {
    const std::uint32_t distance =
        to.cylinder > from.cylinder ? to.cylinder - from.cylinder : from.cylinder - to.cylinder;
    if (distance == 0 && to.head == from.head) return 0;
    if (distance == 0) return tables_->head_switch;
    // The skews are laid out for writing: a step to the next track settles within them.
    const sim::Time way = tables_->seek[distance];
    return write && distance > 1 ? way + tables_->write_settle : way;
  }

  // From the spindle's `start_angle` until the sector at `to` begins to pass under its head. A sector that would be
  // reached with less than `guard` to spare is taken for missed: planning passes the profile's guard, the movement
  // itself 0.
  sim::Time positioning(sim::Time start_angle, const Location& to, bool write, sim::Time guard) const {
    return positioning(track_, start_angle, to, write, guard);
  }
  sim::Time positioning(const Track& from, sim::Time start_angle, const Location& to, bool write,
                        sim::Time guard) const {
    const sim::Time revolution = geometry().revolution();
    const sim::Time moved = movement(from, to, write);
    sim::Time rotation = to.angle - start_angle - moved;
    while (rotation < 0) rotation += revolution;
    // Angles and times are rounded to a picosecond each on its own: what follows directly must not miss by that much.
    if (rotation >= revolution - kRoundingSlack)
      rotation = 0;
    else if (rotation < guard)
      rotation += revolution;
    return moved + rotation;
  }

 private:
  std::shared_ptr<const MechanicsTables> tables_;
  Track track_;
};

}  // namespace ncqlab::drive
