#include "model/drive/optical/optical_drive.h"

#include "model/drive/ata/identify_words.h"
#include "model/drive/optical/identify_packet.h"

namespace ncqlab::drive {

namespace {

constexpr std::uint8_t kSoftwareReset = 0x04;      // SRST in the device control register
constexpr std::uint64_t kSignatureLba = 0xEB1401;  // ACS-3, 9.2
constexpr std::uint8_t kDiagnosticPassed = 0x01;

// ACS-3, clause 7: what a device with the PACKET feature set answers beside PACKET.
constexpr std::uint8_t kDeviceReset = 0x08;
constexpr std::uint8_t kReadSectors = 0x20;
constexpr std::uint8_t kExecuteDiagnostic = 0x90;
constexpr std::uint8_t kPacket = 0xA0;
constexpr std::uint8_t kIdentifyPacket = 0xA1;
constexpr std::uint8_t kStandbyImmediate = 0xE0;
constexpr std::uint8_t kIdleImmediate = 0xE1;
constexpr std::uint8_t kCheckPowerMode = 0xE5;
constexpr std::uint8_t kSleep = 0xE6;
constexpr std::uint8_t kFlushCache = 0xE7;
constexpr std::uint8_t kIdentifyDevice = 0xEC;
constexpr std::uint8_t kSetFeatures = 0xEF;

constexpr std::uint8_t kTransferMode = 0x03;
constexpr std::uint8_t kSataFeatureOn = 0x10;
constexpr std::uint8_t kSataFeatureOff = 0x90;
constexpr std::uint16_t kModeActive = 0xFF;

}  // namespace

OpticalDrive::OpticalDrive(const OpticalProfile& profile, const OpticalParts& parts)
    : Actor(parts.queue), profile_(profile), frames_(parts.frames), unit_(profile, parts.medium) {}

// ---- life

void OpticalDrive::hardware_reset(sata::Generation) {
  frame_under_way_ = false;
  reset_everything();
  unit_.reset();
  sata_features_ = 0;
  post_after<&OpticalDrive::become_ready>(profile_.ready_after_reset);
}

void OpticalDrive::phy_lost() {
  frame_under_way_ = false;  // lost with everything else
  reset_everything();
}

void OpticalDrive::reset_everything() {
  drop_pending_events();
  ready_ = soft_reset_ = asleep_ = false;
  waiting_.clear();
  if (frame_under_way_ && link_->withdraw()) frame_under_way_ = false;
  phase_ = Phase::idle;
}

// A device with the PACKET feature set leaves DRDY clear after a reset (ACS-3, 9.2).
void OpticalDrive::become_ready(std::uint64_t) {
  ready_ = true;
  send_signature(0x00, kDiagnosticPassed, false);
}

void OpticalDrive::send_signature(std::uint8_t status, std::uint8_t error, bool interrupt) {
  sata::RegisterD2H fis;
  fis.interrupt = interrupt;
  fis.status = status;
  fis.error = error;
  fis.lba = kSignatureLba;
  fis.count = 1;
  phase_ = Phase::idle;
  enqueue(sata::encode(frames_, fis));
}

void OpticalDrive::frame_received(const sata::Frame& frame) {
  if (frame.type() == static_cast<std::uint8_t>(sata::FisType::data)) return packet_received(frame);
  sata::RegisterH2D fis;
  if (!sata::decode(frame, fis)) return;  // a device answers nothing to what it does not know
  if (fis.command_bit) {
    command(fis);
  } else {
    control(fis);
  }
}

void OpticalDrive::control(const sata::RegisterH2D& fis) {
  const bool reset = (fis.control & kSoftwareReset) != 0;
  if (reset && !soft_reset_) {
    reset_everything();
    soft_reset_ = true;
  } else if (!reset && soft_reset_) {
    soft_reset_ = false;
    post_after<&OpticalDrive::become_ready>(0);
  }
}

void OpticalDrive::open_tray() {
  unit_.open_tray();
  notify();
}

void OpticalDrive::close_tray() {
  unit_.close_tray();
  notify();
}

// Asynchronous notification: a Set Device Bits with N (SATA 3.x, 13.8).
void OpticalDrive::notify() {
  const unsigned feature = static_cast<unsigned>(SataFeature::asynchronous_notification);
  if (!ready_ || phase_ != Phase::idle || (sata_features_ >> feature & 1) == 0) return;
  sata::SetDeviceBits fis;
  fis.interrupt = fis.notification = true;
  fis.status = kStatusGood;
  enqueue(sata::encode(frames_, fis));
}

// ---- frames out

void OpticalDrive::enqueue(sata::Frame frame) {
  waiting_.push_back(std::move(frame));
  pump();
}

void OpticalDrive::frame_sent() {
  frame_under_way_ = false;
  pump();
}

bool OpticalDrive::accepts_power(sata::LinkPower power) {
  const bool quiet = phase_ == Phase::idle && waiting_.empty() && !frame_under_way_;
  return profile_.host_power && quiet && power != sata::LinkPower::dev_sleep;
}

void OpticalDrive::pump() {
  if (frame_under_way_ || link_ == nullptr || !link_->phy_ready()) return;
  if (waiting_.empty() && (phase_ == Phase::data || phase_ == Phase::data_announced)) send_block();
  if (waiting_.empty()) return;
  sata::Frame frame = std::move(waiting_.front());
  waiting_.pop_front();
  frame_under_way_ = true;
  link_->send(std::move(frame));
}

// ---- ATA commands

void OpticalDrive::command(const sata::RegisterH2D& fis) {
  if (!ready_ || soft_reset_) return;
  if (fis.command == kDeviceReset) {  // heard even while BSY, and asleep (11.6)
    reset_everything();
    ready_ = true;
    return send_signature(0x00, kDiagnosticPassed, false);
  }
  if (asleep_ || phase_ != Phase::idle) return;
  switch (fis.command) {
    case kPacket:
      return packet(fis);
    case kIdentifyPacket:
      return identify();
    case kExecuteDiagnostic:
      return send_signature(0x00, kDiagnosticPassed, true);
    case kIdentifyDevice:  // so that probing code sees what this is (ACS-3, 9.2)
    case kReadSectors:
      return send_signature(kStatusGood | kStatusErr, kErrorAbrt, true);
    case kSetFeatures:
      return set_features(fis);
    case kStandbyImmediate:
    case kIdleImmediate:
    case kFlushCache:  // there is nothing to be written
      return succeed();
    case kCheckPowerMode:
      return succeed(kModeActive);
    case kSleep:
      succeed();
      asleep_ = true;
      return;
    default:
      return abort();
  }
}

void OpticalDrive::succeed(std::uint16_t count) {
  sata::RegisterD2H fis;
  fis.interrupt = true;
  fis.status = kStatusGood;
  fis.count = count;
  enqueue(sata::encode(frames_, fis));
}

void OpticalDrive::abort() {
  sata::RegisterD2H fis;
  fis.interrupt = true;
  fis.status = kStatusGood | kStatusErr;
  fis.error = kErrorAbrt;
  enqueue(sata::encode(frames_, fis));
}

void OpticalDrive::identify() {
  PacketResult words;
  words.bytes = bytes_of(identify_packet_words(profile_, sata_features_));
  identifying_ = true;
  dma_ = false;
  byte_limit_ = 512;
  start_data(std::move(words));
}

void OpticalDrive::set_features(const sata::RegisterH2D& fis) {
  const auto feature = static_cast<std::uint8_t>(fis.features);
  const auto number = static_cast<std::uint8_t>(fis.count);
  if (feature == kTransferMode) return succeed();
  if (feature != kSataFeatureOn && feature != kSataFeatureOff) return abort();
  if (number >= 32 || (supported_sata_features(profile_) >> number & 1) == 0) return abort();
  sata_features_ = feature == kSataFeatureOn ? sata_features_ | 1U << number : sata_features_ & ~(1U << number);
  succeed();
}

}  // namespace ncqlab::drive
