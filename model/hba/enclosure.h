// Enclosure management (AHCI 1.3.1, 3.1.8, 3.1.9 and clause 12): the message buffer in the register space, EM_CTL, and
// the LED messages. SAF-TE, SES-2 and SGPIO messages go out as bytes; what they mean is the enclosure processor's to
// know, which is whoever implements EnclosureSink.
//
// A message is taken from the buffer when software sets EM_CTL.CTL.TM, and has arrived when TM goes back to 0: a wire
// of 100 kHz carries it, with nine bits a byte (SFF-8485 allows no faster clock; SAF-TE and SES-2 go over I2C).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/hba/profile.h"
#include "model/sim/actor.h"
#include "model/sim/trace.h"

namespace ncqlab::hba {

// MTYPE, 12.2.
enum class EnclosureMessage : std::uint8_t { led = 0, safte = 1, ses2 = 2, sgpio = 3 };

class EnclosureSink {
 public:
  // Called in an event of the queue. `bytes` is the message and the data that follow it, without the header.
  virtual void enclosure_message(EnclosureMessage type, const std::uint8_t* bytes, std::size_t count) = 0;

 protected:
  ~EnclosureSink() = default;
};

// 12.2.1: 0 is off, 1 on; the other values are reserved. Which of the vendor specific LEDs is which is custom.
struct Leds {
  unsigned activity = 0;  // the controller's own business where the profile says activity_led_in_hardware
  unsigned locate = 0;
  unsigned fault = 0;
};

class Enclosure final : private sim::Actor {
 public:
  static constexpr sim::Time kByteTime = 9 * 10 * sim::kMicrosecond;
  static constexpr sim::Time kResetTime = sim::kMillisecond;  // of the logic and the processor: estimate

  // `control` is EM_CTL's value; it outlives this.
  Enclosure(sim::EventQueue& queue, sim::Trace& trace, const EnclosureProfile& profile, bool implemented,
            std::uint32_t& control);

  void set_sink(EnclosureSink* sink) { sink_ = sink; }
  // LEDs of a port, 0 to 31, as the last message to it said.
  const Leds& leds(unsigned port) const { return leds_[port]; }

  // Whether `offset` into the register space is in the transmit buffer or in the receive buffer behind it.
  bool contains(std::uint32_t offset) const { return offset - profile_.buffer_offset_bytes < buffer_.size(); }
  // `offset` is a multiple of 4 that is contained. The receive buffer can't be written.
  std::uint32_t read(std::uint32_t offset) const;
  void write(std::uint32_t offset, std::uint32_t value, std::uint32_t lanes);

  // Software wrote EM_CTL: the value before, and the bits that were written as 1.
  void control_written(std::uint32_t before, std::uint32_t ones);

  // From the enclosure processor: a whole message with its header. False, and nothing happens, when there is no receive
  // buffer, when the one before has not been read (STS.MR = 1), and when it is longer than the buffer.
  bool receive(const std::uint8_t* bytes, std::size_t count);

  // HBA reset. EM_CTL is reset by its owner.
  void reset();

 private:
  void transmit();
  bool well_formed(std::uint32_t header) const;
  bool supported(std::uint32_t type) const;
  void sent(std::uint64_t well_formed);
  void set_leds(std::uint32_t message);
  void end_reset(std::uint64_t);
  std::uint32_t dword(std::size_t at) const;
  void record(sim::Kind kind, std::uint64_t what, std::uint64_t b, std::uint64_t c);

  sim::Trace* trace_;
  EnclosureProfile profile_;
  std::uint32_t* control_;
  EnclosureSink* sink_ = nullptr;
  std::vector<std::uint8_t> buffer_;   // transmit, then receive; empty: not implemented
  std::vector<std::uint8_t> message_;  // on its way
  std::array<Leds, 32> leds_{};
};

}  // namespace ncqlab::hba
