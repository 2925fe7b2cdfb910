// One run of the head over consecutive LBAs: which sector has passed at which time, across tracks, with the head and
// cylinder switches between them. Known as far as somebody asked; nothing is simulated per sector.
#pragma once

#include <cstdint>
#include <vector>

#include "model/drive/mechanics/mechanism.h"

namespace ncqlab::drive {

class Pass {
 public:
  // Starts at `lba`, which lies at `location` and begins to pass at `at`. The mechanism follows the pass (settle_at()).
  void begin(std::uint64_t lba, const Location& location, sim::Time at, bool write);

  std::uint64_t first_lba() const { return first_lba_; }
  sim::Time begins_at() const { return pieces_.front().begin; }  // of a pass that has just begun
  // When the sector before `end` has passed whole; first_lba() < end <= capacity.
  sim::Time reached(const Mechanism& mechanism, std::uint64_t end);
  // When the sector at `lba` begins to pass; first_lba() <= lba < capacity.
  sim::Time begins(const Mechanism& mechanism, std::uint64_t lba);
  // The first LBA that has not passed whole at time t, at most `limit`; t does not decrease.
  std::uint64_t position(const Mechanism& mechanism, sim::Time t, std::uint64_t limit);
  // The head stays for so long with the sector at `lba`, which it has not begun yet: it and all that follows pass
  // later.
  void hold_back(const Mechanism& mechanism, std::uint64_t lba, sim::Time delay);
  // Right after begin(): the head has landed at `landing` and reads from where that is within [first_lba(), end) of the
  // first track, the beginning a revolution later. It then has all of it when the beginning has passed.
  void read_from_landing(const Mechanism& mechanism, sim::Time landing, std::uint64_t end);
  // Leaves the arm where the pass stands before `lba`, an LBA within what reached() or position() looked at.
  void settle_at(Mechanism& mechanism, std::uint64_t lba) const;

 private:
  friend class Schedule;
  struct Piece {  // the part of a pass on one track
    std::uint64_t first;
    std::uint64_t end;
    sim::Time begin;
    std::uint32_t sectors_per_track;
    Track track;
  };
  void extend(const Mechanism& mechanism);
  void forget_passed(const Geometry& geometry, sim::Time t);
  static sim::Time time_in(const Geometry& geometry, const Piece& piece, std::uint64_t end) {
    return piece.begin + geometry.pass_time(end - piece.first, piece.sectors_per_track);
  }

  std::vector<Piece> pieces_;
  std::uint64_t first_lba_ = 0;
  bool write_ = false;
};

// When the sectors of one command are in the buffer: a copy of the part of a pass that concerns it.
class Schedule {
 public:
  void clear() { pieces_.clear(); }
  // All of the command is in the buffer at `at`.
  void set_all(sim::Time at) {
    pieces_.clear();
    all_at_ = at;
  }
  // [first, end) comes from the pass, which has been extended to `end`; what lies before `first` is there at `at`.
  void set_from(const Pass& pass, std::uint64_t first, std::uint64_t end, sim::Time at);
  // When every sector before `end` is in the buffer.
  sim::Time available(const Geometry& geometry, std::uint64_t end) const;

 private:
  std::vector<Pass::Piece> pieces_;
  std::uint64_t from_ = 0;
  sim::Time all_at_ = 0;
};

}  // namespace ncqlab::drive
