#include "model/drive/ata/security/security.h"

#include <algorithm>

namespace ncqlab::drive {

namespace {

constexpr std::uint8_t kSetPassword = 0xF1;
constexpr std::uint8_t kUnlock = 0xF2;
constexpr std::uint8_t kErasePrepare = 0xF3;
constexpr std::uint8_t kEraseUnit = 0xF4;
constexpr std::uint8_t kFreezeLock = 0xF5;

constexpr unsigned kAttempts = 5;
constexpr std::uint16_t kShippedMasterRevision = 0xFFFE;

// Words 89 and 90 count two minutes each; 0 says nothing, 255 more than 508 minutes.
std::uint16_t erase_word(sim::Time time) {
  constexpr sim::Time kUnit = 120 * sim::kSecond;
  return static_cast<std::uint16_t>(std::clamp<sim::Time>((time + kUnit - 1) / kUnit, 0, 255));
}

Bytes password_of(const Bytes& page) { return {page.begin() + 2, page.begin() + 34}; }

}  // namespace

Security::Security(const Profile& profile)
    : profile_(profile),
      present_(profile.features.security),
      user_(32),
      master_(32),
      master_revision_(kShippedMasterRevision),
      attempts_left_(kAttempts) {}

void Security::power_on() {
  locked_ = enabled_;
  frozen_ = false;
  attempts_left_ = kAttempts;
}

void Security::hardware_reset(bool preserved) {
  attempts_left_ = kAttempts;
  if (!preserved) power_on();
}

Answer Security::answer(const sata::RegisterH2D& fis, bool after_prepare) {
  if (!present_) return refused();
  switch (fis.command) {
    case kErasePrepare:
      return done_if(!frozen_);
    case kFreezeLock:
      if (locked_) return refused();
      frozen_ = true;
      return done();
    case kUnlock:
      return frozen_ || attempts_left_ == 0 ? refused() : from_host(1);
    case kEraseUnit:
      return frozen_ || !after_prepare || attempts_left_ == 0 ? refused() : from_host(1);
    default:  // SET PASSWORD, DISABLE PASSWORD
      return frozen_ || locked_ ? refused() : from_host(1);
  }
}

Answer Security::received(const sata::RegisterH2D& fis, const Bytes& page) {
  switch (fis.command) {
    case kSetPassword:
      return set_password(page);
    case kUnlock:
      return unlock(page);
    case kEraseUnit:
      return erase(page);
    default:  // DISABLE PASSWORD; the master password stays
      if (!password_fits(page)) return refused();
      enabled_ = locked_ = false;
      return done();
  }
}

Answer Security::set_password(const Bytes& page) {
  if (master_given(page)) {
    master_ = password_of(page);
    const auto revision = static_cast<std::uint16_t>(get(page, 34, 2));
    if (revision != 0 && revision != 0xFFFF) master_revision_ = revision;
    return done();
  }
  user_ = password_of(page);
  maximum_ = (page[1] & 1) != 0;
  enabled_ = true;  // the drive locks at the next power-on
  return done();
}

// Without a user password the one that the drive was shipped with, zeros, does for both.
bool Security::password_fits(const Bytes& page) const {
  if (!master_given(page)) return !enabled_ || password_of(page) == user_;
  return (!enabled_ || !maximum_) && password_of(page) == master_;
}

// A wrong password costs one attempt; the fifth makes the drive refuse all until a reset.
Answer Security::unlock(const Bytes& page) {
  if (!password_fits(page)) {
    if (locked_) --attempts_left_;
    return refused();
  }
  locked_ = false;
  return done();
}

// In level maximum the master password erases although it does not unlock. The user password is disabled afterwards.
Answer Security::erase(const Bytes& page) {
  const bool master_erases = master_given(page) && password_of(page) == master_;
  if (!password_fits(page) && !master_erases) {
    if (locked_) --attempts_left_;
    return refused();
  }
  const bool enhanced = (page[0] & 2) != 0;
  enabled_ = locked_ = maximum_ = false;
  return done_after(enhanced ? profile_.erase.enhanced_security_erase : profile_.erase.security_erase);
}

void Security::identify(IdentifyWords& words) const {
  if (!present_) return;
  set_bits(words[82], {1});
  if (enabled_) set_bits(words[85], {1});
  words[89] = erase_word(profile_.erase.security_erase);
  words[90] = erase_word(profile_.erase.enhanced_security_erase);
  words[92] = master_revision_;
  words[128] = 0x0021;  // supported, enhanced erase supported
  if (enabled_) set_bits(words[128], {1});
  if (locked_) set_bits(words[128], {2});
  if (frozen_) set_bits(words[128], {3});
  if (attempts_left_ == 0) set_bits(words[128], {4});
  if (enabled_ && maximum_) set_bits(words[128], {8});
}

}  // namespace ncqlab::drive
