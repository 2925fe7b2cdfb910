// The platter's side of writing: passes of the head, and what is left of them when the power fails.
#include "model/drive/disk.h"

namespace ncqlab::drive {

void Disk::begin_write_pass(Arm arm, const Extent& extent) {
  arm_ = arm;
  writing_ = extent;
  if (write_passes_ != nullptr && extent.sectors() != 0) {
    pass_skipped_ ? write_passes_->write_pass_failed(extent) : write_passes_->write_pass_begins(extent);
  }
  occupy_arm_until(pass_.reached(mechanism_, pass_fails_at_ ? *pass_fails_at_ + 1 : extent.end));
}

void Disk::end_write_pass() {
  pass_.settle_at(mechanism_, writing_.end);
  arm_lba_ = writing_.end;
  arm_ = Arm::resting;
  const bool wrote = writing_.sectors() != 0 && !pass_skipped_;
  if (write_passes_ != nullptr && wrote) write_passes_->write_pass_ended(now_, writing_);
  if (write_passes_ != nullptr && pass_fails_at_) write_passes_->write_pass_failed({*pass_fails_at_, pass_lost_end_});
  // What a flush waits for was dirty when it came; a pass that had begun before may have written an older copy.
  if (flush_pending_ && !flush_waits_for_pass_) flushing_.remove(writing_.first, writing_.end);
  flush_waits_for_pass_ = false;
}

std::optional<WritePassState> Disk::write_pass(sim::Time now) {
  if ((arm_ != Arm::writing_command && arm_ != Arm::destaging) || pass_skipped_) return std::nullopt;
  WritePassState state{writing_, pass_.position(mechanism_, now, writing_.end), false};
  state.within_sector = state.written_end < writing_.end && pass_.begins(mechanism_, state.written_end) < now;
  return state;
}

void Disk::keep_dirty(sim::Time now, const Extent& extent) {
  now_ = now;
  dirty_.add(extent.first, extent.end);
  rest_until_idle();
}

std::vector<Extent> Disk::dirty_extents() const {
  std::vector<Extent> all;
  dirty_.visit_from(0, static_cast<unsigned>(dirty_.entries()), [&](const Extent& extent) { all.push_back(extent); });
  return all;
}

void Disk::power_off(sim::Time now, std::uint64_t kept_sectors) {
  abandon_commands(now);
  std::vector<Extent> kept;
  dirty_.visit_from(arm_lba_, static_cast<unsigned>(dirty_.entries()), [&](Extent extent) {
    if (extent.sectors() > kept_sectors) extent.end = extent.first + kept_sectors;
    kept_sectors -= extent.sectors();
    if (extent.sectors() > 0) kept.push_back(extent);
  });
  dirty_.clear();
  for (const Extent& extent : kept) dirty_.add(extent.first, extent.end);
  segments_.clear();
  physical_.clear();
  agenda_.clear();
  ++arm_serial_;
  arm_ = Arm::resting;
  arm_occupied_ = false;
  arm_free_at_ = now;
  last_was_destage_ = false;
  draining_ = false;
  lost_.reset();
  flush_waits_for_pass_ = false;
  arm_lba_ = 0;
  mechanism_.move_to(mechanism_.locate(0));
  if (!dirty_.empty()) rest_until_idle();
}

}  // namespace ncqlab::drive
