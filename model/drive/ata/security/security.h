// The security feature set (ACS-3, 4.20): user and master password, lock, freeze, attempts, erase.
#pragma once

#include <cstdint>

#include "model/drive/ata/answer.h"
#include "model/drive/ata/identify_words.h"
#include "model/drive/profile.h"
#include "model/sata/fis.h"

namespace ncqlab::drive {

class Security {
 public:
  explicit Security(const Profile& profile);

  void power_on();
  // `preserved`: with software settings preservation the drive stays as locked or frozen as it is (SATA 3.x, 13.5).
  void hardware_reset(bool preserved);

  bool locked() const { return locked_; }

  // `after_prepare`: the command before was SECURITY ERASE PREPARE.
  Answer answer(const sata::RegisterH2D& fis, bool after_prepare);
  // The page that SET PASSWORD, UNLOCK, ERASE UNIT or DISABLE PASSWORD brings. After a successful ERASE UNIT the
  // caller discards all user data.
  Answer received(const sata::RegisterH2D& fis, const Bytes& page);

  void identify(IdentifyWords& words) const;

 private:
  bool master_given(const Bytes& page) const { return (page[0] & 1) != 0; }
  bool password_fits(const Bytes& page) const;
  Answer set_password(const Bytes& page);
  Answer unlock(const Bytes& page);
  Answer erase(const Bytes& page);

  const Profile& profile_;
  bool present_;
  Bytes user_;
  Bytes master_;
  std::uint16_t master_revision_;
  bool enabled_ = false;  // a user password is set
  bool maximum_ = false;  // level: the master password does not unlock
  bool locked_ = false;
  bool frozen_ = false;
  unsigned attempts_left_;
};

}  // namespace ncqlab::drive
