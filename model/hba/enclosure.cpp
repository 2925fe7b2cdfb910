#include "model/hba/enclosure.h"

#include <algorithm>

#include "model/hba/ahci.h"

namespace ncqlab::hba {

namespace {

// The message header, 12.2.
constexpr std::uint32_t kHeaderBytes = 4;
std::uint32_t message_type(std::uint32_t header) { return header >> 24 & 0xF; }
std::uint32_t data_size(std::uint32_t header) { return header >> 16 & 0xFF; }
std::uint32_t message_size(std::uint32_t header) { return header >> 8 & 0xFF; }

// The LED message, 12.2.1.
constexpr std::uint32_t kLedMessageBytes = 4;
constexpr std::uint32_t kLedPort = 0x1F;
constexpr std::uint32_t kLedVendorFormat = 0x20;
constexpr std::uint32_t kLedMultiplierPort = 0xFF00;
constexpr unsigned kLedActivity_shift = 16;
constexpr unsigned kLedLocate_shift = 19;
constexpr unsigned kLedFault_shift = 22;

}  // namespace

Enclosure::Enclosure(sim::EventQueue& queue, sim::Trace& trace, const EnclosureProfile& profile, bool implemented,
                     std::uint32_t& control)
    : Actor(queue), trace_(&trace), profile_(profile), control_(&control) {
  if (implemented) buffer_.resize(profile.buffer_bytes * (profile.transmit_only ? 1U : 2U));
}

std::uint32_t Enclosure::dword(std::size_t at) const {
  std::uint32_t value = 0;
  for (unsigned i = 0; i < 4; ++i) value |= std::uint32_t{buffer_[at + i]} << (8 * i);
  return value;
}

std::uint32_t Enclosure::read(std::uint32_t offset) const { return dword(offset - profile_.buffer_offset_bytes); }

void Enclosure::write(std::uint32_t offset, std::uint32_t value, std::uint32_t lanes) {
  const std::uint32_t at = offset - profile_.buffer_offset_bytes;
  if (at >= profile_.buffer_bytes) return;
  if ((*control_ & kEM_CTL_CTL_TM) != 0) {
    record(sim::Kind::violation, static_cast<std::uint64_t>(Violation::enclosure_buffer_busy), offset, 0);
  }
  for (unsigned i = 0; i < 4; ++i) {
    if ((lanes >> (8 * i) & 1) != 0) buffer_[at + i] = static_cast<std::uint8_t>(value >> (8 * i));
  }
}

void Enclosure::control_written(std::uint32_t before, std::uint32_t ones) {
  if ((before & kEM_CTL_CTL_RST) != 0) {
    *control_ &= ~kEM_CTL_CTL_TM;
  } else if ((ones & kEM_CTL_CTL_RST) != 0) {
    reset();
    *control_ &= ~(kEM_CTL_CTL_TM | kEM_CTL_STS_MR);
    post_after<&Enclosure::end_reset>(kResetTime);
  } else if ((ones & ~before & kEM_CTL_CTL_TM) != 0) {
    transmit();
  }
}

void Enclosure::end_reset(std::uint64_t /*unused*/) { *control_ &= ~kEM_CTL_CTL_RST; }

void Enclosure::reset() {
  drop_pending_events();
  std::fill(buffer_.begin(), buffer_.end(), std::uint8_t{0});
  leds_ = {};
}

bool Enclosure::supported(std::uint32_t type) const {
  switch (static_cast<EnclosureMessage>(type)) {
    case EnclosureMessage::led:
      return profile_.led;
    case EnclosureMessage::safte:
      return profile_.safte;
    case EnclosureMessage::ses2:
      return profile_.ses2;
    case EnclosureMessage::sgpio:
      return profile_.sgpio;
  }
  return false;
}

bool Enclosure::well_formed(std::uint32_t header) const {
  const std::uint32_t bytes = message_size(header) + data_size(header);
  if (message_size(header) == 0 || kHeaderBytes + bytes > profile_.buffer_bytes) return false;
  if (message_type(header) == static_cast<std::uint32_t>(EnclosureMessage::led)) {
    if (message_size(header) != kLedMessageBytes || data_size(header) != 0) return false;
  }
  return supported(message_type(header));
}

void Enclosure::transmit() {
  const std::uint32_t header = dword(0);
  const bool good = well_formed(header);
  const std::uint32_t bytes = good ? kHeaderBytes + message_size(header) + data_size(header) : kHeaderBytes;
  message_.assign(buffer_.begin(), buffer_.begin() + bytes);
  if (!good) {
    record(sim::Kind::violation, static_cast<std::uint64_t>(Violation::enclosure_message_malformed), header, 0);
  }
  post_after<&Enclosure::sent>(bytes * kByteTime, good ? 1 : 0);
}

void Enclosure::sent(std::uint64_t well_formed) {
  *control_ &= ~kEM_CTL_CTL_TM;
  if (well_formed == 0) return;
  const auto field = [&](std::size_t at) {
    return message_[at] | std::uint32_t{message_[at + 1]} << 8 | std::uint32_t{message_[at + 2]} << 16 |
           std::uint32_t{message_[at + 3]} << 24;
  };
  const std::uint32_t header = field(0);
  record(sim::Kind::controller, static_cast<std::uint64_t>(Happening::enclosure_message_sent), header,
         message_.size() - kHeaderBytes);
  const auto type = static_cast<EnclosureMessage>(message_type(header));
  if (type == EnclosureMessage::led) set_leds(field(kHeaderBytes));
  if (sink_ != nullptr) {
    sink_->enclosure_message(type, message_.data() + kHeaderBytes, message_.size() - kHeaderBytes);
  }
}

// A vendor specific format, and slots behind a multiplier, which ATTR.PM = 0 rules out, go to the sink alone.
void Enclosure::set_leds(std::uint32_t message) {
  if ((message & (kLedVendorFormat | kLedMultiplierPort)) != 0) return;
  const std::uint32_t port = message & kLedPort;
  Leds& leds = leds_[port];
  if (!profile_.activity_led_in_hardware) leds.activity = message >> kLedActivity_shift & 7;
  leds.locate = message >> kLedLocate_shift & 7;
  leds.fault = message >> kLedFault_shift & 7;
  record(sim::Kind::controller, static_cast<std::uint64_t>(Happening::leds_set), port,
         leds.activity | leds.locate << 3 | leds.fault << 6);
}

bool Enclosure::receive(const std::uint8_t* bytes, std::size_t count) {
  if (buffer_.size() == profile_.buffer_bytes || buffer_.empty()) return false;
  if ((*control_ & (kEM_CTL_STS_MR | kEM_CTL_CTL_RST)) != 0 || count > profile_.buffer_bytes) return false;
  std::copy(bytes, bytes + count, buffer_.begin() + profile_.buffer_bytes);
  *control_ |= kEM_CTL_STS_MR;
  record(sim::Kind::controller, static_cast<std::uint64_t>(Happening::enclosure_message_received), 0, count);
  return true;
}

void Enclosure::record(sim::Kind kind, std::uint64_t what, std::uint64_t b, std::uint64_t c) {
  trace_->record({now(), kind, 0, what, b, c});
}

}  // namespace ncqlab::hba
