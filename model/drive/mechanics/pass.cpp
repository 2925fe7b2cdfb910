#include "model/drive/mechanics/pass.h"

#include <algorithm>
#include <iterator>

namespace ncqlab::drive {

namespace {
// Pieces that have passed are forgotten when there are so many: a stream of hours keeps a handful.
constexpr std::size_t kManyPieces = 128;
// As sectors per track: the piece is in the buffer at once when the one before it has passed (it takes picoseconds).
constexpr std::uint32_t kAtOnce = 0xFFFFFFFF;
}  // namespace

void Pass::begin(std::uint64_t lba, const Location& location, sim::Time at, bool write) {
  pieces_.clear();
  first_lba_ = lba;
  write_ = write;
  pieces_.push_back({lba, location.track_end, at, location.sectors_per_track, location});
}

void Pass::extend(const Mechanism& mechanism) {
  const Geometry& geometry = mechanism.geometry();
  const Piece last = pieces_.back();
  const sim::Time end_time = time_in(geometry, last, last.end);
  const Location next = mechanism.locate(last.end);
  const sim::Time way = mechanism.way_on(last.track, end_time, next, write_);
  pieces_.push_back({last.end, next.track_end, end_time + way, next.sectors_per_track, next});
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

sim::Time Pass::begins(const Mechanism& mechanism, std::uint64_t lba) {
  while (pieces_.back().end <= lba) extend(mechanism);
  for (auto piece = pieces_.rbegin(); piece != pieces_.rend(); ++piece) {
    if (piece->first <= lba) return time_in(mechanism.geometry(), *piece, lba);
  }
  return pieces_.front().begin;
}

std::uint64_t Pass::position(const Mechanism& mechanism, sim::Time t, std::uint64_t limit) {
  const Geometry& geometry = mechanism.geometry();
  while (pieces_.back().end < limit && time_in(geometry, pieces_.back(), pieces_.back().end) <= t) extend(mechanism);
  if (pieces_.size() >= kManyPieces) forget_passed(geometry, t);
  for (auto piece = pieces_.rbegin(); piece != pieces_.rend(); ++piece) {
    if (piece->begin > t) continue;
    if (time_in(geometry, *piece, piece->end) <= t) return std::min(limit, piece->end);
    // Less than a revolution: it does not overflow.
    const auto elapsed = static_cast<std::uint64_t>(t - piece->begin);
    const auto sectors = elapsed * piece->sectors_per_track / static_cast<std::uint64_t>(geometry.revolution());
    std::uint64_t lba = piece->first + sectors;
    // pass_time() rounds down, so the sector may already count as passed an instant earlier than the division says.
    if (time_in(geometry, *piece, lba + 1) <= t) ++lba;
    return std::min(limit, lba);
  }
  return std::min(limit, pieces_.front().first);
}

void Pass::hold_back(const Mechanism& mechanism, std::uint64_t lba, sim::Time delay) {
  const sim::Time begins_at = begins(mechanism, lba);
  std::size_t i = pieces_.size() - 1;
  while (pieces_[i].first > lba) --i;
  if (pieces_[i].first < lba) {
    Piece rest = pieces_[i];
    rest.first = lba;
    rest.begin = begins_at;
    pieces_[i].end = lba;
    pieces_.insert(pieces_.begin() + static_cast<std::ptrdiff_t>(++i), rest);
  }
  for (; i < pieces_.size(); ++i) pieces_[i].begin += delay;
}

void Pass::read_from_landing(const Mechanism& mechanism, sim::Time landing, std::uint64_t end) {
  const Geometry& geometry = mechanism.geometry();
  const Piece whole = pieces_.front();
  end = std::min(end, whole.end);
  const auto revolution = static_cast<std::uint64_t>(geometry.revolution());
  const std::uint64_t passed = revolution - static_cast<std::uint64_t>(whole.begin - landing);
  const std::uint64_t missed = (passed * whole.sectors_per_track + revolution - 1) / revolution;
  if (whole.begin == landing || whole.first + missed >= end) return;
  Piece beginning = whole;
  beginning.end = whole.first + missed;
  Piece rest = whole;
  rest.first = beginning.end;
  rest.end = end;
  rest.begin = time_in(geometry, whole, beginning.end);
  rest.sectors_per_track = kAtOnce;
  pieces_ = {beginning, rest};
  if (end == whole.end) return;
  Piece beyond = whole;
  beyond.first = end;
  beyond.begin = time_in(geometry, whole, end);
  pieces_.push_back(beyond);
}

void Pass::settle_at(Mechanism& mechanism, std::uint64_t lba) const {
  const std::uint64_t last = lba > first_lba_ ? lba - 1 : first_lba_;
  mechanism.move_to(mechanism.locate(last));
}

void Schedule::set_from(const Pass& pass, std::uint64_t first, std::uint64_t end, sim::Time at) {
  pieces_.clear();
  all_at_ = at;
  from_ = first;
  auto piece = pass.pieces_.end();
  while (piece != pass.pieces_.begin() && std::prev(piece)->end > first) --piece;
  for (; piece != pass.pieces_.end() && piece->first < end; ++piece) pieces_.push_back(*piece);
}

sim::Time Schedule::available(const Geometry& geometry, std::uint64_t end) const {
  if (pieces_.empty() || end <= from_) return all_at_;
  for (auto piece = pieces_.rbegin(); piece != pieces_.rend(); ++piece) {
    if (piece->first < end) return std::max(all_at_, Pass::time_in(geometry, *piece, end));
  }
  return all_at_;
}

}  // namespace ncqlab::drive
