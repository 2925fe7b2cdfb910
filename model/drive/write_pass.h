// What the head does to the platter, as the disk library tells it to whoever keeps the contents.
#pragma once

#include <cstdint>

#include "model/drive/cache/extent.h"
#include "model/sim/time.h"

namespace ncqlab::drive {

// One run of the head that writes. What is written is what the buffer held when the pass began: sectors that a host
// writes meanwhile are dirty anew.
class WritePassListener {
 public:
  virtual void write_pass_begins(const Extent& extent) = 0;
  virtual void write_pass_ended(sim::Time now, const Extent& extent) = 0;  // all of it is on the platter
  // Sectors that could not be written; the drive gives up their data.
  virtual void write_pass_failed(const Extent& lost) = 0;

 protected:
  ~WritePassListener() = default;
};

// How far the pass has got.
struct WritePassState {
  Extent extent;
  std::uint64_t written_end = 0;  // the sectors before it are on the platter
  bool within_sector = false;     // the head is writing the sector at written_end
};

}  // namespace ncqlab::drive
