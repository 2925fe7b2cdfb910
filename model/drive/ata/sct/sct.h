// SMART Command Transport (ACS-3, clause 8): the status page, and error recovery control. Commands are written to log
// E0h, status is read from it; the data log E1h is empty because no command here moves data.
#pragma once

#include <array>
#include <cstdint>

#include "model/drive/ata/answer.h"
#include "model/drive/ata/identify_words.h"
#include "model/drive/profile.h"

namespace ncqlab::drive {

class Sct {
 public:
  explicit Sct(const Profile& profile) : profile_(profile) { power_on(); }

  void power_on();

  // How long the drive may try to recover a sector before it gives the command up; 0: as long as it likes.
  sim::Time read_recovery_limit() const { return limits_[0] * kUnit; }
  sim::Time write_recovery_limit() const { return limits_[1] * kUnit; }

  enum class DeviceState : std::uint8_t { active = 0, standby = 1, sleep = 2, self_test = 3 };
  Bytes status(DeviceState state) const;
  // The page of a command.
  Answer command(const Bytes& page);

  void identify(IdentifyWords& words) const;

 private:
  static constexpr sim::Time kUnit = 100 * sim::kMillisecond;

  Answer failed(std::uint16_t extended_status);
  Answer error_recovery_control(const Bytes& page);

  const Profile& profile_;
  std::array<std::uint16_t, 2> limits_{};  // read, write; in units of 100 ms
  std::uint16_t extended_status_ = 0;
  std::uint16_t action_ = 0;
  std::uint16_t function_ = 0;
};

}  // namespace ncqlab::drive
