// Sectors that take more than one pass of the head, as the disk library learns of them from whoever keeps the state of
// the media.
#pragma once

#include <cstdint>
#include <optional>

#include "model/drive/cache/extent.h"
#include "model/drive/disk_command.h"

namespace ncqlab::drive {

struct Trouble {
  std::uint64_t lba = 0;
  unsigned revolutions = 0;  // of retries, until it has been read or written or the drive gives up
  bool hopeless = false;     // it gives up
};

class TroubleSource {
 public:
  // False, as a rule: there is none anywhere, and nobody need ask.
  bool troubled() const { return troubled_; }
  // The first such sector within `extent` for Operation::read or write; none as a rule. Asked when the head is sent
  // there, and for reads ahead.
  virtual std::optional<Trouble> first_trouble(Operation operation, const Extent& extent) = 0;

 protected:
  ~TroubleSource() = default;
  void set_troubled(bool troubled) { troubled_ = troubled; }

 private:
  bool troubled_ = false;
};

}  // namespace ncqlab::drive
