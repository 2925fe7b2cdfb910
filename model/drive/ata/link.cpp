// What the link reports beside good frames: damage in either direction, and power states.
#include "model/drive/ata/drive.h"

namespace ncqlab::drive {

// ---- damage

// The host sends a damaged command again by itself. Its Data FIS it does not: the command ends with ICRC and ABRT (84h;
// SATA 3.x, clause 10).
void Drive::frame_damaged(const sata::Frame& frame, sata::Damage) {
  const bool data = frame.valid() && frame.size() > 0 && frame.type() == static_cast<std::uint8_t>(sata::FisType::data);
  ++(data ? counts_.host_data_damaged : counts_.host_non_data_damaged);
  if (data && awaiting_host_data_ && !ready_transfers_.empty()) transfer_damaged(ready_transfers_.front());
}

// A frame that is not a Data FIS is sent again until it is taken.
bool Drive::frame_refused(const sata::Frame& frame, sata::Refusal, unsigned) {
  if (sata::is_retransmitted(frame)) {
    ++counts_.device_non_data_refused;
    return true;
  }
  ++counts_.device_data_refused;
  frame_under_way_ = false;
  transfer_damaged(data_tag_);
  return false;
}

// The data of `tag` did not get through. Its success may wait for the link already: that is taken back.
void Drive::transfer_damaged(unsigned tag) {
  const Transfer& transfer = transfers_[tag];
  const std::uint64_t lba = transfer.from_media ? transfer.lba + transfer.at : 0;
  constexpr std::uint8_t kError = kErrorIcrc | kErrorAbrt;
  if (tag != kNonQueuedTag) {
    completed_mask_ &= ~(1U << tag);
    return queued_command_failed(tag, kError, lba);
  }
  control_.clear();
  end_commands();
  end_with_error(tag, kError, lba);
}

// ---- power (SATA 3.x, clause 8 and 13.4)

// Nothing is being sent or will be at once. Queued commands may be outstanding while the head moves.
bool Drive::accepts_power(sata::LinkPower power) {
  if (power == sata::LinkPower::dev_sleep) {
    return profile_.serial_ata.device_sleep && enabled(SataFeature::device_sleep);
  }
  const bool quiet =
      !frame_under_way_ && !busy_ && control_.empty() && completed_mask_ == 0 && ready_transfers_.empty();
  return profile_.serial_ata.host_power && quiet;
}

bool Drive::idle() const { return ready_ && !busy_ && queued_mask_ == 0; }

// The last frame has gone out and no command is outstanding: from now on the times of the profile run.
void Drive::went_idle() {
  ++idle_serial_;
  const SerialAta& sata = profile_.serial_ata;
  if (sata.partial_after_idle != 0) post_after<&Drive::idle_for_partial>(sata.partial_after_idle, idle_serial_);
  if (sata.slumber_after_idle != 0) post_after<&Drive::idle_for_slumber>(sata.slumber_after_idle, idle_serial_);
}

// A command that came and went meanwhile has another serial number; one that is there still has made the drive busy.
void Drive::idle_for_partial(std::uint64_t serial) {
  if (serial != idle_serial_ || !idle() || link_->power() != sata::LinkPower::active) return;
  link_->request_power(sata::LinkPower::partial);
}

void Drive::idle_for_slumber(std::uint64_t serial) {
  if (serial != idle_serial_ || !idle()) return;
  switch (link_->power()) {
    case sata::LinkPower::active:
      link_->request_power(sata::LinkPower::slumber);
      break;
    case sata::LinkPower::partial:
      slumber_wanted_ = link_->request_power(sata::LinkPower::active);
      break;
    default:
      break;
  }
}

void Drive::power_changed(sata::LinkPower power) {
  if (power != sata::LinkPower::active || !slumber_wanted_) return;
  slumber_wanted_ = false;
  if (idle()) link_->request_power(sata::LinkPower::slumber);
}

}  // namespace ncqlab::drive
