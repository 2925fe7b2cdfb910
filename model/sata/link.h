// One SATA link: a cable with a host port at one end and, at times, a device at the other.
//
// Time of a frame (SATA 3.x, clause 9): its dwords, framing and handshake primitives are 40 line bits each (8b/10b),
// two ALIGN primitives go out in every 256 dwords, plus one fixed time for the ways there and back. All of it is
// computed from the totals and rounded once. A frame is one event: its arrival.
//
// A link carries one frame at a time in either direction. When both ends want at the same time the device wins: the
// host answers the device's X_RDY with R_RDY and tries again afterwards (clause 9, link idle states).
#pragma once

#include <cstdint>
#include <utility>

#include "model/sata/link_end.h"
#include "model/sim/actor.h"
#include "model/sim/trace.h"

namespace ncqlab::sata {

struct LinkParameters {
  Generation highest_generation = 3;  // of the host's PHY
  // COMRESET, COMINIT and two COMWAKE of six bursts each, nominal lengths (SATA 3.x, clause 8: bursts of 106.7 ns,
  // spaced by 320 ns and 106.7 ns): 2.56 + 2.56 + 1.28 + 1.28 us. Calibration is part of the device's own start.
  sim::Time out_of_band = 7'680 * sim::kNanosecond;
  // The device sends ALIGN at each rate it tries for 54.6 us (2048 dwords at 1.5 Gb/s, clause 8), from its highest
  // downwards.
  sim::Time negotiation_per_rate = 54'600 * sim::kNanosecond;
  std::uint32_t framing_dwords = 3;    // SOF, CRC, EOF
  std::uint32_t handshake_dwords = 6;  // X_RDY and R_RDY, WTRM and R_OK, two SYNC (least number of each)
  // The ways of X_RDY, R_RDY, the frame and R_OK through cable, SerDes and elastic buffer of both ends. Estimate.
  sim::Time turn_around = 200 * sim::kNanosecond;
  std::uint32_t align_dwords = 2;
  std::uint32_t align_interval_dwords = 256;
};

// The line's rate; 0 for no generation.
constexpr std::uint64_t line_bits_per_second(Generation generation) {
  return generation == 0 ? 0 : 1'500'000'000ULL << (generation - 1);
}

class Link final : private sim::Actor {
 public:
  // `port` is the source in the trace's records.
  Link(sim::EventQueue& queue, sim::Trace& trace, std::uint32_t port, const LinkParameters& parameters);

  HostLink& host_side() { return host_side_; }
  DeviceLink& device_side() { return device_side_; }

  // The host's port, once, before anything else.
  void attach(HostEnd* host) { host_ = host; }
  // A device is plugged in: when the host's PHY is enabled, OOB and negotiation begin. There must be none yet.
  void plug(Device* device);
  // The cable is pulled: frames under way are lost, both ends are told, and the device is never called again.
  void unplug();

  // How long a frame of `bytes` takes from the sender's wish to its arrival, at `generation`, on an idle link.
  sim::Time frame_time(std::uint32_t bytes, Generation generation) const;
  // From the end of COMRESET to the PHY's being ready, when the device's highest generation is `device`.
  sim::Time negotiation_time(Generation device, Generation limit) const;
  // 0 when the PHY is not ready.
  Generation generation() const { return phy_ == Phy::up ? generation_ : Generation{0}; }

 private:
  enum class Phy : std::uint8_t { disabled, listening, negotiating, up };
  enum class Carrying : std::uint8_t { nothing, to_device, to_host };

  struct HostSide final : HostLink {
    explicit HostSide(Link& l) : link(l) {}
    void send(Frame frame) override { link.send_to_device(std::move(frame)); }
    bool withdraw() override { return link.withdraw(); }
    Frame take_received() override { return std::move(link.under_way_); }
    void set_receive_ready(bool ready) override { link.set_receive_ready(ready); }
    void begin_comreset() override { link.begin_comreset(); }
    void end_comreset(Generation limit) override { link.end_comreset(limit); }
    bool device_present() const override { return link.device_ != nullptr; }
    Link& link;
  };
  struct DeviceSide final : DeviceLink {
    explicit DeviceSide(Link& l) : link(l) {}
    void send(Frame frame) override { link.send_to_host(std::move(frame)); }
    bool phy_ready() const override { return link.phy_ == Phy::up; }
    Link& link;
  };

  void send_to_device(Frame frame);
  void send_to_host(Frame frame);
  bool withdraw();
  void set_receive_ready(bool ready);
  void begin_comreset();
  void end_comreset(Generation limit);

  Generation agreed(Generation device, Generation limit) const;
  void start_negotiation();
  void negotiated(std::uint64_t token);
  void lose_phy(Phy next);
  void start_next();
  void start(Frame& waiting, Carrying direction);
  void arrived(std::uint64_t token);
  void trace_frame(sim::Kind kind);
  void trace_phy();

  sim::Trace* trace_;
  std::uint32_t port_;
  LinkParameters parameters_;
  HostSide host_side_{*this};
  DeviceSide device_side_{*this};
  HostEnd* host_ = nullptr;
  Device* device_ = nullptr;
  Phy phy_ = Phy::disabled;
  Generation generation_ = 0;
  Generation limit_ = 0;
  Carrying carrying_ = Carrying::nothing;
  bool delivering_ = false;
  bool receive_ready_ = true;
  sim::Time started_ = 0;
  std::uint64_t token_ = 0;  // of the one event that counts; those posted with an older one are ignored
  std::uint64_t losses_ = 0;  // of the PHY: whether a callback has brought it down
  Frame under_way_;
  Frame host_waiting_;
  Frame device_waiting_;
};

}  // namespace ncqlab::sata
