#include "model/drive/media/contents.h"

#include <algorithm>
#include <cstring>

namespace ncqlab::drive {

void Contents::fill_from_factory(std::uint64_t lba, std::uint32_t sectors, std::uint8_t* buffer) const {
  if (factory_ != nullptr) {
    factory_->fill(lba, sectors, buffer);
  } else {
    std::memset(buffer, 0, static_cast<std::size_t>(sectors) * kSector_bytes);
  }
}

void Contents::read_platter(std::uint64_t lba, std::uint32_t sectors, std::uint8_t* buffer) const {
  while (sectors > 0) {
    const auto [run, stored] = platter_.run_at(lba, sectors);
    stored ? platter_.read(lba, run, buffer) : fill_from_factory(lba, run, buffer);
    lba += run;
    sectors -= run;
    buffer += static_cast<std::size_t>(run) * kSector_bytes;
  }
}

void Contents::read(std::uint64_t lba, std::uint32_t sectors, std::uint8_t* buffer) const {
  if (buffer_.empty()) return read_platter(lba, sectors, buffer);
  while (sectors > 0) {
    const auto [run, stored] = buffer_.run_at(lba, sectors);
    stored ? buffer_.read(lba, run, buffer) : read_platter(lba, run, buffer);
    lba += run;
    sectors -= run;
    buffer += static_cast<std::size_t>(run) * kSector_bytes;
  }
}

void Contents::write(std::uint64_t lba, std::uint32_t sectors, const std::uint8_t* data) {
  if (lba < pass_.end && pass_.first < lba + sectors) keep_for_pass(lba, sectors);
  buffer_.write(lba, sectors, data);
}

// The head writes what was there when the pass began.
void Contents::keep_for_pass(std::uint64_t lba, std::uint32_t sectors) {
  std::uint8_t sector[kSector_bytes];
  const std::uint64_t end = std::min(lba + sectors, pass_.end);
  for (lba = std::max(lba, pass_.first); lba < end; ++lba) {
    if (leaving_.run_at(lba, 1).stored) continue;
    read(lba, 1, sector);
    leaving_.write(lba, 1, sector);
  }
}

void Contents::write_pass_ended(sim::Time now, const Extent& extent) {
  reach_platter(now, extent);
  pass_ = {};
}

void Contents::reach_platter(sim::Time now, const Extent& extent) {
  if (leaving_.empty()) {
    buffer_.move_to(platter_, extent);
  } else {
    for (std::uint64_t lba = extent.first; lba < extent.end;) {
      const auto [run, stored] = leaving_.run_at(lba, static_cast<std::uint32_t>(extent.end - lba));
      (stored ? leaving_ : buffer_).move_to(platter_, {lba, lba + run});
      lba += run;
    }
  }
  if (times_) times_->set(extent, now);
}

void Contents::discard(std::uint64_t lba, std::uint64_t sectors) {
  const Extent extent{lba, lba + sectors};
  for (SectorStore* store : {&platter_, &buffer_, &leaving_}) store->erase(extent);
  if (times_) times_->forget(extent);
}

void Contents::drop_buffered(const Extent& extent) {
  buffer_.erase(extent);
  leaving_.erase(extent);
}

Contents::Place Contents::place_of(std::uint64_t lba) const {
  if (!buffer_.run_at(lba, 1).stored) return Place::platter;
  const bool in_pass = pass_.first <= lba && lba < pass_.end && !leaving_.run_at(lba, 1).stored;
  return in_pass ? Place::under_head : Place::buffer;
}

std::vector<Extent> Contents::in_buffer_only(const Extent& extent) const {
  std::vector<Extent> found;
  buffer_.visit_runs(extent, [&](std::uint64_t first, std::uint32_t sectors) {
    for (std::uint64_t lba = first; lba < first + sectors; ++lba) {
      if (place_of(lba) == Place::under_head) continue;
      if (found.empty() || found.back().end != lba) found.push_back({lba, lba});
      ++found.back().end;
    }
  });
  return found;
}

void Contents::power_off(sim::Time now, std::uint64_t written_end, const std::vector<Extent>& kept) {
  if (written_end > pass_.first) reach_platter(now, {pass_.first, std::min(written_end, pass_.end)});
  pass_ = {};
  SectorStore saved(pattern_);
  for (const Extent& extent : kept) buffer_.move_to(saved, extent);
  buffer_ = std::move(saved);
  leaving_ = SectorStore(pattern_);
}

}  // namespace ncqlab::drive
