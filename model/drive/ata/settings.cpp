// SET FEATURES as far as it reaches beyond one feature set, and SET MULTIPLE MODE.
#include "model/drive/ata/drive.h"
#include "model/drive/ata/identify.h"

namespace ncqlab::drive {

namespace {

// SET FEATURES (ACS-3, 7.45)
constexpr std::uint8_t kWriteCacheOn = 0x02;
constexpr std::uint8_t kPowerUpInStandbyOn = 0x06;
constexpr std::uint8_t kSpinUp = 0x07;
constexpr std::uint8_t kSataFeatureOn = 0x10;
constexpr std::uint8_t kReadLookAheadOff = 0x55;
constexpr std::uint8_t kWriteCacheOff = 0x82;
constexpr std::uint8_t kPowerUpInStandbyOff = 0x86;
constexpr std::uint8_t kSataFeatureOff = 0x90;
constexpr std::uint8_t kReadLookAheadOn = 0xAA;

constexpr std::uint32_t bit(SataFeature feature) { return 1U << static_cast<unsigned>(feature); }

}  // namespace

// The write cache is flushed before it counts as off.
Answer Drive::set_features(std::uint8_t feature, std::uint8_t count) {
  switch (feature) {
    case kWriteCacheOn:
      set_write_cache(true);
      return done();
    case kWriteCacheOff: {
      set_write_cache(false);
      Answer answer;
      answer.kind = Answer::Kind::flush;
      return answer;
    }
    case kReadLookAheadOn:
    case kReadLookAheadOff:
      read_look_ahead_ = feature == kReadLookAheadOn;
      disk_.set_read_ahead(read_look_ahead_);
      return done();
    case kPowerUpInStandbyOn:
    case kPowerUpInStandbyOff:
      return power_.set_power_up_in_standby(feature == kPowerUpInStandbyOn);
    case kSpinUp:
      return power_.spin_up_command(now());
    case kSataFeatureOn:
    case kSataFeatureOff:
      return done_if(set_sata_feature(count, feature == kSataFeatureOn));
    default:
      return settings_.set(feature, count);
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
  set_write_cache(profile_.write_cache.enabled);
  read_look_ahead_ = true;
  disk_.set_read_ahead(true);
  multiple_sectors_ = 0;
  settings_.power_on();
}

// SET MULTIPLE MODE: a power of two up to word 47; 0 switches READ and WRITE MULTIPLE off.
Answer Drive::set_multiple(std::uint8_t sectors) {
  const bool power_of_two = (sectors & (sectors - 1)) == 0;
  if (!power_of_two || sectors > kMostMultipleSectors) return refused();
  multiple_sectors_ = sectors;
  return done();
}

}  // namespace ncqlab::drive
