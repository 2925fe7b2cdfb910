// What the two ends of a SATA link are to each other. The link itself (rate, OOB, framing cost) is in link.h; a device
// (drive, port multiplier) and the host's port each implement one end, and neither knows the other.
#pragma once

#include <cstdint>

#include "model/sata/frame.h"
#include "model/sim/time.h"

namespace ncqlab::sata {

// Interface speed generations, as in SStatus.SPD (SATA 3.x, 14.1.1): 1 = 1.5, 2 = 3, 3 = 6 Gb/s; 0 = no communication.
using Generation = std::uint8_t;

// The device's end. Called by the link from queue events only.
class Device {
 public:
  // The fastest generation this device speaks.
  virtual Generation highest_generation() const = 0;
  // COMRESET ended and the PHY is up at `generation`: the device begins its power-on or hardware-reset sequence, at
  // the end of which it sends its signature D2H Register FIS.
  virtual void hardware_reset(Generation generation) = 0;
  // The PHY went down (COMRESET begins, cable pulled, port disabled). Frames under way are lost on both sides.
  virtual void phy_lost() = 0;
  // A frame has arrived whole and was answered with R_OK.
  virtual void frame_received(const Frame& frame) = 0;
  // The frame that this end gave to DeviceLink::send() has been received at the other end; the next may be given.
  virtual void frame_sent() = 0;

 protected:
  ~Device() = default;
};

// What the link offers to the device's end.
class DeviceLink {
 public:
  // Queues one frame towards the host. At most one frame is under way per end: wait for frame_sent().
  virtual void send(Frame frame) = 0;
  virtual bool phy_ready() const = 0;

 protected:
  ~DeviceLink() = default;
};

// The host port's end, the mirror image.
class HostEnd {
 public:
  virtual void phy_ready(Generation generation) = 0;  // SStatus.DET becomes 3
  virtual void phy_lost() = 0;
  virtual void frame_received(const Frame& frame) = 0;
  virtual void frame_sent() = 0;

 protected:
  ~HostEnd() = default;
};

class HostLink {
 public:
  // As DeviceLink::send(). A frame that the PHY's state does not allow to send is lost.
  virtual void send(Frame frame) = 0;
  // Takes back the frame that still waits for the link, as after an X_RDY collision. False when there is none waiting
  // (it is under way, or was lost).
  virtual bool withdraw() = 0;
  // Inside frame_received() only: the frame itself, so that its bytes need not be copied.
  virtual Frame take_received() = 0;
  // False: R_RDY is withheld, the device's next frame waits; true again lets it go.
  virtual void set_receive_ready(bool ready) = 0;
  // Starts COMRESET, as PxSCTL.DET = 1 does, and ends it, as the return to DET = 0 does; OOB and speed negotiation
  // follow and end in HostEnd::phy_ready(), or in nothing when there is no device. `limit` 0: no restriction.
  virtual void begin_comreset() = 0;
  virtual void end_comreset(Generation limit) = 0;
  virtual bool device_present() const = 0;

 protected:
  ~HostLink() = default;
};

}  // namespace ncqlab::sata
