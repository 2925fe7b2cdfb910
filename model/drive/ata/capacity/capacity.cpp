#include "model/drive/ata/capacity/capacity.h"

#include <algorithm>

namespace ncqlab::drive {

namespace {

constexpr std::uint64_t kMaxLba28 = 0x0FFFFFFF;
constexpr std::uint16_t kLasting = 0x01;  // count(0) of SET MAX ADDRESS: the value outlives a power cycle

// SET MAX, features
constexpr std::uint8_t kSetPassword = 0x01;
constexpr std::uint8_t kLock = 0x02;
constexpr std::uint8_t kUnlock = 0x03;
constexpr std::uint8_t kFreezeLock = 0x04;

// ACCESSIBLE MAX ADDRESS CONFIGURATION, features
constexpr std::uint16_t kGetNativeMax = 0;
constexpr std::uint16_t kSetAccessibleMax = 1;
constexpr std::uint16_t kFreezeAccessibleMax = 2;

constexpr unsigned kAttempts = 5;

// An address as a command of 28 or 48 bits returns it.
Answer address(std::uint64_t lba, bool extended) {
  Answer answer;
  answer.lba = extended ? lba : lba & 0xFFFFFF;
  answer.device = static_cast<std::uint8_t>(kDeviceLba | (extended ? 0 : lba >> 24));
  return answer;
}

Bytes password_of(const Bytes& page) { return {page.begin() + 2, page.begin() + 34}; }

}  // namespace

Capacity::Capacity(const Profile& profile)
    : profile_(profile),
      native_sectors_(profile.capacity_sectors),
      sectors_(native_sectors_),
      lasting_sectors_(native_sectors_) {}

void Capacity::power_on() {
  sectors_ = lasting_sectors_;
  set_once_ = configuration_frozen_ = false;
  protection_ = Protection::inactive;
  attempts_left_ = kAttempts;
}

void Capacity::hardware_reset(bool preserved) {
  if (!preserved) sectors_ = lasting_sectors_;
}

Answer Capacity::native_max(bool extended) const {
  const std::uint64_t last = native_sectors_ - 1;
  return address(extended ? last : std::min(last, kMaxLba28), extended);
}

Answer Capacity::set_max(const sata::RegisterH2D& fis, bool extended, bool after_native_max) {
  if (!profile_.features.host_protected_area || !after_native_max || (fis.device & kDeviceLba) == 0) return refused();
  if (protection_ == Protection::locked || protection_ == Protection::frozen) return refused();
  const std::uint64_t last =
      extended ? fis.lba : (fis.lba & 0xFFFFFF) | static_cast<std::uint64_t>(fis.device & 0x0F) << 24;
  const bool lasting = (fis.count & kLasting) != 0;
  if (last >= native_sectors_ || (lasting && set_once_)) return refused(kErrorIdnf);
  const Answer answer = change(last, lasting);
  return answer.kind == Answer::Kind::done ? address(last, extended) : answer;
}

Answer Capacity::change(std::uint64_t last, bool lasting) {
  sectors_ = last + 1;
  if (lasting) {
    lasting_sectors_ = sectors_;
    set_once_ = true;
  }
  return done();
}

Answer Capacity::protect(const sata::RegisterH2D& fis) {
  if (!profile_.features.host_protected_area) return refused();
  switch (static_cast<std::uint8_t>(fis.features)) {
    case kSetPassword:
      return protection_ == Protection::inactive || protection_ == Protection::unlocked ? from_host(1) : refused();
    case kLock:
      if (protection_ != Protection::unlocked) return refused();
      protection_ = Protection::locked;
      attempts_left_ = kAttempts;
      return done();
    case kUnlock:
      return protection_ == Protection::locked && attempts_left_ != 0 ? from_host(1) : refused();
    case kFreezeLock:
      if (protection_ == Protection::inactive) return refused();
      protection_ = Protection::frozen;
      return done();
    default:
      return refused();
  }
}

Answer Capacity::password_received(const sata::RegisterH2D& fis, const Bytes& page) {
  if (static_cast<std::uint8_t>(fis.features) == kSetPassword) {
    password_ = password_of(page);
    protection_ = Protection::unlocked;
    return done();
  }
  if (password_of(page) != password_) {
    --attempts_left_;
    return refused();
  }
  protection_ = Protection::unlocked;
  return done();
}

// The address can be set once in a power cycle.
Answer Capacity::configure(const sata::RegisterH2D& fis) {
  switch (fis.features) {
    case kGetNativeMax:
      return address(native_sectors_ - 1, true);
    case kSetAccessibleMax:
      if (configuration_frozen_ || set_once_) return refused();
      if (fis.lba >= native_sectors_) return refused(kErrorIdnf);
      return change(fis.lba, true);
    case kFreezeAccessibleMax:
      configuration_frozen_ = true;
      return done();
    default:
      return refused();
  }
}

void Capacity::identify(IdentifyWords& words) const {
  const auto lba28 = static_cast<std::uint32_t>(std::min(sectors_, kMaxLba28));
  words[60] = static_cast<std::uint16_t>(lba28);
  words[61] = static_cast<std::uint16_t>(lba28 >> 16);
  for (std::size_t i = 0; i < 4; ++i) words[100 + i] = static_cast<std::uint16_t>(sectors_ >> (16 * i));
  if (profile_.features.host_protected_area) {
    set_bits(words[82], {10});
    set_bits(words[83], {8});
    set_bits(words[85], {10});
    if (protection_ != Protection::inactive) set_bits(words[86], {8});
  }
  if (profile_.features.accessible_max_address) {
    set_bits(words[119], {8});
    set_bits(words[120], {8});
  }
}

}  // namespace ncqlab::drive
