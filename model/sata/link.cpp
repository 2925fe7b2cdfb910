#include "model/sata/link.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "model/sata/fis.h"
#include "model/sata/fis_record.h"

namespace ncqlab::sata {

namespace {
constexpr std::uint64_t kLineBitsPerDword = 40;  // 8b/10b
constexpr std::uint32_t kDataHeader_bytes = 4;

bool is_data(const Frame& frame) { return frame.type() == static_cast<std::uint8_t>(FisType::data); }
}  // namespace

Link::Link(sim::EventQueue& queue, sim::Trace& trace, std::uint32_t port, const LinkParameters& parameters)
    : Actor(queue), trace_(&trace), port_(port), parameters_(parameters) {}

void Link::attach(HostEnd* host) {
  host_ = host;
  sender(Direction::to_device).end = host;
}

Link::DwordTime Link::dword_time(Generation generation) const {
  const std::uint64_t bits = kLineBitsPerDword * parameters_.align_interval_dwords;
  const std::uint64_t useful = parameters_.align_interval_dwords - parameters_.align_dwords;
  const std::uint64_t numerator = bits * static_cast<std::uint64_t>(sim::kSecond);
  const std::uint64_t denominator = line_bits_per_second(generation) * useful;
  const std::uint64_t common = std::gcd(numerator, denominator);
  return {numerator / common, denominator / common};
}

sim::Time Link::frame_time(std::uint32_t bytes, const DwordTime& dword) const {
  return parameters_.turn_around +
         dword.of((bytes + 3) / 4 + parameters_.framing_dwords + parameters_.handshake_dwords);
}

sim::Time Link::frame_time(std::uint32_t bytes, Generation generation) const {
  return frame_time(bytes, dword_time(generation));
}

// Of the frame under way when an end does not keep up. A receiver that is slower than the line fills its buffer and
// holds the sender again and again; its buffer bridges the way of HOLD but for the last time. A sender holds with what
// it has, and goes on when it likes.
sim::Time Link::stretched_time() {
  const sim::Time on_line = frame_time(under_way_.size(), dword_time_);
  const std::uint64_t from = sender(direction_).data_rate;
  const std::uint64_t to = sender(opposite(direction_)).data_rate;
  if (!is_data(under_way_)) return on_line;
  const std::uint64_t bits = std::uint64_t{payload_bytes(under_way_)} * 8;
  const sim::Time rest = frame_time(kDataHeader_bytes, dword_time_);
  const sim::Time given = from == 0 ? 0 : rest + sim::transfer_time(bits, from * 8);
  sim::Time taken = to == 0 ? 0 : rest + sim::transfer_time(bits, to * 8);
  if (taken > std::max(on_line, given)) taken += dword_time_.of(parameters_.hold_dwords);
  return std::max({on_line, given, taken}) + sender(direction_).stall;
}

void Link::send(Direction direction, Frame& frame, sim::Time stall) {
  if (phy_ < Phy::up) return;
  Sender& from = sender(direction);
  if (from.waiting.valid() || carries(direction)) {
    throw std::logic_error(direction == Direction::to_device
                               ? "the host sent a frame before the one before had arrived"
                               : "the device sent a frame before the one before had arrived");
  }
  from.waiting = std::move(frame);
  from.stall = stall;
  if (stall != 0) stretched_ = true;
  // The host's X_RDY has not reached the device yet: the two collide, and the host backs off.
  if (direction == Direction::to_host && carries(Direction::to_device) && receive_ready_ &&
      now() <= started_ + parameters_.turn_around / 4) {
    sender(Direction::to_device).waiting = std::move(under_way_);
    line_ = Line::idle;
    ++token_;
  }
  start_next();
}

bool Link::withdraw(Direction direction) {
  Sender& from = sender(direction);
  if (!from.waiting.valid()) return false;
  from.waiting = Frame();
  from.attempts = 0;
  return true;
}

void Link::set_receive_ready(bool ready) {
  receive_ready_ = ready;
  start_next();
}

void Link::set_data_rate(Direction direction, std::uint64_t bytes_per_second) {
  sender(direction).data_rate = bytes_per_second;
  if (bytes_per_second != 0) stretched_ = true;
}

void Link::start_next() {
  if (line_ != Line::idle) return;
  if (phy_ != Phy::up) return wake_for_frames();
  const bool device_waits = sender(Direction::to_host).waiting.valid();
  direction_ = device_waits && receive_ready_ ? Direction::to_host : Direction::to_device;
  Sender& from = sender(direction_);
  if (!from.waiting.valid()) {
    if (wanted_ != LinkPower::active && !device_waits) request_now();
    return;
  }
  under_way_ = std::move(from.waiting);
  line_ = Line::carrying;
  started_ = now();
  const sim::Time time = stretched_ ? stretched_time() : frame_time(under_way_.size(), dword_time_);
  post_after<&Link::arrived>(time, ++token_);
}

void Link::arrived(std::uint64_t token) {
  if (token != token_) return;
  line_ = Line::delivering;
  if (faults_ == nullptr || survives_faults()) deliver();
  line_ = Line::idle;
  under_way_ = Frame();
  start_next();
}

inline void Link::deliver() {
  trace_frame();
  const std::uint64_t losses = losses_;
  sender(opposite(direction_)).end->frame_received(under_way_);
  if (losses != losses_) return;
  if (refused_) return received_refused();
  Sender& from = sender(direction_);
  from.attempts = 0;
  from.end->frame_sent();
}

void Link::trace_frame() {
  const sim::Kind kind = direction_ == Direction::to_device ? sim::Kind::fis_to_device : sim::Kind::fis_to_host;
  trace_->record(make_fis_record(now(), kind, port_, under_way_));
}

}  // namespace ncqlab::sata
