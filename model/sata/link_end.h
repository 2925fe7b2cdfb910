// What the two ends of a SATA link are to each other. The link itself (rate, OOB, framing cost, power) is in link.h; a
// device (drive, port multiplier) and the host's port each implement one end, and neither knows the other.
//
// An end is the transport layer and what is above it; the link is the link and PHY layers of both. The link holds a
// frame until it was answered with R_OK, so that its sender may have it sent again without a copy of its own.
//
// The functions of the ends are called from queue events only. Those that say so have a meaning that fits an end
// without the feature, the others each end defines.
#pragma once

#include <cstdint>

#include "model/sata/fis.h"
#include "model/sata/frame.h"
#include "model/sata/link_types.h"
#include "model/sim/time.h"

namespace ncqlab::sata {

// What both ends have in common.
class LinkEnd {
 public:
  // The PHY went down (COMRESET begins, cable pulled, signal lost). Frames on both sides are lost.
  virtual void phy_lost() = 0;
  // The PHY is back at `generation` after a signal loss without COMRESET: neither end was reset, frames may be sent.
  virtual void phy_recovered(Generation /*generation*/) {}

  // A frame has arrived whole. It is answered with R_OK unless the end calls refuse() meanwhile.
  virtual void frame_received(const Frame& frame) = 0;
  // A frame of the other end came to nothing. Of its bytes the first four can be told, if any. The link has answered
  // R_ERR (SATA 3.x, clause 9), or, for Damage::aborted, its sender ended it with SYNC.
  virtual void frame_damaged(const Frame& /*frame*/, Damage /*damage*/) {}

  // The frame that this end gave to send() was answered with R_OK; the next may be given.
  virtual void frame_sent() = 0;
  // The frame that this end gave to send() was not: true has it sent again, false lets it go and the next may be given.
  // `attempts` counts how often it has been sent so far. The transport layer sends it again for as long as it takes
  // unless it is a Data or BIST Activate FIS (SATA 3.x, clause 10; AHCI 1.3.1, 6.1.2); an end that ends it may set a
  // limit.
  virtual bool frame_refused(const Frame& frame, Refusal /*refusal*/, unsigned /*attempts*/) {
    return is_retransmitted(frame);
  }

  // The other end asks for `power`, partial or slumber: true answers PMACK, false PMNAK (SATA 3.x, clause 9). A device
  // is asked for dev_sleep too when the host asserts DEVSLP: false is a device without that signal.
  virtual bool accepts_power(LinkPower /*power*/) { return false; }
  // The link has entered `power`, at whoever's request, or is active again. After a COMRESET the PHY is active without
  // this call.
  virtual void power_changed(LinkPower /*power*/) {}
  // The other end answered this end's request with PMNAK; the link stays active.
  virtual void power_refused(LinkPower /*power*/) {}

 protected:
  ~LinkEnd() = default;
};

// The device's end.
class Device : public LinkEnd {
 public:
  // The fastest generation this device speaks.
  virtual Generation highest_generation() const = 0;
  // From COMRESET's end (or power-on) to this device's COMINIT. The PHY layer wants an answer within 10 ms (SATA 3.x,
  // clause 8); sim::kNever is a device that gives none.
  virtual sim::Time cominit_delay() const { return 0; }
  // COMRESET ended and the PHY is up at `generation`: the device begins its power-on or hardware-reset sequence, at
  // the end of which it sends its signature D2H Register FIS.
  virtual void hardware_reset(Generation generation) = 0;

 protected:
  ~Device() = default;
};

// The host port's end.
class HostEnd : public LinkEnd {
 public:
  // COMINIT was received: a device is there, the PHY is not ready yet. SStatus.DET becomes 1, SError.DIAG.X is set
  // (AHCI 1.3.1, 5.3.2, P:Cominit). It stays so when the negotiation fails.
  virtual void device_detected() {}
  // That device is gone again, the PHY not having become ready: SStatus.DET becomes 0.
  virtual void device_gone() {}
  virtual void phy_ready(Generation generation) = 0;  // SStatus.DET becomes 3
  // A device was plugged in or pulled, whatever the PHY does: what cold presence detection sees (AHCI 1.3.1, 10.11).
  virtual void presence_changed(bool /*present*/) {}

 protected:
  ~HostEnd() = default;
};

// What the link offers to either end.
class LinkSide {
 public:
  // Queues one frame towards the other end. At most one frame is under way per end: wait for frame_sent(), or for
  // frame_refused() and answer false. When the PHY is not ready the frame is lost. In a low power state the link is
  // woken first; a device's frame waits in dev_sleep, out of which only the host comes.
  virtual void send(Frame frame) = 0;
  // The same for a Data FIS whose sender has nothing to send for `stall` in all while it is under way: it sends HOLD
  // meanwhile (SATA 3.x, clause 9), and the frame arrives so much later.
  virtual void send_stalled(Frame frame, sim::Time stall) = 0;
  // Takes back the frame that still waits for the link, as after an X_RDY collision. False when there is none waiting
  // (it is under way, or was lost).
  virtual bool withdraw() = 0;
  // Inside frame_received() only: the frame itself, so that its bytes need not be copied. Not after refuse().
  virtual Frame take_received() = 0;
  // Inside frame_received() only: the frame is answered with R_ERR. Not after take_received().
  virtual void refuse() = 0;
  // Ends the frame under way in either direction with SYNC (SATA 3.x, clause 9); the other end is told, with
  // frame_refused() or frame_damaged(), and this one's own frame is lost. False when there is none under way.
  virtual bool sync_escape() = 0;
  // How fast this end takes or gives the payload of a Data FIS, in bytes per second; 0 (so after construction) when it
  // keeps up with the line. A slower receiver holds the sender with HOLD.
  virtual void set_data_rate(std::uint64_t bytes_per_second) = 0;

  virtual bool phy_ready() const = 0;
  virtual LinkPower power() const = 0;
  // Asks for partial or slumber, or for dev_sleep (the host only: DEVSLP is asserted); the answer is power_changed() or
  // power_refused(), once the link is idle. `active` wakes the link, or takes back a request not yet made. False when
  // nothing follows: the PHY is not ready, the link is in that state, on its way to another one, or in one that leads
  // not there. Ways lead from active to all and from slumber to dev_sleep.
  virtual bool request_power(LinkPower power) = 0;

 protected:
  ~LinkSide() = default;
};

class DeviceLink : public LinkSide {
 public:
  // Sends COMINIT unasked, as a device does that has reset itself (SATA 3.x, clause 8): the PHY goes down and is
  // negotiated anew, as after COMRESET.
  virtual void send_cominit() = 0;

 protected:
  ~DeviceLink() = default;
};

class HostLink : public LinkSide {
 public:
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
