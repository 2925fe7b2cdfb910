#include "model/drive/mechanics/geometry.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "model/sim/random.h"

namespace ncqlab::drive {

namespace {

// The parabola through (0, outer), (1/2, middle), (1, inner) at x in [0, 1].
double parabola(const Zones& zones, double x) {
  const double outer = zones.outer_sectors_per_track;
  const double middle = zones.middle_sectors_per_track;
  const double inner = zones.inner_sectors_per_track;
  return outer * (1 - x) * (1 - 2 * x) + middle * 4 * x * (1 - x) + inner * x * (2 * x - 1);
}

}  // namespace

Geometry::Geometry(const Mechanics& mechanics, std::uint64_t capacity_sectors, Layout layout)
    : capacity_(capacity_sectors),
      heads_(mechanics.heads),
      revolution_(sim::from_ms(60'000.0 / mechanics.rpm)),
      head_skew_(mechanics.head_skew),
      cylinder_pitch_(mechanics.cylinder_skew + mechanics.head_skew * (mechanics.heads - 1)) {
  sim::Stream stream(layout.number, "drive/layout");
  const bool nominal = layout.number == 0;
  if (!nominal) spindle_phase_ = static_cast<sim::Time>(stream.below(static_cast<std::uint64_t>(revolution_)));

  const unsigned count = mechanics.zones.count;
  zone_share_ = (capacity_ + count - 1) / count;
  std::uint64_t next_lba = 0;
  std::uint32_t next_track = 0;
  for (unsigned index = 0; index < count && next_lba < capacity_; ++index) {
    const double x = count == 1 ? 0.0 : static_cast<double>(index) / (count - 1);
    const auto sectors_per_track = static_cast<std::uint32_t>(std::lround(parabola(mechanics.zones, x)));
    const std::uint64_t target = std::min<std::uint64_t>(capacity_, (index + 1) * zone_share_);
    zones_.push_back({next_lba, next_track, sectors_per_track});
    const std::uint64_t per_cylinder = static_cast<std::uint64_t>(sectors_per_track) * heads_;
    std::uint64_t cylinders = (target - next_lba + per_cylinder - 1) / per_cylinder;
    // Zone borders of real drives of one model lie some tracks apart.
    if (!nominal && index + 1 < count) cylinders += stream.below(17);
    next_lba += cylinders * per_cylinder;
    next_track += static_cast<std::uint32_t>(cylinders * heads_);
  }
  if (next_lba < capacity_) throw std::logic_error("the zones do not hold the capacity");
  cylinders_ = next_track / heads_;
}

const Geometry::Zone& Geometry::zone_of(std::uint64_t lba) const {
  // Zones hold nearly equal shares: the guess is right or one off.
  std::size_t index = std::min<std::size_t>(lba / zone_share_, zones_.size() - 1);
  while (zones_[index].first_lba > lba) --index;
  while (index + 1 < zones_.size() && zones_[index + 1].first_lba <= lba) ++index;
  return zones_[index];
}

Location Geometry::locate(std::uint64_t lba) const {
  const Zone& zone = zone_of(lba);
  const std::uint64_t offset = lba - zone.first_lba;
  const auto track_in_zone = static_cast<std::uint32_t>(offset / zone.sectors_per_track);
  const std::uint32_t track = zone.first_track + track_in_zone;
  Location location;
  location.sector =
      static_cast<std::uint32_t>(offset - static_cast<std::uint64_t>(track_in_zone) * zone.sectors_per_track);
  location.sectors_per_track = zone.sectors_per_track;
  location.cylinder = track / heads_;
  location.head = track % heads_;
  location.track_end = std::min(capacity_, lba - location.sector + zone.sectors_per_track);
  const sim::Time skew = location.cylinder * cylinder_pitch_ + location.head * head_skew_;
  location.angle = (skew + pass_time(location.sector, zone.sectors_per_track)) % revolution_;
  return location;
}

}  // namespace ncqlab::drive
