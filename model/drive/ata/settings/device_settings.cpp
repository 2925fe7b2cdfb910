#include "model/drive/ata/settings/device_settings.h"

namespace ncqlab::drive {

namespace {

constexpr std::uint8_t kTransferMode = 0x03;
constexpr std::uint8_t kPowerManagementOn = 0x05;
constexpr std::uint8_t kAcousticManagementOn = 0x42;
constexpr std::uint8_t kRevertingOff = 0x66;
constexpr std::uint8_t kPowerManagementOff = 0x85;
constexpr std::uint8_t kAcousticManagementOff = 0xC2;
constexpr std::uint8_t kSenseReporting = 0xC3;
constexpr std::uint8_t kRevertingOn = 0xCC;

// Transfer modes: the kind in count(7:3), the number in count(2:0).
constexpr unsigned kPioDefault = 0x00 >> 3;
constexpr unsigned kPio = 0x08 >> 3;
constexpr unsigned kMultiwordDma = 0x20 >> 3;
constexpr unsigned kUltraDma = 0x40 >> 3;

// Of IDENTIFY DEVICE: the modes that words 63, 64 and 88 announce.
constexpr unsigned kMostPio = 4;
constexpr unsigned kMostMultiwordDma = 2;
constexpr unsigned kMostUltraDma = 6;

constexpr std::uint8_t kShippedTransferMode = 0x40 | kMostUltraDma;
constexpr std::uint8_t kMostPower = 0xFE;
constexpr std::uint8_t kQuietest = 0x80;
constexpr std::uint8_t kFastest = 0xFE;

}  // namespace

void DeviceSettings::power_on() {
  transfer_mode_ = kShippedTransferMode;
  power_level_ = profile_.features.advanced_power_management ? kMostPower : 0;
  acoustic_level_ = profile_.features.acoustic_management ? kFastest : 0;
  sense_reporting_ = reverts_ = false;
}

Answer DeviceSettings::set(std::uint8_t feature, std::uint8_t count) {
  switch (feature) {
    case kTransferMode:
      return set_transfer_mode(count);
    case kPowerManagementOn:
      return count == 0 || count == 0xFF ? refused() : set_power_level(count);
    case kPowerManagementOff:
      return set_power_level(0);
    case kAcousticManagementOn:
      return count < kQuietest || count > kFastest ? refused() : set_acoustic_level(count);
    case kAcousticManagementOff:
      return set_acoustic_level(0);
    case kSenseReporting:
      if (!profile_.features.sense_data_reporting) return refused();
      sense_reporting_ = (count & 1) != 0;
      return done();
    case kRevertingOff:
    case kRevertingOn:
      reverts_ = feature == kRevertingOn;
      return done();
    default:
      return refused();
  }
}

// On SATA a mode means nothing but what IDENTIFY DEVICE shows of it.
Answer DeviceSettings::set_transfer_mode(std::uint8_t mode) {
  const unsigned kind = mode >> 3;
  const unsigned number = mode & 7;
  const bool known = (kind == kPioDefault && number <= 1) || (kind == kPio && number <= kMostPio) ||
                     (kind == kMultiwordDma && number <= kMostMultiwordDma) ||
                     (kind == kUltraDma && number <= kMostUltraDma);
  if (!known) return refused();
  if (kind == kMultiwordDma || kind == kUltraDma) transfer_mode_ = mode;
  return done();
}

Answer DeviceSettings::set_power_level(std::uint8_t level) {
  if (!profile_.features.advanced_power_management) return refused();
  power_level_ = level;
  return done();
}

Answer DeviceSettings::set_acoustic_level(std::uint8_t level) {
  if (!profile_.features.acoustic_management) return refused();
  acoustic_level_ = level;
  return done();
}

void DeviceSettings::identify(IdentifyWords& words) const {
  const auto selected = static_cast<std::uint16_t>(0x0100 << (transfer_mode_ & 7));
  const bool ultra = transfer_mode_ >> 3 == kUltraDma;
  words[63] = static_cast<std::uint16_t>(0x0007 | (ultra ? 0 : selected));
  words[88] = static_cast<std::uint16_t>(0x007F | (ultra ? selected : 0));
  if (profile_.features.advanced_power_management) {
    set_bits(words[83], {3});
    if (power_level_ != 0) set_bits(words[86], {3});
    words[91] = power_level_;
  }
  if (profile_.features.acoustic_management) {
    set_bits(words[83], {9});
    if (acoustic_level_ != 0) set_bits(words[86], {9});
    words[94] = static_cast<std::uint16_t>(kQuietest << 8 | acoustic_level_);
  }
  if (profile_.features.sense_data_reporting) {
    set_bits(words[119], {6});
    if (sense_reporting_) set_bits(words[120], {6});
  }
}

}  // namespace ncqlab::drive
