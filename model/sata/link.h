// One SATA link: a cable with a host port at one end and, at times, a device at the other.
//
// Time of a frame (SATA 3.x, clause 9): its dwords, framing and handshake primitives are 40 line bits each (8b/10b),
// two ALIGN primitives go out in every 256 dwords, plus one fixed time for the ways there and back. All of it is
// computed from the totals and rounded once. A frame is one event: its arrival. Flow control and stalls stretch it.
//
// A link carries one frame at a time in either direction. When both ends want at the same time the device wins: the
// host answers the device's X_RDY with R_RDY and tries again afterwards (clause 9, link idle states).
//
//   link.cpp        frames           link_errors.cpp  damage, R_ERR, SYNC escape
//   link_phy.cpp    OOB, negotiation, hot plug, loss of signal
//   link_power.cpp  partial, slumber, DevSleep
#pragma once

#include <cstdint>
#include <utility>

#include "model/sata/link_end.h"
#include "model/sata/link_faults.h"
#include "model/sata/link_parameters.h"
#include "model/sim/actor.h"
#include "model/sim/trace.h"

namespace ncqlab::sata {

class Link final : private sim::Actor {
 public:
  // `port` is the source in the trace's records.
  Link(sim::EventQueue& queue, sim::Trace& trace, std::uint32_t port, const LinkParameters& parameters);

  HostLink& host_side() { return host_side_; }
  DeviceLink& device_side() { return device_side_; }

  // The host's port, once, before anything else.
  void attach(HostEnd* host);
  // A device is plugged in: when the host's PHY is enabled, its COMINIT begins OOB and negotiation. There must be none
  // yet.
  void plug(Device* device);
  // The cable is pulled: frames under way are lost, both ends are told, and the device is never called again.
  void unplug();
  // The signal is gone for `duration`, and back at the same rate without COMRESET. Nothing happens while the PHY is
  // not ready, or sleeps.
  void interrupt_signal(sim::Time duration);
  // From now on `faults` decides what fails; null: nothing.
  void inject(LinkFaults* faults) { faults_ = faults; }

  // How long a frame of `bytes` takes from the sender's wish to its arrival, at `generation`, on an idle link between
  // ends that keep up.
  sim::Time frame_time(std::uint32_t bytes, Generation generation) const;
  // From the end of COMRESET to the PHY's being ready, when the device's highest generation is `device` and it answers
  // at once.
  sim::Time negotiation_time(Generation device, Generation limit) const;
  // From the request to a power state to the answer.
  sim::Time power_request_time(Generation generation) const;
  // 0 when the PHY is not ready.
  Generation generation() const { return phy_ >= Phy::up ? generation_ : Generation{0}; }
  LinkPower power() const { return power_; }

 private:
  // From `up` on the PHY is ready in the sense of SStatus.DET; only in `up` itself frames go.
  enum class Phy : std::uint8_t { disabled, listening, negotiating, interrupted, up, changing_power, low_power };

  enum class Line : std::uint8_t {
    idle,
    carrying,
    delivering,  // both ends are being told; what either sends meanwhile waits
  };

  // Of one dword on the line with its part of the ALIGN primitives: picoseconds, a reduced fraction.
  struct DwordTime {
    std::uint64_t numerator = 0;
    std::uint64_t denominator = 1;
    sim::Time of(std::uint64_t dwords) const {
      return static_cast<sim::Time>((dwords * numerator + denominator / 2) / denominator);
    }
  };

  // What one end is and has to send.
  struct Sender {
    LinkEnd* end = nullptr;
    Frame waiting;
    sim::Time stall = 0;          // of the frame waiting or under way
    unsigned attempts = 0;        // at the same frame that were refused
    std::uint64_t data_rate = 0;  // bytes per second, 0: as fast as the line
  };

