// SET FEATURES, SET MULTIPLE MODE and the power modes.
#include "model/drive/ata/drive.h"
#include "model/drive/ata/identify.h"

namespace ncqlab::drive {

namespace {

// SET FEATURES (ACS-3, 7.45)
constexpr std::uint8_t kWriteCacheOn = 0x02;
constexpr std::uint8_t kTransferMode = 0x03;
constexpr std::uint8_t kSataFeatureOn = 0x10;
constexpr std::uint8_t kReadLookAheadOff = 0x55;
constexpr std::uint8_t kWriteCacheOff = 0x82;
constexpr std::uint8_t kSataFeatureOff = 0x90;
constexpr std::uint8_t kReadLookAheadOn = 0xAA;

// CHECK POWER MODE
constexpr std::uint8_t kModeStandby = 0x00;
constexpr std::uint8_t kModeIdle = 0x80;
constexpr std::uint8_t kModeActive = 0xFF;

constexpr std::uint32_t bit(SataFeature feature) { return 1U << static_cast<unsigned>(feature); }

}  // namespace

void Drive::set_features_command(const CommandEntry& entry, const sata::RegisterH2D& fis) {
  switch (set_features(static_cast<std::uint8_t>(fis.features), static_cast<std::uint8_t>(fis.count))) {
    case Setting::done:
      return succeed();
    case Setting::flush_first:
      return submit_flush(entry);
    case Setting::refused:
      return fail(kErrorAbrt);
  }
}

// A transfer mode is accepted and means nothing on SATA. The write cache is flushed before it counts as off.
Drive::Setting Drive::set_features(std::uint8_t feature, std::uint8_t count) {
  switch (feature) {
    case kWriteCacheOn:
    case kWriteCacheOff:
      disk_.set_write_cache(feature == kWriteCacheOn);
      return feature == kWriteCacheOn ? Setting::done : Setting::flush_first;
    case kReadLookAheadOn:
    case kReadLookAheadOff:
      read_look_ahead_ = feature == kReadLookAheadOn;
      disk_.set_read_ahead(read_look_ahead_);
      return Setting::done;
    case kTransferMode:
      return Setting::done;
    case kSataFeatureOn:
    case kSataFeatureOff:
      return set_sata_feature(count, feature == kSataFeatureOn) ? Setting::done : Setting::refused;
    default:
      return Setting::refused;
  }
}

bool Drive::set_sata_feature(std::uint8_t number, bool enable) {
  if (number >= 32 || (supported_sata_features(profile_) >> number & 1) == 0) return false;
  sata_features_ = enable ? sata_features_ | 1U << number : sata_features_ & ~(1U << number);
  return true;
}

// Serial ATA features survive a software reset, not a COMRESET (SATA 3.x, 13.3). The other settings survive it while
// software settings preservation is enabled, which it is from power-on (13.5).
void Drive::settings_after_hardware_reset() {
  const bool preserve = enabled(SataFeature::settings_preservation);
  sata_features_ = bit(SataFeature::settings_preservation);
  if (!preserve) power_on_settings();
}

void Drive::power_on_settings() {
  sata_features_ = bit(SataFeature::settings_preservation);
  disk_.set_write_cache(profile_.write_cache.enabled);
  read_look_ahead_ = true;
  disk_.set_read_ahead(true);
  multiple_sectors_ = 0;
}

// SET MULTIPLE MODE: a power of two up to word 47; 0 switches READ and WRITE MULTIPLE off.
void Drive::set_multiple(std::uint8_t sectors) {
  const bool power_of_two = (sectors & (sectors - 1)) == 0;
  if (!power_of_two || sectors > kMostMultipleSectors) return fail(kErrorAbrt);
  multiple_sectors_ = sectors;
  succeed();
}

void Drive::enter_power_mode(Action action) {
  switch (action) {
    case Action::idle:
      power_mode_ = PowerMode::idle;
      break;
    case Action::standby:
      power_mode_ = PowerMode::standby;
      break;
    case Action::sleep:
      power_mode_ = PowerMode::sleep;
      break;
    default:
      break;
  }
}

void Drive::check_power_mode() {
  sata::RegisterD2H fis;
  fis.interrupt = true;
  fis.status = kStatusGood;
  fis.count = kModeActive;
  if (power_mode_ == PowerMode::idle) fis.count = kModeIdle;
  if (power_mode_ == PowerMode::standby) fis.count = kModeStandby;
  send_register(fis);
}

}  // namespace ncqlab::drive
