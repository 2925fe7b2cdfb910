// A device that sends whatever it is told to, refuses what it likes, and can answer commands by itself so that the
// fuzzer need not find out how each protocol goes.
#pragma once

#include <cstdint>
#include <deque>

#include "model/sata/fis.h"
#include "model/sata/link.h"

namespace ncqlab::fuzz {

class HostileDevice final : public sata::Device {
 public:
  // What follows a command.
  enum class Manner : std::uint8_t {
    silent,
    done,         // D2H Register FIS
    failed,       // the same with ERR
    pio_in,       // PIO Setup, 512 bytes
    pio_out,      // PIO Setup, and when the data have come D2H
    dma_in,       // 512 bytes, D2H
    dma_out,      // DMA Activate, and when the data have come D2H
    queued_in,    // D2H that releases the link, DMA Setup, 512 bytes, Set Device Bits
    queued_out,   // the same with DMA Setup that activates, Set Device Bits when the data have come
    queued_done,  // D2H and Set Device Bits, no data
  };
  static constexpr unsigned kManners = 10;
  static constexpr std::uint32_t kData_bytes = 512;

  explicit HostileDevice(sata::FramePool& pool) : pool_(&pool) {}
  void connect(sata::DeviceLink* link) { link_ = link; }

  // Queues a frame towards the host; lost when the PHY is not ready.
  void send(sata::Frame frame);
  template <class Fis>
  void send(const Fis& fis) {
    send(sata::encode(*pool_, fis));
  }
  void send_data(std::uint32_t bytes, std::uint8_t first);
  sata::FramePool& pool() { return *pool_; }
  // From now on it is a device like any other.
  void behave();

  sata::Generation highest_generation() const override { return generation; }
  sim::Time cominit_delay() const override { return delay; }
  void hardware_reset(sata::Generation generation) override;
  void phy_lost() override;
  void frame_received(const sata::Frame& frame) override;
  void frame_sent() override;
  bool frame_refused(const sata::Frame& frame, sata::Refusal refusal, unsigned attempts) override;
  bool accepts_power(sata::LinkPower /*power*/) override { return accepts_sleep; }

  Manner manner = Manner::silent;
  sata::Generation generation = 3;
  sim::Time delay = 0;
  bool signature = true;  // after a reset
  bool accepts_sleep = false;
  unsigned refusals = 0;       // so many frames from now on are answered with R_ERR
  std::uint64_t commands = 0;  // received

 private:
  void answer_command(const sata::Frame& frame);
  void answer_data();
  void send_status(std::uint8_t status, std::uint8_t error);
  void send_next();

  static constexpr std::size_t kLongestQueue = 64;

  sata::FramePool* pool_;
  sata::DeviceLink* link_ = nullptr;
  std::deque<sata::Frame> to_send_;
  bool sending_ = false;
  unsigned tag_ = 0;
};

}  // namespace ncqlab::fuzz
