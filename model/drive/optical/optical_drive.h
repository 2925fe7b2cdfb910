// A small ATAPI optical drive on its SATA link: signature EB140101h, IDENTIFY PACKET DEVICE, PACKET by PIO and DMA.
// What the packets do is in logical_unit.h. Sections cited are of SATA 3.x (11.12 for PACKET) and ACS-3.
//
// optical_drive.cpp has the device's life and its ATA commands, packet_protocol.cpp the frames of a PACKET command.
#pragma once

#include <deque>
#include <vector>

#include "model/drive/ata/registers.h"
#include "model/drive/optical/logical_unit.h"
#include "model/sata/fis.h"
#include "model/sata/link_end.h"
#include "model/sim/actor.h"

namespace ncqlab::drive {

// What an optical drive is made of beside its profile. All outlive the drive.
struct OpticalParts {
  sim::EventQueue& queue;
  sata::FramePool& frames;
  Medium medium;  // in the drive from the beginning; none: empty
};

class OpticalDrive final : public sata::Device, private sim::Actor {
 public:
  OpticalDrive(const OpticalProfile& profile, const OpticalParts& parts);

  void connect(sata::DeviceLink* link) { link_ = link; }

  // Hands: the tray and the disc in it.
  void open_tray();
  void close_tray();
  bool insert(const Medium& medium) { return unit_.insert(medium); }
  bool remove() { return unit_.remove(); }
  void set_listener(TrayListener* listener) { unit_.set_listener(listener); }
  const LogicalUnit& unit() const { return unit_; }

  // sata::Device
  sata::Generation highest_generation() const override { return static_cast<sata::Generation>(profile_.generation); }
  void hardware_reset(sata::Generation generation) override;
  void phy_lost() override;
  void frame_received(const sata::Frame& frame) override;
  void frame_damaged(const sata::Frame& frame, sata::Damage damage) override;
  void frame_sent() override;
  bool frame_refused(const sata::Frame& frame, sata::Refusal refusal, unsigned attempts) override;
  bool accepts_power(sata::LinkPower power) override;

 private:
  enum class Phase : std::uint8_t {
    idle,            // no command
    packet_wanted,   // PIO Setup for the packet has been sent
    executing,       // the packet is with the logical unit
    data_announced,  // PIO Setup has been sent, its Data FIS comes next
    data,            // data go to the host
  };

  // optical_drive.cpp
  void become_ready(std::uint64_t);
  void reset_everything();
  void control(const sata::RegisterH2D& fis);
  void command(const sata::RegisterH2D& fis);
  void send_signature(std::uint8_t status, std::uint8_t error, bool interrupt);
  void identify();
  void set_features(const sata::RegisterH2D& fis);
  void succeed(std::uint16_t count = 0);
  void abort();
  void notify();
  void enqueue(sata::Frame frame);
  void pump();

  // packet_protocol.cpp
  void packet(const sata::RegisterH2D& fis);
  void packet_received(const sata::Frame& frame);
  void results_due(std::uint64_t);
  void start_data(PacketResult result);
  void send_block();
  void end_packet();
  void transfer_damaged();
  sim::Time time_of(const PacketResult& result);

  const OpticalProfile& profile_;
  sata::FramePool& frames_;
  sata::DeviceLink* link_ = nullptr;
  LogicalUnit unit_;

  bool ready_ = false;
  bool soft_reset_ = false;
  bool asleep_ = false;
  std::uint32_t sata_features_ = 0;
  std::deque<sata::Frame> waiting_;  // for the link
  bool frame_under_way_ = false;

  Phase phase_ = Phase::idle;
  bool dma_ = false;
  bool identifying_ = false;      // data are of IDENTIFY PACKET DEVICE: the last PIO Setup ends it
  std::uint32_t byte_limit_ = 0;  // of a DRQ block
  PacketResult result_;
  std::uint64_t moved_bytes_ = 0;
  std::uint32_t block_bytes_ = 0;  // announced by PIO Setup
  std::uint64_t next_lba_ = 0;     // behind the last read
};

}  // namespace ncqlab::drive
