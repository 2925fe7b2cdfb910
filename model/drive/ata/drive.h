// The drive on its SATA link: command FIS in, protocol and data FIS out, around the disk library and the contents.
//
// drive.cpp has the device's life and its command layer, transfer.cpp the data and status frames. Sections cited there
// are of SATA 3.x (clause 11, device command layer protocols; 13.6, native command queuing) and ACS-3.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "model/drive/ata/command_table.h"
#include "model/drive/disk.h"
#include "model/drive/media/contents.h"
#include "model/drive/profile.h"
#include "model/sata/fis.h"
#include "model/sata/link_end.h"
#include "model/sim/actor.h"
#include "model/sim/trace.h"

namespace ncqlab::drive {

// ATA status and error bits (ACS-3, 6.2 and 6.3).
inline constexpr std::uint8_t kStatusBsy = 0x80;
inline constexpr std::uint8_t kStatusDrdy = 0x40;
inline constexpr std::uint8_t kStatusDsc = 0x10;
inline constexpr std::uint8_t kStatusDrq = 0x08;
inline constexpr std::uint8_t kStatusErr = 0x01;
inline constexpr std::uint8_t kErrorIdnf = 0x10;
inline constexpr std::uint8_t kErrorAbrt = 0x04;

// What a drive is made of beside its profile. All outlive the drive.
struct DriveParts {
  sim::EventQueue& queue;
  sim::Trace& trace;
  sata::FramePool& frames;
  std::shared_ptr<const MechanicsTables> tables;
  const FactoryContents* factory = nullptr;
  std::uint32_t number = 0;  // names the drive in trace records
};

class Drive final : public sata::Device, private sim::Actor {
 public:
  Drive(const Profile& profile, const DriveParts& parts);

  void connect(sata::DeviceLink* link) { link_ = link; }

  // A setting that the drive keeps over power cycles, as shipped or as a host left it.
  void set_write_cache(bool enabled) { disk_.set_write_cache(enabled); }

  const Disk& disk() const { return disk_; }
  const Contents& contents() const { return contents_; }

  // sata::Device
  sata::Generation highest_generation() const override {
    return static_cast<sata::Generation>(profile_.interface.generation);
  }
  void hardware_reset(sata::Generation generation) override;
  void phy_lost() override;
  void frame_received(const sata::Frame& frame) override;
  void frame_sent() override;

 private:
  // A command whose data move between buffer and host; the tag is the disk's.
  struct Transfer {
    const CommandEntry* entry = nullptr;
    std::uint64_t lba = 0;
    std::uint32_t sectors = 0;
    std::uint32_t moved = 0;  // sectors
    bool announced = false;   // DMA Setup, or the PIO Setup or DMA Activate of the next Data FIS, has been sent
    bool from_media = true;   // false: identify_data_
  };

  // drive.cpp
  void become_ready(std::uint64_t);
  void reset_command_layer();
  void command(const sata::RegisterH2D& fis);
  void control(const sata::RegisterH2D& fis);
  void queued_command(const CommandEntry& entry, const sata::RegisterH2D& fis);
  void non_queued_command(const CommandEntry& entry, const sata::RegisterH2D& fis);
  void submit(const CommandEntry& entry, unsigned tag, std::uint64_t lba, std::uint32_t sectors, bool fua);
  bool set_features(std::uint8_t feature);
  void send_signature();
  void fail(std::uint8_t error);
  void halt(std::uint8_t error);
  void end_commands();
  void run_disk();
  void disk_due(std::uint64_t);
  void handle(const Happening& happening);
  void command_done(unsigned tag);

  // transfer.cpp
  void transfer_due(std::uint64_t tag);
  void pump();
  void wake(std::uint64_t) { pump(); }
  void send(sata::Frame frame);
  void send_register(std::uint8_t status, std::uint8_t error, bool interrupt);
  void step_transfer(unsigned tag, Transfer& transfer);
  void step_to_host(unsigned tag, Transfer& transfer);
  void step_to_device(Transfer& transfer);
  void data_received(const sata::Frame& frame);
  void finish_transfer(unsigned tag, Transfer& transfer);

  const Profile& profile_;
  sim::Trace& trace_;
  sata::FramePool& frames_;
  std::uint32_t number_;
  sata::DeviceLink* link_ = nullptr;
  Disk disk_;
  Contents contents_;

  sata::Generation generation_ = 1;
  bool ready_ = false;       // the signature has been sent
  bool soft_reset_ = false;  // SRST is set
  bool read_look_ahead_ = true;
  bool halted_ = false;  // a queued command failed (13.6.6): only a reset goes on
  bool busy_ = false;    // a non-queued command is being executed
  std::uint32_t queued_mask_ = 0;
  std::vector<sim::Time> disk_events_;  // posted, the next one last: each was posted because it came before the others

  std::array<Transfer, kTags> transfers_;
  std::deque<unsigned> ready_transfers_;  // in the order in which their data came or were wanted
  std::deque<sata::Frame> control_;       // Register FIS that go before data
  std::uint32_t completed_mask_ = 0;      // of queued commands, for the next Set Device Bits
  bool frame_under_way_ = false;
  bool awaiting_host_data_ = false;
  std::array<std::uint8_t, kSector_bytes> identify_data_{};
};

}  // namespace ncqlab::drive
