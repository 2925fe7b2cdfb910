// Since when each sector on the platter is as it is. Kept as runs, so that a disk written in order needs little.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "model/drive/cache/extent.h"
#include "model/sim/time.h"

namespace ncqlab::drive {

class DurableTimes {
 public:
  void set(const Extent& extent, sim::Time when);
  void forget(const Extent& extent);
  std::optional<sim::Time> since(std::uint64_t lba) const;
  std::size_t runs() const { return runs_.size(); }

 private:
  struct Run {
    std::uint64_t end;
    sim::Time when;
  };
  void split_at(std::uint64_t lba);

  std::map<std::uint64_t, Run> runs_;  // by first LBA
};

}  // namespace ncqlab::drive