  template <class Interface, Direction kOut>
  class Side : public Interface {
   public:
    explicit Side(Link& l) : link(l) {}
    void send(Frame frame) override { link.send(kOut, frame, 0); }
    void send_stalled(Frame frame, sim::Time stall) override { link.send(kOut, frame, stall); }
    bool withdraw() override { return link.withdraw(kOut); }
    Frame take_received() override { return std::move(link.under_way_); }
    void refuse() override { link.refused_ = true; }
    bool sync_escape() override { return link.sync_escape(kOut); }
    void set_data_rate(std::uint64_t bytes_per_second) override { link.set_data_rate(kOut, bytes_per_second); }
    bool phy_ready() const override { return link.phy_ >= Phy::up; }
    LinkPower power() const override { return link.power_; }
    bool request_power(LinkPower power) override { return link.request_power(kOut, power); }

   protected:
    ~Side() = default;
    Link& link;
  };
  struct HostSide final : Side<HostLink, Direction::to_device> {
    using Side::Side;
    void set_receive_ready(bool ready) override { link.set_receive_ready(ready); }
    void begin_comreset() override { link.begin_comreset(); }
    void end_comreset(Generation limit) override { link.end_comreset(limit); }
    bool device_present() const override { return link.device_ != nullptr; }
  };
  struct DeviceSide final : Side<DeviceLink, Direction::to_host> {
    using Side::Side;
    void send_cominit() override { link.send_cominit(); }
  };

  Sender& sender(Direction direction) { return senders_[static_cast<std::size_t>(direction)]; }
  bool carries(Direction direction) const { return line_ == Line::carrying && direction_ == direction; }

  // link.cpp
  void send(Direction direction, Frame& frame, sim::Time stall);
  bool withdraw(Direction direction);
  void set_receive_ready(bool ready);
  void set_data_rate(Direction direction, std::uint64_t bytes_per_second);
  DwordTime dword_time(Generation generation) const;
  sim::Time frame_time(std::uint32_t bytes, const DwordTime& dword) const;
  sim::Time stretched_time();
  void start_next();
  void arrived(std::uint64_t token);
  void deliver();
  void trace_frame();

  // link_errors.cpp
  bool survives_faults();
  void received_refused();
  void answer_refused(Refusal refusal);
  bool sync_escape(Direction own);
  void trace_error(Damage damage);

  // link_phy.cpp
  void begin_comreset();
  void end_comreset(Generation limit);
  void send_cominit();
  void start_negotiation(bool answers_comreset);
  void phy_step(std::uint64_t token);
  void try_speed();
  void speed_tried();
  void negotiation_failed();
  void phy_up();
  void signal_back(std::uint64_t token);
  void lose_phy(Phy next, PhyStep step);
  bool step_succeeds(PhyStep step) const { return faults_ == nullptr || faults_->on_phy_step(step, generation_); }
  void trace_phy(PhyStep step);

  // link_power.cpp
  bool request_power(Direction who, LinkPower power);
  void request_now();
  void power_answered(std::uint64_t token);
  void enter_power(LinkPower power);
  void wake_for_frames();
  void wake();
  void awake(std::uint64_t token);

  sim::Trace* trace_;
  std::uint32_t port_;
  LinkParameters parameters_;
  HostSide host_side_{*this};
  DeviceSide device_side_{*this};
  HostEnd* host_ = nullptr;
  Device* device_ = nullptr;
  LinkFaults* faults_ = nullptr;

  Phy phy_ = Phy::disabled;
  Generation generation_ = 0;  // agreed on; while negotiating, the one being tried
  Generation limit_ = 0;
  bool detected_ = false;                    // COMINIT was received since the last loss
  PhyStep step_ = PhyStep::comreset_begins;  // whose end is the event under way

  Sender senders_[2];  // by the direction in which they send
  Line line_ = Line::idle;
  Direction direction_ = Direction::to_device;
  bool refused_ = false;
  bool receive_ready_ = true;
  bool stretched_ = false;  // an end has a data rate, or has stalled a frame
  DwordTime dword_time_;    // at generation_, once the PHY is ready
  sim::Time started_ = 0;
  Frame under_way_;

  LinkPower power_ = LinkPower::active;
  LinkPower wanted_ = LinkPower::active;  // what requester_ asks for; active: nothing
  Direction requester_ = Direction::to_device;

  std::uint64_t token_ = 0;   // of the one event that counts; those posted with an older one are ignored
  std::uint64_t losses_ = 0;  // of the PHY: whether a callback has brought it down
};

}  // namespace ncqlab::sata
