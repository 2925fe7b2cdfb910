// What may look at the passes of a disk's head and bend them: fault programs. The disk library owns this interface and
// knows none of its users. Without hooks a pass costs the test of a null pointer.
#pragma once

#include <cstdint>
#include <optional>

#include "model/drive/cache/extent.h"
#include "model/drive/disk_command.h"
#include "model/sim/time.h"

namespace ncqlab::drive {

// The head is about to be sent to `extent`. A read that finds its data in the cache, or on the head's way, has no pass.
struct MediaEvent {
  enum class Pass : std::uint8_t {
    read,     // what a read command needs from the platter
    write,    // a write command on its way through the cache
    destage,  // dirty data of the cache, for no command in particular
  };
  Pass pass;
  Extent extent;
  unsigned tag = kTags;  // of the command; kTags: none

  // What becomes of it.
  sim::Time delay = 0;                         // as many more whole revolutions: a sector comes by once in each
  std::optional<std::uint64_t> fails_at = {};  // this sector of `extent` cannot be read or written
  bool skip = false;  // write, destage: the head passes and writes nothing; the data are given up as if it had
};

class MediaHooks {
 public:
  virtual void pass_begins(MediaEvent& event) = 0;

 protected:
  ~MediaHooks() = default;
};

}  // namespace ncqlab::drive
