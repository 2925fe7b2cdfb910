// Where a link can be made to fail: by tests, and by fault programs. A link without faults pays one test of a pointer
// for each frame.
#pragma once

#include "model/sata/frame.h"
#include "model/sata/link_types.h"

namespace ncqlab::sata {

class LinkFaults {
 public:
  // A frame is at its end. Its bytes may be changed, as noise on the line does: what the CRC notices becomes
  // Damage::crc, what it does not is taken for good. A result other than none is what befell the frame besides:
  // refused and aborted stand for a receiver that answers so of its own accord.
  virtual Damage on_frame(Direction /*direction*/, Frame& /*frame*/) { return Damage::none; }
  // False: this step (cominit, comwake, or speed at `generation`) fails. A silent end fails the whole attempt, a speed
  // that does not work makes the device try the next lower one.
  virtual bool on_phy_step(PhyStep /*step*/, Generation /*generation*/) { return true; }

 protected:
  ~LinkFaults() = default;
};

}  // namespace ncqlab::sata
