#include "model/drive/ata/power/power_modes.h"

#include <algorithm>

namespace ncqlab::drive {

namespace {

// CHECK POWER MODE, the count field.
constexpr std::uint16_t kStandby = 0x00;
constexpr std::uint16_t kIdle = 0x80;
constexpr std::uint16_t kActive = 0xFF;

// IDLE IMMEDIATE with UNLOAD: features, the key in LBA(23:0), and LBA(7:0) of the answer once the heads are unloaded.
constexpr std::uint16_t kUnload = 0x44;
constexpr std::uint64_t kUnloadKey = 0x554E4C;
constexpr std::uint64_t kUnloaded = 0xC4;

// IDENTIFY DEVICE word 2: IDENTIFY DEVICE is complete although the platters stand, and SET FEATURES 07h is wanted.
constexpr std::uint16_t kSpinUpWanted = 0x738C;
constexpr std::uint16_t kSpinUpNotWanted = 0xC837;

constexpr sim::Time kMinute = 60 * sim::kSecond;

}  // namespace

PowerModes::PowerModes(const Profile& profile) : profile_(profile) {}

void PowerModes::power_on(sim::Time now) {
  mode_ = power_up_in_standby_ ? Mode::standby : Mode::active;
  waits_for_spin_up_ = power_up_in_standby_;
  standby_after_ = 0;
  last_use_ = heads_last_use_ = now;
  unload_commanded_ = false;
  spun_down_at_ = now;
  spun_up_at_ = power_up_in_standby_ ? now : now + profile_.spindle.spin_up;
}

void PowerModes::reset(sim::Time now) {
  if (mode_ == Mode::sleep) mode_ = Mode::standby;
  if (!timer_expired(now)) used(now);
}

sim::Time PowerModes::spin_up(sim::Time now) {
  if (stands(now)) {
    if (timer_expired(now)) spun_down_at_ = last_use_ + standby_after_ + profile_.spindle.spin_down;
    spun_up_at_ = std::max(now, spun_down_at_) + profile_.spindle.spin_up;
    ++spin_ups_;
    ++head_loads_;
  } else if (unloaded(now)) {
    spun_up_at_ = std::max(now, spun_up_at_) + profile_.head_unload.load;
    ++head_loads_;
  }
  unload_commanded_ = false;
  heads_last_use_ = now;
  mode_ = Mode::active;
  waits_for_spin_up_ = false;
  used(now);
  return std::max(now, spun_up_at_);
}

void PowerModes::enter(Mode mode, sim::Time now) {
  if (mode == Mode::idle && stands(now)) spin_up(now);
  const bool stops = (mode == Mode::standby || mode == Mode::sleep) && !stands(now);
  if (stops) spun_down_at_ = now + profile_.spindle.spin_down;
  mode_ = mode;
  used(now);
}

// ACS-3, 7.49 (STANDBY), the table of standby timer periods.
sim::Time PowerModes::standby_period(std::uint8_t count) {
  if (count <= 240) return count * 5 * sim::kSecond;
  if (count <= 251) return (count - 240) * 30 * kMinute;
  switch (count) {
    case 252:
      return 21 * kMinute;
    case 255:
      return 21 * kMinute + 15 * sim::kSecond;
    default:  // 253: 8 to 12 h, 254 is reserved
      return 8 * 60 * kMinute;
  }
}

Answer PowerModes::idle(const sata::RegisterH2D& fis, bool immediate, sim::Time now) {
  const bool unload = immediate && profile_.features.unload && fis.features == kUnload;
  if (unload && (fis.lba & 0xFFFFFF) != kUnloadKey) return refused();
  if (!immediate) set_standby_timer(static_cast<std::uint8_t>(fis.count));
  if (waits_for_spin_up_) return refused();
  if (unload) {
    if (!stands(now)) unload_commanded_ = true;
    return done_with(0, kUnloaded);
  }
  enter(Mode::idle, now);
  return done_after(std::max<sim::Time>(0, spun_up_at_ - now));
}

// While the drive spins up it still answers as in standby.
Answer PowerModes::check(sim::Time now) const {
  if (stands(now) || now < spun_up_at_) return done_with(kStandby, 0);
  return done_with(mode_ == Mode::idle ? kIdle : kActive, 0);
}

Answer PowerModes::set_power_up_in_standby(bool enable) {
  if (!profile_.features.power_up_in_standby) return refused();
  power_up_in_standby_ = enable;
  return done();
}

Answer PowerModes::spin_up_command(sim::Time now) {
  if (!profile_.features.power_up_in_standby) return refused();
  return done_after(spin_up(now) - now);
}

void PowerModes::identify(IdentifyWords& words) const {
  if (profile_.features.power_up_in_standby) {
    words[2] = waits_for_spin_up_ ? kSpinUpWanted : kSpinUpNotWanted;
    set_bits(words[83], {5, 6});
    set_bits(words[86], {6});
    if (power_up_in_standby_) set_bits(words[86], {5});
  }
  if (profile_.features.unload) {
    set_bits(words[84], {13});
    set_bits(words[87], {13});
  }
}

}  // namespace ncqlab::drive
