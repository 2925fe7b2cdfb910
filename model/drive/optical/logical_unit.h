// The optical drive as SCSI sees it: tray, medium, sense data, and the commands of a packet (SPC-3, MMC-5). Nothing of
// ATA and no time: a packet in, sense and data out.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/drive/media/contents.h"
#include "model/drive/optical/profile.h"

namespace ncqlab::drive {

inline constexpr std::uint32_t kBlock_bytes = 2048;  // of an optical medium

// A disc. Its contents come in sectors of 512 bytes, four to a block: an ImageContents, or generated ones.
struct Medium {
  const FactoryContents* contents = nullptr;  // outlives the disc's stay in the drive
  std::uint32_t blocks = 0;
};

struct SenseData {
  std::uint8_t key = 0;  // 0: no error
  std::uint8_t code = 0;
  std::uint8_t qualifier = 0;
};

inline constexpr std::uint8_t kNotReady = 0x2;
inline constexpr std::uint8_t kIllegalRequest = 0x5;
inline constexpr std::uint8_t kUnitAttention = 0x6;

// How a packet ends: with sense data, or with data for the host. These are `bytes`, or `blocks` blocks of the medium.
struct PacketResult {
  SenseData sense;
  std::vector<std::uint8_t> bytes;
  std::uint32_t lba = 0;
  std::uint32_t blocks = 0;

  std::uint64_t total_bytes() const { return blocks == 0 ? bytes.size() : std::uint64_t{blocks} * kBlock_bytes; }
};

// Told when the tray opens or closes, whoever moved it.
class TrayListener {
 public:
  virtual void tray_moved(bool open) = 0;

 protected:
  ~TrayListener() = default;
};

class LogicalUnit {
 public:
  using Packet = std::array<std::uint8_t, 12>;

  // `medium` lies in the drive from the beginning.
  LogicalUnit(const OpticalProfile& profile, const Medium& medium) : profile_(profile), medium_(medium) {}

  void set_listener(TrayListener* listener) { listener_ = listener; }

  // ---- what hands do to the drive
  void open_tray();
  // A disc that lies in the tray becomes the medium.
  void close_tray();
  // Puts a disc into the open tray, or takes it out. False while the tray is closed.
  bool insert(const Medium& medium);
  bool remove();
  bool tray_open() const { return tray_open_; }
  bool locked() const { return locked_; }
  bool ready() const { return !tray_open_ && medium_.contents != nullptr; }
  const Medium& medium() const { return medium_; }

  // ---- what the host does
  void reset();
  PacketResult execute(const Packet& packet);
  // The packet or its data were lost on the link: what the packet ends with instead.
  PacketResult transfer_damaged();
  // The sense key of the last packet stays for REQUEST SENSE.
  const SenseData& sense() const { return sense_; }

  // Bytes [offset, offset + count) of a result.
  void read(const PacketResult& result, std::uint64_t offset, std::uint32_t count, std::uint8_t* buffer) const;

 private:
  enum class MediaEvent : std::uint8_t { none = 0, new_medium = 2, removal = 3 };  // MMC-5, 6.7.2.6

  PacketResult dispatch(const Packet& packet);
  bool pending_condition(SenseData& sense);
  SenseData readiness() const;
  void media_event(MediaEvent event) { event_ = event; }
  void move_tray(bool open);
  PacketResult request_sense(const Packet& packet);
  PacketResult inquiry(const Packet& packet) const;
  PacketResult read_blocks(std::uint32_t lba, std::uint32_t blocks) const;
  PacketResult read_cd(const Packet& packet) const;
  PacketResult read_capacity() const;
  PacketResult mode_sense(const Packet& packet) const;
  PacketResult start_stop(const Packet& packet);
  PacketResult event_status(const Packet& packet);
  PacketResult read_toc(const Packet& packet) const;

  const OpticalProfile& profile_;
  TrayListener* listener_ = nullptr;
  Medium medium_;
  bool tray_open_ = false;
  bool locked_ = false;             // PREVENT ALLOW MEDIUM REMOVAL
  bool disc_moved_ = false;         // put in or taken out since the tray opened
  bool reset_attention_ = false;    // conditions that the next command meets
  bool absence_attention_ = false;  //
  bool change_attention_ = false;   //
  MediaEvent event_ = MediaEvent::none;
  SenseData sense_;
};

}  // namespace ncqlab::drive
