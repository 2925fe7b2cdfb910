// Arm, heads and spindle: where they are, and how long a way takes. Pure arithmetic, time in and time out.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "model/drive/mechanics/geometry.h"
#include "model/drive/mechanics/remaps.h"
#include "model/drive/mechanics/seek_curve.h"

namespace ncqlab::drive {

// What follows from a profile and a layout; shared by all drives that have both.
struct MechanicsTables {
  MechanicsTables(const Mechanics& mechanics, std::uint64_t capacity_sectors, Layout layout)
      : geometry(mechanics, capacity_sectors, layout),
        seek(mechanics.seek, geometry.cylinders()),
        head_switch(mechanics.head_switch),
        write_settle(mechanics.write_settle),
        flash(mechanics.flash) {
    if (mechanics.write_seek) write_seek.emplace(*mechanics.write_seek, geometry.cylinders());
    for (const std::uint64_t lba : mechanics.remapped) remaps.add(geometry, lba);
  }

  Geometry geometry;
  SeekTable seek;
  std::optional<SeekTable> write_seek;  // of writes, when theirs is another
  sim::Time head_switch;
  sim::Time write_settle;
  std::optional<Flash> flash;  // nothing turns
  Remaps remaps;               // with which each of the drives begins
};

// Far below a sector (microseconds), far above rounding (picoseconds).
inline constexpr sim::Time kRoundingSlack = sim::kNanosecond;

class Mechanism {
 public:
  explicit Mechanism(std::shared_ptr<const MechanicsTables> tables)
      : tables_(std::move(tables)), remaps_(tables_->remaps) {}

  const Geometry& geometry() const { return tables_->geometry; }
  // Where the LBA's sector is; lba < capacity.
  Location locate(std::uint64_t lba) const {
    Location location = geometry().locate(lba);
    if (!remaps_.empty()) remaps_.correct(geometry(), lba, location);
    return location;
  }
  // Gives the LBA a spare sector, for what the head reaches from now on. False: it has one, or none is left.
  bool remap(std::uint64_t lba) { return remaps_.add(geometry(), lba); }
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
    const sim::Time way = write && tables_->write_seek ? (*tables_->write_seek)[distance] : tables_->seek[distance];
    return write && distance > 1 ? way + tables_->write_settle : way;
  }

  // The way itself, begun at `start` from where the arm stands.
  sim::Time way(sim::Time start, const Location& to, bool write) const {
    if (tables_->flash) return write ? tables_->flash->write_access : tables_->flash->read_access;
    return positioning(track_, geometry().angle_at(start), to, write, 0);
  }
  // The same from a track to what follows it in the same pass.
  sim::Time way_on(const Track& from, sim::Time start, const Location& to, bool write) const {
    return tables_->flash ? 0 : positioning(from, geometry().angle_at(start), to, write, 0);
  }
  // The part of a way that is spent waiting for the sector to come round.
  sim::Time rotation_in(sim::Time way, const Track& to, bool write) const {
    return tables_->flash ? 0 : way - movement(to, write);
  }

  // For planning: from the spindle's `start_angle` until the sector at `to` begins to pass under its head. A sector
  // that would be reached with less than `guard` to spare is taken for missed: planning passes the profile's guard, the
  // movement itself 0.
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
  Remaps remaps_;
  Track track_;
};

}  // namespace ncqlab::drive
