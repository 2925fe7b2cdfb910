// Which LBAs lie in a spare sector instead of their own. Few as a rule; a drive without any asks nothing of this.
#pragma once

#include <cstdint>
#include <vector>

#include "model/drive/mechanics/geometry.h"

namespace ncqlab::drive {

class Remaps {
 public:
  bool empty() const { return all_.empty(); }
  std::size_t count() const { return all_.size(); }

  // Gives the LBA the first free spare of its own pool, else of the next ones towards the end, else of those before it.
  // False when it has one already or none is free.
  bool add(const Geometry& geometry, std::uint64_t lba);
  // What Geometry::locate() has found for `lba`, corrected: a remapped one lies alone on its track, and a track ends
  // before the next remapped one.
  void correct(const Geometry& geometry, std::uint64_t lba, Location& location) const;

 private:
  struct Remap {
    std::uint64_t lba;
    std::uint64_t pool;
    std::uint32_t slot;
  };
  std::vector<Remap>::const_iterator from(std::uint64_t lba) const;  // the first at or behind it
  std::uint32_t taken(std::uint64_t pool) const;

  std::vector<Remap> all_;  // by LBA
};

}  // namespace ncqlab::drive
