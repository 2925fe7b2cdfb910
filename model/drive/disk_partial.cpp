// Writes of a part of a physical sector (512e): the head reads the sector, and writes it whole a revolution later,
// unless what the write leaves of it is in the buffer.
#include <algorithm>

#include "model/drive/disk.h"

namespace ncqlab::drive {

// In the write cache, in a read segment, or just read by the head.
bool Disk::in_buffer(const Extent& wanted) {
  if (wanted.sectors() == 0) return true;
  const Extent missing = dirty_.without_dirty_ends(wanted);
  if (missing.sectors() == 0) return true;
  if (const auto* segment = segments_.find(missing.first); segment != nullptr && missing.end <= segment->end)
    return true;
  if (arm_ != Arm::reading || missing.first < pass_.first_lba()) return false;
  return missing.end <= pass_.position(mechanism_, now_, read_ahead_end_);
}

// What a write of `written` leaves of a physical sector.
bool Disk::rest_in_buffer(std::uint64_t number, const Extent& written) {
  Extent sector = physical_.extent(number);
  sector.end = std::min(sector.end, mechanism_.geometry().capacity_sectors());
  return in_buffer({sector.first, std::max(sector.first, written.first)}) &&
         in_buffer({std::min(sector.end, written.end), sector.end});
}

// Data have come that will replace what segments and the running pass hold: now is the time to put both together.
void Disk::keep_rests(const Extent& written) {
  for (const std::uint64_t border : {written.first, written.end}) {
    if (!physical_.cut_at(border) || border == mechanism_.geometry().capacity_sectors()) continue;
    const std::uint64_t number = physical_.of(border);
    if (rest_in_buffer(number, written)) physical_.keep(number);
  }
}

bool Disk::must_be_read(std::uint64_t border, const Extent& written) {
  if (!physical_.cut_at(border) || border == mechanism_.geometry().capacity_sectors()) return false;
  const std::uint64_t number = physical_.of(border);
  return !physical_.take(number) && !rest_in_buffer(number, written);
}

// Before the pass goes on into what follows. True: it waits a revolution at its beginning.
bool Disk::read_before_first(const Extent& extent) {
  if (!must_be_read(extent.first, extent)) return false;
  pass_.hold_back(mechanism_, extent.first, mechanism_.geometry().revolution());
  return true;
}

// When its end is known. In the revolution that the beginning waited the head has seen the whole track.
void Disk::read_before_last(const Extent& extent, bool waited_at_first) {
  const std::uint64_t number = physical_.of(extent.end);
  if (physical_.of(extent.first) == number && physical_.cut_at(extent.first)) return;
  if (!must_be_read(extent.end, extent)) return;
  if (waited_at_first && extent.end <= mechanism_.locate(extent.first).track_end) return;
  pass_.hold_back(mechanism_, physical_.extent(number).first, mechanism_.geometry().revolution());
}

}  // namespace ncqlab::drive
