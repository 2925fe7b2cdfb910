#include "model/drive/mechanics/flash.h"

#include <algorithm>

#include "model/drive/sector.h"

namespace ncqlab::drive {

namespace {
// Tracks are 1 MiB, or as long as it takes to need no more than so many: the seek table has an entry for each.
constexpr std::uint64_t kTrack_sectors = 2048;
constexpr std::uint64_t kMostTracks = 65'536;
}  // namespace

Mechanics flash_mechanics(const Flash& flash, std::uint64_t capacity_sectors) {
  const std::uint64_t track = std::max(kTrack_sectors, (capacity_sectors + kMostTracks - 1) / kMostTracks);
  const auto sectors = static_cast<unsigned>(track);
  Mechanics mechanics;
  mechanics.flash = flash;
  mechanics.heads = 1;
  mechanics.rpm = 60.0 * static_cast<double>(flash.bytes_per_second) / static_cast<double>(track * kSector_bytes);
  mechanics.zones = {1, sectors, sectors, sectors};
  mechanics.seek.curve = "table";
  mechanics.seek.points = {{1, flash.read_access}, {2, flash.read_access}};
  mechanics.write_seek = mechanics.seek;
  mechanics.write_seek->points = {{1, flash.write_access}, {2, flash.write_access}};
  return mechanics;
}

}  // namespace ncqlab::drive
