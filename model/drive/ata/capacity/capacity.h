// How much of the disk hosts can see: the host protected area (SET MAX ADDRESS and its password, ACS-2) or the
// accessible max address (ACS-3, 7.1), whichever the profile has.
#pragma once

#include <cstdint>

#include "model/drive/ata/answer.h"
#include "model/drive/ata/identify_words.h"
#include "model/drive/profile.h"
#include "model/sata/fis.h"

namespace ncqlab::drive {

class Capacity {
 public:
  explicit Capacity(const Profile& profile);

  // Sectors that a host may address.
  std::uint64_t sectors() const { return sectors_; }

  void power_on();
  // `preserved`: volatile settings outlive this reset.
  void hardware_reset(bool preserved);

  // READ NATIVE MAX ADDRESS (EXT).
  Answer native_max(bool extended) const;
  // SET MAX ADDRESS (EXT). `after_native_max`: the command before was READ NATIVE MAX ADDRESS of the same size.
  Answer set_max(const sata::RegisterH2D& fis, bool extended, bool after_native_max);
  // SET MAX with features 01h to 04h: password, lock, unlock, freeze lock. The first and third bring a password.
  Answer protect(const sata::RegisterH2D& fis);
  Answer password_received(const sata::RegisterH2D& fis, const Bytes& page);
  // ACCESSIBLE MAX ADDRESS CONFIGURATION.
  Answer configure(const sata::RegisterH2D& fis);

  void identify(IdentifyWords& words) const;

 private:
  enum class Protection : std::uint8_t { inactive, unlocked, locked, frozen };

  Answer change(std::uint64_t last, bool lasting);

  const Profile& profile_;
  std::uint64_t native_sectors_;
  std::uint64_t sectors_;
  std::uint64_t lasting_sectors_;  // what power-on brings back
  bool set_once_ = false;          // since power-on: a second lasting address is refused
  Protection protection_ = Protection::inactive;
  Bytes password_;
  unsigned attempts_left_ = 5;
  bool configuration_frozen_ = false;
};

}  // namespace ncqlab::drive
