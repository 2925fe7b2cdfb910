// Of a drive profile: platters, heads and arm, or the flash in their place.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/sim/time.h"

namespace ncqlab::drive {

// One zone of a list: it has a share of the LBA space, or so many cylinders.
struct ListedZone {
  unsigned sectors_per_track = 0;
  double share = 0;             // of the LBA space, above 0; 0 when the cylinders are given
  std::uint64_t cylinders = 0;  // 0 when the share is given
};

// Either zones of equal share of the LBA space, whose sectors per track follow a parabola through the three given
// values (outermost zone, the zone at half of the LBA space, innermost zone), rounded to whole sectors; or, when it is
// not empty, the list, outermost zone first, all by share or all by cylinders.
struct Zones {
  unsigned count = 1;
  unsigned outer_sectors_per_track = 0;
  unsigned middle_sectors_per_track = 0;
  unsigned inner_sectors_per_track = 0;
  std::vector<ListedZone> list{};
};

// In which order the LBAs fill the tracks; model/drive/mechanics/geometry.h says what each name means.
struct TrackLayout {
  std::string order = "classic";  // or "cylinder-serpentine", "surface-serpentine", "hybrid-serpentine"
  std::uint64_t band_tracks = 0;  // hybrid-serpentine: tracks on one surface before the head switches; others: 0
  sim::Time band_skew = 0;        // surface and hybrid serpentine: instead of the cylinder skew from band to band
};

// Sectors that no LBA has until one is remapped to them; `per` "track", "cylinder" or "zone", at its end.
struct Spares {
  std::string per = "track";
  unsigned sectors = 0;  // 0: none
};

struct SeekPoint {
  std::uint64_t cylinders = 0;
  sim::Time time = 0;
};

// Ruemmler and Wilkes' curve of two pieces, as DiskSim has it under "HPL": below `boundary_cylinders`
// short_base + short_per_root * sqrt(d), from there on long_base + long_per_cylinder * d.
struct HplSeek {
  std::uint64_t boundary_cylinders = 0;
  sim::Time short_base = 0;
  sim::Time short_per_root = 0;
  sim::Time long_base = 0;
  sim::Time long_per_cylinder = 0;
  std::vector<sim::Time> first_ten{};  // for 1 to 10 cylinders; empty: single_cylinder and the formula
};

// seek(d) for d cylinders, settling for a read contained. `curve` names the formula and with it the members that count:
//   power        seek(1) = single_cylinder, rising as base + slope * d^exponent to `knee` at knee_fraction of all
//                cylinders, then linear to `full_stroke` at the last cylinder
//   table        linear between `points`, the first one's time below it, the last slope beyond it
//   three-point  single_cylinder, average at a third of all cylinders, full_stroke at the last; linear between
//   lee          a * sqrt(d - 1) + b * (d - 1) + single_cylinder through the same three figures
//   hpl          `hpl`, with single_cylinder unless the first ten are given
struct SeekCurve {
  sim::Time single_cylinder = 0;
  double exponent = 0.5;
  double knee_fraction = 0.2;
  sim::Time knee = 0;
  sim::Time full_stroke = 0;
  std::string curve = "power";
  sim::Time average = 0;
  std::vector<SeekPoint> points{};  // of rising distance, at least two
  HplSeek hpl{};
};

// Memory in the place of platters: every access that does not go on where the last one ended takes as long, and one
// comes after the other.
struct Flash {
  sim::Time read_access = 0;
  sim::Time write_access = 0;
  std::uint64_t bytes_per_second = 0;  // once it has begun
};

struct Mechanics {
  double rpm = 7200;
  double rpm_tolerance_fraction = 0;  // a drive of another layout than 0 turns slower or faster by up to so much
  unsigned heads = 1;
  Zones zones;
  TrackLayout layout;
  Spares spares;
  std::vector<std::uint64_t> remapped;  // LBAs that have a spare sector instead of their own, in the order it happened
  sim::Time head_skew = 0;              // angle between sector 0 of one track and of the next, as time; same cylinder
  sim::Time cylinder_skew = 0;          // the same from the last head of a cylinder to the first of the next
  sim::Time head_switch = 0;            // settling on another head of the same cylinder
  SeekCurve seek;
  std::optional<SeekCurve> write_seek;  // for writes instead of `seek`
  sim::Time write_settle = 0;  // added before a write that moved the arm by more than one cylinder: the skews hold it
  std::optional<Flash> flash;  // nothing turns; the members above are then flash_mechanics()'
};

// Equal ones have equal tables.
bool operator==(const ListedZone& a, const ListedZone& b);
bool operator==(const Zones& a, const Zones& b);
bool operator==(const TrackLayout& a, const TrackLayout& b);
bool operator==(const Spares& a, const Spares& b);
bool operator==(const SeekPoint& a, const SeekPoint& b);
bool operator==(const HplSeek& a, const HplSeek& b);
bool operator==(const SeekCurve& a, const SeekCurve& b);
bool operator==(const Flash& a, const Flash& b);
bool operator==(const Mechanics& a, const Mechanics& b);

}  // namespace ncqlab::drive
