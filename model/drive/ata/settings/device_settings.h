// What SET FEATURES switches beside the caches, power-up in standby and the Serial ATA features: the transfer mode,
// power management, acoustic management, sense data reporting, and whether a software reset reverts all (ACS-3, 7.45).
#pragma once

#include <cstdint>

#include "model/drive/ata/answer.h"
#include "model/drive/ata/identify_words.h"
#include "model/drive/profile.h"

namespace ncqlab::drive {

class DeviceSettings {
 public:
  explicit DeviceSettings(const Profile& profile) : profile_(profile) { power_on(); }

  void power_on();

  // Features 03h, 05h, 85h, 42h, C2h, C3h, 66h, CCh; all others are refused.
  Answer set(std::uint8_t feature, std::uint8_t count);

  // After a software reset the settings are those of power-on.
  bool reverts() const { return reverts_; }
  bool sense_reporting() const { return sense_reporting_; }

  void identify(IdentifyWords& words) const;

 private:
  Answer set_transfer_mode(std::uint8_t mode);
  Answer set_power_level(std::uint8_t level);
  Answer set_acoustic_level(std::uint8_t level);

  const Profile& profile_;
  std::uint8_t transfer_mode_ = 0;
  std::uint8_t power_level_ = 0;  // 0: advanced power management is off
  std::uint8_t acoustic_level_ = 0;
  bool sense_reporting_ = false;
  bool reverts_ = false;
};

}  // namespace ncqlab::drive
