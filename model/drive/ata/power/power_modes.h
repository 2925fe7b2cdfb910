// Power modes of the drive and what leads from one to the other (ACS-3, 4.15): commands, the standby timer, resets, and
// power-up in standby.
//
// The timer is not an event: whoever asks gives the time, and the mode follows from when the drive was last used.
#pragma once

#include <cstdint>

#include "model/drive/ata/answer.h"
#include "model/drive/ata/identify_words.h"
#include "model/drive/profile.h"
#include "model/sata/fis.h"

namespace ncqlab::drive {

class PowerModes {
 public:
  enum class Mode : std::uint8_t { active, idle, standby, sleep };

  explicit PowerModes(const Profile& profile);

  // Power has come: spinning, or in standby when power-up in standby is enabled.
  void power_on(sim::Time now);
  // A reset wakes a sleeping drive into standby.
  void reset(sim::Time now);

  Mode mode(sim::Time now) const { return timer_expired(now) ? Mode::standby : mode_; }
  bool asleep() const { return mode_ == Mode::sleep; }
  // The drive is used at `now`: the standby timer starts anew.
  void used(sim::Time now) { last_use_ = now; }

  // False: the platters turn and a command may go to the disk at once.
  bool resting(sim::Time now) const {
    return mode_ != Mode::active || now < spun_up_at_ || timer_expired(now) || unloaded(now);
  }
  // The heads are needed at `now`, or just were.
  void heads_used(sim::Time now) { heads_last_use_ = now; }
  // From then on the platters can be used; spins them up when they stand, and loads the heads.
  sim::Time spin_up(sim::Time now);
  void enter(Mode mode, sim::Time now);

  // STANDBY and IDLE bring the period of the standby timer in their count. 0: the timer is off.
  static sim::Time standby_period(std::uint8_t count);
  void set_standby_timer(std::uint8_t count) { standby_after_ = standby_period(count); }

  Answer idle(const sata::RegisterH2D& fis, bool immediate, sim::Time now);
  Answer check(sim::Time now) const;

  // Power-up in standby: SET FEATURES 06h and 86h, 07h spins the drive up. The setting outlives power cycles.
  Answer set_power_up_in_standby(bool enable);
  Answer spin_up_command(sim::Time now);
  // Media commands are aborted until 07h has come.
  bool waits_for_spin_up() const { return waits_for_spin_up_; }

  void identify(IdentifyWords& words) const;

  std::uint32_t spin_ups() const { return spin_ups_; }
  std::uint32_t head_loads() const { return head_loads_; }

 private:
  bool timer_expired(sim::Time now) const {
    return standby_after_ != 0 && now - last_use_ >= standby_after_ && mode_ != Mode::sleep;
  }
  bool stands(sim::Time now) const { return mode(now) == Mode::standby || mode_ == Mode::sleep; }

  bool unloaded(sim::Time now) const {
    const sim::Time after = profile_.head_unload.unload_after_idle;
    return unload_commanded_ || (after != 0 && now - heads_last_use_ >= after);
  }

  const Profile& profile_;
  Mode mode_ = Mode::active;
  sim::Time standby_after_ = 0;  // 0: never
  sim::Time last_use_ = 0;
  sim::Time heads_last_use_ = 0;
  bool unload_commanded_ = false;
  sim::Time spun_up_at_ = 0;
  sim::Time spun_down_at_ = 0;
  bool power_up_in_standby_ = false;
  bool waits_for_spin_up_ = false;
  std::uint32_t spin_ups_ = 1;
  std::uint32_t head_loads_ = 1;
};

}  // namespace ncqlab::drive
