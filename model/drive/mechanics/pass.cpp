#include "model/drive/mechanics/pass.h"

#include <algorithm>

namespace ncqlab::drive {

namespace {
// Pieces that have passed are forgotten when there are so many: a stream of hours keeps a handful.
constexpr std::size_t kManyPieces = 128;
}  // namespace

void Pass::begin(const Mechanism& mechanism, std::uint64_t lba, sim::Time at, bool write) {
  pieces_.clear();
  first_lba_ = lba;
  write_ = write;
  const Geometry& geometry = mechanism.geometry();
  const Location location = geometry.locate(lba);
  pieces_.push_back({lba, geometry.track_end(lba), at, location.sectors_per_track});
}

void Pass::extend(const Mechanism& mechanism) {
  const Geometry& geometry = mechanism.geometry();
  const Piece last = pieces_.back();
  const sim::Time end_time = time_in(geometry, last, last.end);
  Mechanism here = mechanism;
  here.move_to(geometry.locate(last.end - 1));
  const Location next = geometry.locate(last.end);
  const sim::Time way = here.positioning(geometry.angle_at(end_time), next, write_, 0);
  pieces_.push_back({last.end, geometry.track_end(last.end), end_time + way, next.sectors_per_track});
}

// The last one stays: somebody may still ask when its end was reached.
void Pass::forget_passed(const Geometry& geometry, sim::Time t) {
  std::size_t passed = 0;
  while (passed < pieces_.size() && time_in(geometry, pieces_[passed], pieces_[passed].end) <= t) ++passed;
  if (passed > 1) pieces_.erase(pieces_.begin(), pieces_.begin() + static_cast<std::ptrdiff_t>(passed - 1));
}

sim::Time Pass::reached(const Mechanism& mechanism, std::uint64_t end) {
  while (pieces_.back().end < end) extend(mechanism);
  for (auto piece = pieces_.rbegin(); piece != pieces_.rend(); ++piece) {
    if (piece->first < end) return time_in(mechanism.geometry(), *piece, end);
  }
  return pieces_.front().begin;
}

std::uint64_t Pass::position(const Mechanism& mechanism, sim::Time t, std::uint64_t limit) {
  const Geometry& geometry = mechanism.geometry();
  while (pieces_.back().end < limit && time_in(geometry, pieces_.back(), pieces_.back().end) <= t) extend(mechanism);
  if (pieces_.size() >= kManyPieces) forget_passed(geometry, t);
  for (auto piece = pieces_.rbegin(); piece != pieces_.rend(); ++piece) {
    if (piece->begin > t) continue;
    const auto elapsed = static_cast<unsigned __int128>(t - piece->begin);
    auto sectors = static_cast<std::uint64_t>(elapsed * piece->sectors_per_track /
                                              static_cast<std::uint64_t>(geometry.revolution()));
    // pass_time() rounds down, so the sector may already count as passed an instant earlier than the division says.
    if (time_in(geometry, *piece, piece->first + sectors + 1) <= t) ++sectors;
    return std::min({limit, piece->end, piece->first + sectors});
  }
  return std::min(limit, pieces_.front().first);
}

void Pass::settle_at(Mechanism& mechanism, std::uint64_t lba) const {
  const std::uint64_t last = lba > first_lba_ ? lba - 1 : first_lba_;
  mechanism.move_to(mechanism.geometry().locate(last));
}

void Schedule::set_from(const Pass& pass, std::uint64_t first, std::uint64_t end, sim::Time at) {
  pieces_.clear();
  all_at_ = at;
  from_ = first;
  for (const Pass::Piece& piece : pass.pieces_) {
    if (piece.end > first && piece.first < end) pieces_.push_back(piece);
  }
}

sim::Time Schedule::available(const Geometry& geometry, std::uint64_t end) const {
  if (pieces_.empty() || end <= from_) return all_at_;
  for (auto piece = pieces_.rbegin(); piece != pieces_.rend(); ++piece) {
    if (piece->first < end) return std::max(all_at_, Pass::time_in(geometry, *piece, end));
  }
  return all_at_;
}

}  // namespace ncqlab::drive
