#include "model/drive/mechanics/geometry.h"

#include <algorithm>
#include <stdexcept>

#include "model/drive/mechanics/zone_plan.h"
#include "model/sim/random.h"

namespace ncqlab::drive {

namespace {

// Zone borders of real drives of one model lie some tracks apart.
constexpr std::uint64_t kBorderSpread_cylinders = 17;

// Within the maker's tolerance, evenly; one part in 2^32 is far below what a clock could tell.
sim::Time revolution_of(const Mechanics& mechanics, Layout layout) {
  const sim::Time nominal = sim::from_ms(60'000.0 / mechanics.rpm);
  if (layout.number == 0 || mechanics.rpm_tolerance_fraction == 0) return nominal;
  sim::Stream stream(layout.number, "drive/speed");
  const double share = static_cast<double>(stream.below(1ULL << 32U)) / 2147483648.0 - 1.0;  // -1 .. 1
  return sim::from_ms(60'000.0 / (mechanics.rpm * (1.0 + mechanics.rpm_tolerance_fraction * share)));
}

}  // namespace

Geometry::Geometry(const Mechanics& mechanics, std::uint64_t capacity_sectors, Layout layout)
    : capacity_(capacity_sectors),
      heads_(mechanics.heads),
      spares_(mechanics.spares.sectors),
      revolution_(revolution_of(mechanics, layout)),
      head_skew_(mechanics.head_skew),
      cylinder_skew_(mechanics.cylinder_skew),
      band_skew_(mechanics.layout.band_skew),
      cylinder_pitch_(mechanics.cylinder_skew + mechanics.head_skew * (mechanics.heads - 1)) {
  sim::Stream stream(layout.number, "drive/layout");
  const bool nominal = layout.number == 0;
  if (!nominal) spindle_phase_ = static_cast<sim::Time>(stream.below(static_cast<std::uint64_t>(revolution_)));

  const std::string& order = mechanics.layout.order;
  turning_heads_ = order == "cylinder-serpentine";
  bands_ = order == "surface-serpentine" || order == "hybrid-serpentine";
  const bool surfaces = order == "surface-serpentine";
  const auto most_band = static_cast<std::uint32_t>(surfaces ? 0xFFFFFFFF : mechanics.layout.band_tracks);
  if (mechanics.spares.per == "cylinder") spares_per_ = SparesPer::cylinder;
  if (mechanics.spares.per == "zone") spares_per_ = SparesPer::zone;
  plain_ = order == "classic" && spares_per_ != SparesPer::cylinder;

  const std::vector<PlannedZone> plan = plan_zones(mechanics.zones, capacity_);
  zone_share_ = (capacity_ + plan.size() - 1) / plan.size();
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const std::uint64_t first = zones_.empty() ? 0 : zones_.back().end_lba;
    if (first >= capacity_) break;
    std::uint64_t cylinders = plan[i].cylinders;
    if (cylinders == 0) {
      const std::uint64_t in_zone = spares_per_ == SparesPer::zone ? spares_ : 0;
      const std::uint64_t wanted = std::max(plan[i].end_lba, first + 1) - first + in_zone;
      const std::uint64_t per_cylinder = usable_cylinder_sectors(plan[i].sectors_per_track);
      cylinders = (wanted + per_cylinder - 1) / per_cylinder;
    }
    if (!nominal && i + 1 < plan.size()) cylinders += stream.below(kBorderSpread_cylinders);
    add_zone(plan[i].sectors_per_track, cylinders, most_band);
  }
  if (zones_.back().end_lba < capacity_) throw std::logic_error("the zones do not hold the capacity");
  zones_.back().end_lba = capacity_;
}

std::uint64_t Geometry::usable_cylinder_sectors(std::uint32_t sectors_per_track) const {
  const std::uint64_t all = static_cast<std::uint64_t>(sectors_per_track) * heads_;
  switch (spares_per_) {
    case SparesPer::track:
      return all - static_cast<std::uint64_t>(spares_) * heads_;
    case SparesPer::cylinder:
      return all - spares_;
    case SparesPer::zone:
      break;
  }
  return all;
}

// Angle from sector 0 of a band to sector 0 of the next.
sim::Time Geometry::band_pitch(std::uint32_t cylinders) const {
  return heads_ * (cylinders - 1) * cylinder_skew_ + (heads_ - 1) * head_skew_ + band_skew_;
}

void Geometry::add_zone(std::uint32_t sectors_per_track, std::uint64_t cylinders, std::uint32_t most_band) {
  Zone zone{};
  sim::Time skew = 0;
  if (!zones_.empty()) {
    const Zone& before = zones_.back();
    zone.first_lba = before.end_lba;
    skew = before.skew;
    if (bands_) {
      const std::uint32_t rest = before.cylinders % before.band;
      skew += before.cylinders / before.band * band_pitch(before.band) + (rest != 0 ? band_pitch(rest) : 0);
    } else {
      skew += before.cylinders * cylinder_pitch_;
    }
  }
  zone.skew = skew % revolution_;
  zone.first_pool = spare_pools_;
  zone.first_cylinder = cylinders_;
  zone.cylinders = static_cast<std::uint32_t>(cylinders);
  zone.sectors_per_track = zone.track_sectors = sectors_per_track;
  zone.band = std::min(most_band, zone.cylinders);
  const std::uint64_t per_cylinder = usable_cylinder_sectors(sectors_per_track);
  zone.end_lba = zone.first_lba + cylinders * per_cylinder;
  switch (spares_per_) {
    case SparesPer::track:
      zone.track_sectors -= spares_;
      spare_pools_ += cylinders * heads_;
      break;
    case SparesPer::cylinder:
      zone.cylinder_sectors = per_cylinder;
      spare_pools_ += cylinders;
      break;
    case SparesPer::zone:
      zone.end_lba -= spares_;
      spare_pools_ += 1;
      break;
  }
  cylinders_ += zone.cylinders;
  zones_.push_back(zone);
}

const Geometry::Zone& Geometry::zone_of(std::uint64_t lba) const {
  // Zones of a parabola hold nearly equal shares: the guess is right or one off. A list may take a few steps more.
  std::size_t index = std::min<std::size_t>(lba / zone_share_, zones_.size() - 1);
  while (zones_[index].first_lba > lba) --index;
  while (index + 1 < zones_.size() && zones_[index + 1].first_lba <= lba) ++index;
  return zones_[index];
}

Location Geometry::locate(std::uint64_t lba) const {
  const Zone& zone = zone_of(lba);
  const std::uint64_t offset = lba - zone.first_lba;
  if (!plain_) return locate_otherwise(zone, lba);
  // What place() does for heads in turn, at half of its instructions: this is asked twice a request.
  const auto track = static_cast<std::uint32_t>(offset / zone.track_sectors);
  const auto sector = static_cast<std::uint32_t>(offset - static_cast<std::uint64_t>(track) * zone.track_sectors);
  const std::uint32_t cylinder = track / heads_;
  const std::uint32_t head = track - cylinder * heads_;
  const sim::Time skew = zone.skew + cylinder * cylinder_pitch_ + head * head_skew_;
  return Location{{zone.first_cylinder + cylinder, head},
                  sector,
                  zone.sectors_per_track,
                  (skew + pass_time(sector, zone.sectors_per_track)) % revolution_,
                  std::min(zone.end_lba, lba - sector + zone.track_sectors)};
}

Location Geometry::locate_otherwise(const Zone& zone, std::uint64_t lba) const {
  const std::uint64_t offset = lba - zone.first_lba;
  std::uint64_t track = offset / zone.track_sectors;
  std::uint64_t sector = offset % zone.track_sectors;
  std::uint64_t end = zone.end_lba;
  if (zone.cylinder_sectors != 0) {  // with spares in each cylinder its last track is shorter
    const std::uint64_t rest = offset % zone.cylinder_sectors;
    track = offset / zone.cylinder_sectors * heads_ + rest / zone.track_sectors;
    sector = rest % zone.track_sectors;
    end = std::min(end, lba - rest + zone.cylinder_sectors);
  }
  Location location = place(zone, static_cast<std::uint32_t>(track), static_cast<std::uint32_t>(sector));
  location.track_end = std::min(end, lba - sector + zone.track_sectors);
  return location;
}

// A sector of the so-manieth track of the zone in the order of the LBAs.
Location Geometry::place(const Zone& zone, std::uint32_t track, std::uint32_t sector) const {
  Location location;
  const sim::Time skew =
      zone.skew + (bands_ ? place_in_band(zone, track, location) : place_in_cylinder(zone, track, location));
  location.sector = sector;
  location.sectors_per_track = zone.sectors_per_track;
  location.angle = (skew + pass_time(sector, zone.sectors_per_track)) % revolution_;
  return location;
}

// These two return the skew from the zone's first track.

sim::Time Geometry::place_in_cylinder(const Zone& zone, std::uint32_t track, Location& location) const {
  const std::uint32_t cylinder = track / heads_;
  const std::uint32_t step = track % heads_;
  location.cylinder = zone.first_cylinder + cylinder;
  location.head = turning_heads_ && location.cylinder % 2 == 1 ? heads_ - 1 - step : step;
  return cylinder * cylinder_pitch_ + step * head_skew_;
}

sim::Time Geometry::place_in_band(const Zone& zone, std::uint32_t track, Location& location) const {
  const std::uint64_t band_tracks = static_cast<std::uint64_t>(zone.band) * heads_;
  const auto band = static_cast<std::uint32_t>(track / band_tracks);
  const std::uint32_t before = band * zone.band;  // cylinders of the zone
  const std::uint32_t cylinders = std::min(zone.band, zone.cylinders - before);
  const auto rest = static_cast<std::uint32_t>(track - band * band_tracks);
  location.head = rest / cylinders;
  const std::uint32_t step = rest - location.head * cylinders;
  const bool inwards = location.head % 2 == 0;
  location.cylinder = zone.first_cylinder + before + (inwards ? step : cylinders - 1 - step);
  return band * band_pitch(zone.band) + location.head * ((cylinders - 1) * cylinder_skew_ + head_skew_) +
         step * cylinder_skew_;
}

// ---- spare sectors

std::uint64_t Geometry::spare_pool_of(std::uint64_t lba) const {
  const Zone& zone = zone_of(lba);
  const std::uint64_t offset = lba - zone.first_lba;
  switch (spares_per_) {
    case SparesPer::track:
      return zone.first_pool + offset / zone.track_sectors;
    case SparesPer::cylinder:
      return zone.first_pool + offset / zone.cylinder_sectors;
    case SparesPer::zone:
      break;
  }
  return zone.first_pool;
}

Location Geometry::spare(std::uint64_t pool, std::uint32_t slot) const {
  auto zone = zones_.end() - 1;
  while (zone->first_pool > pool) --zone;
  const std::uint64_t tracks = static_cast<std::uint64_t>(zone->cylinders) * heads_;
  std::uint64_t track = tracks - 1;
  if (spares_per_ == SparesPer::track) track = pool - zone->first_pool;
  if (spares_per_ == SparesPer::cylinder) track = (pool - zone->first_pool) * heads_ + heads_ - 1;
  return place(*zone, static_cast<std::uint32_t>(track), zone->sectors_per_track - spares_ + slot);
}

}  // namespace ncqlab::drive
