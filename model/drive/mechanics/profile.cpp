#include "model/drive/mechanics/profile.h"

#include <tuple>

namespace ncqlab::drive {

namespace {

auto members(const ListedZone& z) { return std::tie(z.sectors_per_track, z.share, z.cylinders); }
auto members(const Zones& z) {
  return std::tie(z.count, z.outer_sectors_per_track, z.middle_sectors_per_track, z.inner_sectors_per_track, z.list);
}
auto members(const TrackLayout& l) { return std::tie(l.order, l.band_tracks, l.band_skew); }
auto members(const Spares& s) { return std::tie(s.per, s.sectors); }
auto members(const SeekPoint& p) { return std::tie(p.cylinders, p.time); }
auto members(const HplSeek& h) {
  return std::tie(h.boundary_cylinders, h.short_base, h.short_per_root, h.long_base, h.long_per_cylinder, h.first_ten);
}
auto members(const SeekCurve& c) {
  return std::tie(c.single_cylinder, c.exponent, c.knee_fraction, c.knee, c.full_stroke, c.curve, c.average, c.points,
                  c.hpl);
}
auto members(const Flash& f) { return std::tie(f.read_access, f.write_access, f.bytes_per_second); }
auto members(const Mechanics& m) {
  return std::tie(m.rpm, m.rpm_tolerance_fraction, m.heads, m.zones, m.layout, m.spares, m.remapped, m.head_skew,
                  m.cylinder_skew, m.head_switch, m.seek, m.write_seek, m.write_settle, m.flash);
}

}  // namespace

bool operator==(const ListedZone& a, const ListedZone& b) { return members(a) == members(b); }
bool operator==(const Zones& a, const Zones& b) { return members(a) == members(b); }
bool operator==(const TrackLayout& a, const TrackLayout& b) { return members(a) == members(b); }
bool operator==(const Spares& a, const Spares& b) { return members(a) == members(b); }
bool operator==(const SeekPoint& a, const SeekPoint& b) { return members(a) == members(b); }
bool operator==(const HplSeek& a, const HplSeek& b) { return members(a) == members(b); }
bool operator==(const SeekCurve& a, const SeekCurve& b) { return members(a) == members(b); }
bool operator==(const Flash& a, const Flash& b) { return members(a) == members(b); }
bool operator==(const Mechanics& a, const Mechanics& b) { return members(a) == members(b); }

}  // namespace ncqlab::drive
