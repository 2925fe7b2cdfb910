// Sectors that give trouble, and what becomes of them: a write makes an unreadable sector readable again, or moves a
// damaged one to a spare.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "model/drive/media/profile.h"
#include "model/drive/trouble.h"

namespace ncqlab::drive {

struct Defect {
  enum class Kind : std::uint8_t {
    unreadable,  // what the sector holds is lost; the place is good
    damaged,     // and the place is not: the write that finds it reallocates the sector
    slow,        // it is read after some retries, for good
  };
  Kind kind = Kind::unreadable;
  unsigned revolutions = 0;  // of retries; `slow` only
};

class Defects {
 public:
  explicit Defects(const DefectHandling& handling) : handling_(handling), spares_left_(handling.spare_sectors) {}

  void add(std::uint64_t lba, const Defect& defect);
  bool empty() const { return defects_.empty(); }
  // The first trouble for reads, or for writes, at or behind extent.first.
  std::optional<Trouble> first_trouble(Operation operation, const Extent& extent) const;
  void written(const Extent& extent);

  // Sectors that cannot be read, and the first of them.
  std::uint64_t pending() const { return pending_; }
  std::optional<std::uint64_t> first_pending() const;
  std::uint64_t reallocated() const { return reallocated_; }

 private:
  const DefectHandling& handling_;
  std::map<std::uint64_t, Defect> defects_;
  std::uint64_t pending_ = 0;
  std::uint64_t reallocated_ = 0;
  std::uint64_t spares_left_;
};

}  // namespace ncqlab::drive
