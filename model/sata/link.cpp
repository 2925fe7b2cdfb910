#include "model/sata/link.h"

#include <algorithm>
#include <stdexcept>

#include "model/sata/fis.h"

namespace ncqlab::sata {

namespace {
constexpr std::uint64_t kLineBitsPerDword = 40;   // 8b/10b
constexpr std::uint64_t kPhyReadyStatus = 0x103;  // SStatus (14.1.1): IPM active, DET established

std::uint64_t load64(const std::uint8_t* b) {
  return std::uint64_t{b[0]} | std::uint64_t{b[1]} << 8 | std::uint64_t{b[2]} << 16 | std::uint64_t{b[3]} << 24 |
         std::uint64_t{b[4]} << 32 | std::uint64_t{b[5]} << 40 | std::uint64_t{b[6]} << 48 | std::uint64_t{b[7]} << 56;
}
}  // namespace

Link::Link(sim::EventQueue& queue, sim::Trace& trace, std::uint32_t port, const LinkParameters& parameters)
    : Actor(queue), trace_(&trace), port_(port), parameters_(parameters) {}

sim::Time Link::frame_time(std::uint32_t bytes, Generation generation) const {
  const std::uint64_t dwords = (bytes + 3) / 4 + parameters_.framing_dwords + parameters_.handshake_dwords;
  const std::uint64_t useful = parameters_.align_interval_dwords - parameters_.align_dwords;
  return parameters_.turn_around + sim::transfer_time(dwords * kLineBitsPerDword * parameters_.align_interval_dwords,
                                                      line_bits_per_second(generation) * useful);
}

Generation Link::agreed(Generation device, Generation limit) const {
  const Generation fastest = std::min(parameters_.highest_generation, device);
  return limit == 0 ? fastest : std::min(fastest, limit);
}

sim::Time Link::negotiation_time(Generation device, Generation limit) const {
  return parameters_.out_of_band + parameters_.negotiation_per_rate * (device - agreed(device, limit) + 1);
}

void Link::plug(Device* device) {
  if (device_ != nullptr) throw std::logic_error("a device is plugged into a link that has one");
  device_ = device;
  if (phy_ == Phy::listening) start_negotiation();
}

void Link::unplug() {
  lose_phy(phy_ == Phy::disabled ? Phy::disabled : Phy::listening);
  device_ = nullptr;
}

void Link::begin_comreset() { lose_phy(Phy::disabled); }

void Link::end_comreset(Generation limit) {
  lose_phy(Phy::listening);
  limit_ = limit;
  if (device_ != nullptr) start_negotiation();
}

void Link::start_negotiation() {
  phy_ = Phy::negotiating;
  generation_ = agreed(device_->highest_generation(), limit_);
  post_after<&Link::negotiated>(negotiation_time(device_->highest_generation(), limit_), ++token_);
}

void Link::negotiated(std::uint64_t token) {
  if (token != token_) return;
  phy_ = Phy::up;
  trace_phy();
  const std::uint64_t losses = losses_;
  device_->hardware_reset(generation_);
  if (losses == losses_) host_->phy_ready(generation_);
}

void Link::lose_phy(Phy next) {
  const bool was_up = phy_ == Phy::up;
  phy_ = next;
  carrying_ = Carrying::nothing;
  ++token_;
  ++losses_;
  host_waiting_ = Frame();
  device_waiting_ = Frame();
  if (!delivering_) under_way_ = Frame();
  if (!was_up) return;
  trace_phy();
  host_->phy_lost();
  device_->phy_lost();
}

void Link::send_to_device(Frame frame) {
  if (phy_ != Phy::up) return;
  if (host_waiting_.valid() || carrying_ == Carrying::to_device) {
    throw std::logic_error("the host sent a frame before the one before had arrived");
  }
  host_waiting_ = std::move(frame);
  start_next();
}

void Link::send_to_host(Frame frame) {
  if (phy_ != Phy::up) return;
  if (device_waiting_.valid() || carrying_ == Carrying::to_host) {
    throw std::logic_error("the device sent a frame before the one before had arrived");
  }
  device_waiting_ = std::move(frame);
  // The host's X_RDY has not reached the device yet: the two collide, and the host backs off.
  if (carrying_ == Carrying::to_device && receive_ready_ && now() <= started_ + parameters_.turn_around / 4) {
    host_waiting_ = std::move(under_way_);
    carrying_ = Carrying::nothing;
    ++token_;
  }
  start_next();
}

bool Link::withdraw() {
  if (!host_waiting_.valid()) return false;
  host_waiting_ = Frame();
  return true;
}

void Link::set_receive_ready(bool ready) {
  receive_ready_ = ready;
  start_next();
}

void Link::start_next() {
  if (phy_ != Phy::up || carrying_ != Carrying::nothing || delivering_) return;
  if (device_waiting_.valid() && receive_ready_) {
    start(device_waiting_, Carrying::to_host);
  } else if (host_waiting_.valid()) {
    start(host_waiting_, Carrying::to_device);
  }
}

void Link::start(Frame& waiting, Carrying direction) {
  under_way_ = std::move(waiting);
  carrying_ = direction;
  started_ = now();
  post_after<&Link::arrived>(frame_time(under_way_.size(), generation_), ++token_);
}

void Link::arrived(std::uint64_t token) {
  if (token != token_) return;
  const bool to_device = carrying_ == Carrying::to_device;
  carrying_ = Carrying::nothing;
  delivering_ = true;  // what either end sends now waits until both have been told
  trace_frame(to_device ? sim::Kind::fis_to_device : sim::Kind::fis_to_host);
  const std::uint64_t losses = losses_;
  if (to_device) {
    device_->frame_received(under_way_);
    if (losses == losses_) host_->frame_sent();
  } else {
    host_->frame_received(under_way_);
    if (losses == losses_) device_->frame_sent();
  }
  delivering_ = false;
  under_way_ = Frame();
  start_next();
}

void Link::trace_frame(sim::Kind kind) {
  const std::uint32_t size = under_way_.size();
  // Of a Data FIS the header only: its contents are the oracle's business.
  const std::uint32_t shown = under_way_.type() == static_cast<std::uint8_t>(FisType::data) ? 4 : size;
  std::uint64_t first = load64(under_way_.data());
  if (shown < 8) first &= (1ULL << (8 * shown)) - 1;
  trace_->record({now(), kind, port_, under_way_.type(), size, first});
}

void Link::trace_phy() {
  const std::uint64_t status = phy_ == Phy::up ? kPhyReadyStatus | std::uint64_t{generation_} << 4 : 0;
  trace_->record({now(), sim::Kind::phy, port_, status, 0, 0});
}

}  // namespace ncqlab::sata
