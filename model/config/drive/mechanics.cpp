// Platters, heads and arm, or the flash in their place.
#include <algorithm>
#include <string>

#include "model/config/drive/sections.h"
#include "model/config/members.h"
#include "model/config/node.h"
#include "model/drive/mechanics/flash.h"

namespace ncqlab::config {
namespace {

constexpr Member<drive::Zones> kZones[] = {
    {"count", &drive::Zones::count},
    {"outer_sectors_per_track", &drive::Zones::outer_sectors_per_track},
    {"middle_sectors_per_track", &drive::Zones::middle_sectors_per_track},
    {"inner_sectors_per_track", &drive::Zones::inner_sectors_per_track},
};

constexpr Member<drive::TrackLayout> kLayout[] = {
    {"order", &drive::TrackLayout::order},
    {"band_tracks", &drive::TrackLayout::band_tracks},
    {"band_skew_ms", &drive::TrackLayout::band_skew},
};

constexpr Member<drive::Spares> kSpares[] = {
    {"per", &drive::Spares::per},
    {"sectors", &drive::Spares::sectors},
};

constexpr Member<drive::Mechanics> kMechanics[] = {
    {"rpm", &drive::Mechanics::rpm},
    {"heads", &drive::Mechanics::heads},
    {"head_skew_ms", &drive::Mechanics::head_skew},
    {"cylinder_skew_ms", &drive::Mechanics::cylinder_skew},
    {"head_switch_ms", &drive::Mechanics::head_switch},
    {"write_settle_ms", &drive::Mechanics::write_settle},
};

constexpr Member<drive::PhysicalSectors512e> kPhysicalSectors[] = {
    {"bytes", &drive::PhysicalSectors512e::bytes},
    {"lba_0_offset", &drive::PhysicalSectors512e::lba_0_offset},
};

constexpr Member<drive::Flash> kFlash[] = {
    {"read_access_ms", &drive::Flash::read_access},
    {"write_access_ms", &drive::Flash::write_access},
    {"bytes_per_second", &drive::Flash::bytes_per_second},
};

std::string ms(sim::Time time) { return "found " + shown(sim::to_ms(time)); }

void read_zone_list(const Value& list, drive::Zones& zones, Findings& errors) {
  std::string_view first;  // the key that the first zone has decides
  for (const Value& item : list.items()) {
    drive::ListedZone zone;
    zone.sectors_per_track = static_cast<unsigned>(item.at("sectors_per_track").count());
    zone.share = item.number_or("share", 0);
    zone.cylinders = item.count_or("cylinders", 0);
    if (item.has("share") == item.has("cylinders")) {
      errors.add(item.pointer(), item.has("share") ? "share and cylinders" : "neither share nor cylinders",
                 "one of them");
    }
    const std::string_view key = item.has("share") ? "share" : "cylinders";
    if (first.empty()) first = key;
    if (key != first) {
      errors.add(item.pointer(), "found " + std::string(key), std::string(first) + ", as the zones before have");
    }
    zones.list.push_back(zone);
  }
}

void read_zones(const Value& section, drive::Zones& zones, Findings& errors) {
  const auto parabola = section.find("zones");
  const auto list = section.find("zone_list");
  if (parabola.has_value() == list.has_value()) {
    errors.add(section.pointer() + "/zones", parabola ? "found beside zone_list" : "missing", "it or zone_list");
  }
  if (parabola) read_members(*parabola, kZones, zones);
  if (list) read_zone_list(*list, zones, errors);
}

// Of a step from one track to the next: the skew lets it be done before the next sector comes.
void check_skew(const char* key, sim::Time skew, sim::Time revolution, Findings& errors) {
  if (skew < revolution) return;
  errors.add(std::string("/mechanics/") + key, ms(skew),
             "less than one revolution (" + shown(sim::to_ms(revolution)) + ")");
}

void check_times(const drive::Mechanics& mechanics, Findings& errors, Findings& odd) {
  const sim::Time revolution = sim::from_ms(60'000.0 / mechanics.rpm);
  check_skew("head_skew_ms", mechanics.head_skew, revolution, errors);
  check_skew("cylinder_skew_ms", mechanics.cylinder_skew, revolution, errors);
  check_skew("layout/band_skew_ms", mechanics.layout.band_skew, revolution, errors);
  if (mechanics.heads > 1 && mechanics.head_switch > mechanics.head_skew) {
    errors.add("/mechanics/head_switch_ms", ms(mechanics.head_switch),
               "at most /mechanics/head_skew_ms (" + shown(sim::to_ms(mechanics.head_skew)) +
                   "), or each track costs a revolution");
  }
  const drive::SeekCurve& seek = mechanics.seek;
  if (seek.curve != "table" && mechanics.cylinder_skew < seek.single_cylinder) {
    odd.add("/mechanics/cylinder_skew_ms", ms(mechanics.cylinder_skew),
            "at least /mechanics/seek/single_cylinder_ms (" + shown(sim::to_ms(seek.single_cylinder)) +
                "), or each cylinder costs a revolution");
  }
  if (mechanics.write_seek && mechanics.write_settle != 0) {
    errors.add("/mechanics/write_settle_ms", ms(mechanics.write_settle), "0 beside write_seek, which contains it");
  }
}

void read_platters(const Value& section, drive::Mechanics& mechanics, Findings& errors) {
  read_members(section, kMechanics, mechanics);
  read_zones(section, mechanics.zones, errors);
  mechanics.seek = read_seek(section.at("seek"), errors);
  if (const auto curve = section.find("write_seek")) mechanics.write_seek = read_seek(*curve, errors);
  if (const auto layout = section.find("layout")) read_members(*layout, kLayout, mechanics.layout);
  if (const auto spares = section.find("spares")) read_members(*spares, kSpares, mechanics.spares);
  if (const auto lbas = section.find("remapped")) {
    for (const Value& lba : lbas->items()) mechanics.remapped.push_back(lba.count());
  }
  if (const auto tolerance = section.find("speed_tolerance")) {
    mechanics.rpm_tolerance_fraction = tolerance->at("fraction").number();
  }
}

}  // namespace

void read_mechanics(const Value& root, drive::Profile& profile, Findings& errors) {
  const auto platters = root.find("mechanics");
  const auto flash = root.find("flash");
  if (platters.has_value() == flash.has_value()) {
    errors.add("/mechanics", platters ? "found beside flash" : "missing", "it or flash");
    errors.throw_if_any();  // nothing else can be said of it
  }
  if (flash) {
    drive::Flash memory;
    read_members(*flash, kFlash, memory);
    profile.mechanics = drive::flash_mechanics(memory, profile.capacity_sectors);
  } else {
    read_platters(*platters, profile.mechanics, errors);
  }
  if (const auto sectors = root.find("physical_sectors"))
    read_members(*sectors, kPhysicalSectors, profile.physical_sectors);
  errors.throw_if_any();  // the checks below need all of it
}

void check_mechanics(const drive::Profile& profile, Findings& errors, Findings& odd) {
  const drive::PhysicalSectors512e& sectors = profile.physical_sectors;
  if (sectors.lba_0_offset >= sectors.bytes / drive::kSector_bytes) {
    errors.add("/physical_sectors/lba_0_offset", "found " + std::to_string(sectors.lba_0_offset),
               "less than the " + std::to_string(sectors.bytes / drive::kSector_bytes) + " LBAs of a physical sector");
  }
  if (profile.mechanics.flash) return;
  check_zones(profile, errors, odd);
  check_times(profile.mechanics, errors, odd);
}

}  // namespace ncqlab::config
