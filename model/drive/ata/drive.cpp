// The device's life on its link, and the clock of the disk library.
#include "model/drive/ata/drive.h"

#include <algorithm>

namespace ncqlab::drive {

namespace {
constexpr std::uint8_t kSoftwareReset = 0x04;  // SRST in the device control register
constexpr std::uint64_t kAfterComreset = 1;    // why the drive becomes ready
}  // namespace

Drive::Drive(const Profile& profile, const DriveParts& parts)
    : Actor(parts.queue),
      profile_(profile),
      trace_(parts.trace),
      frames_(parts.frames),
      on_flush_(parts.on_flush),
      number_(parts.number),
      disk_(profile, parts.tables),
      media_({parts.factory, parts.pattern, parts.seed, parts.number, profile.defect_handling,
              PhysicalSectors(profile.physical_sectors.bytes / kSector_bytes, profile.physical_sectors.lba_0_offset)}),
      settings_(profile),
      power_(profile),
      capacity_(profile),
      security_(profile),
      smart_(profile),
      sct_(profile),
      microcode_(profile),
      buffer_page_(empty_pages(1)) {
  disk_.set_write_pass_listener(&media_);
  disk_.set_trouble_source(&media_);
  disk_.draw_tail_events(parts.seed, parts.number);
  power_on_settings();
}

// ---- life

void Drive::hardware_reset(sata::Generation generation) {
  if (!powered_) return;
  generation_ = generation;
  frame_under_way_ = false;
  reset_command_layer();
  const bool preserved = enabled(SataFeature::settings_preservation);
  capacity_.hardware_reset(preserved);
  security_.hardware_reset(preserved);
  settings_after_hardware_reset();
  ++counts_.hardware_resets;
  post_after<&Drive::become_ready>(profile_.interface.ready_after_reset, kAfterComreset);
}

// What has come of a write is dirty data too, whether or not the host has heard that it is done. The head's own pass
// goes on as far as the reserve lasts.
void Drive::cut_power(PowerCut how) {
  const std::uint64_t saved = how == PowerCut::sudden ? 0 : profile_.power_loss.saved_bytes / kSector_bytes;
  const auto pass = disk_.write_pass(now());
  frame_under_way_ = false;
  end_commands();
  if (pass && saved != 0) disk_.keep_dirty(now(), {pass->written_end, pass->extent.end});
  disk_.power_off(now(), saved);
  media_.power_off(now(), pass, saved != 0, disk_.dirty_extents());
  reset_command_layer();
  drop_pending_events();
  disk_events_.clear();
  powered_ = false;
}

void Drive::power_on() {
  powered_ = true;
  power_on_settings();
  power_.power_on(now());
  capacity_.power_on();
  security_.power_on();
  sct_.power_on();
  microcode_.power_on();
  ++counts_.power_cycles;
}

LiveCounts Drive::counts() const {
  LiveCounts counts = counts_;
  counts.powered = now();
  counts.spin_ups = power_.spin_ups();
  counts.head_loads = power_.head_loads();
  counts.pending = media_.defects().pending();
  counts.reallocated = media_.defects().reallocated();
  return counts;
}

void Drive::phy_lost() {
  frame_under_way_ = false;  // lost with everything else
  ++counts_.phy_losses;
  reset_command_layer();
}

void Drive::reset_command_layer() {
  ready_ = soft_reset_ = halted_ = busy_ = false;
  ncq_error_ = NcqError{};
  power_.reset(now());
  smart_.reset(now(), counts().hours());
  control_.clear();
  slumber_wanted_ = false;
  transfer_under_way_ = true;  // whatever waits for the link need not go out any more
  end_commands();
}

// Nothing more is heard of any command; the disk goes on with what it must finish.
void Drive::end_commands() {
  drop_pending_events();
  if (frame_under_way_ && transfer_under_way_ && link_->withdraw()) frame_under_way_ = false;
  queued_mask_ = completed_mask_ = 0;
  ready_transfers_.clear();
  data_phase_ = awaiting_host_data_ = false;
  disk_events_.clear();
  waiting_for_spin_up_.clear();
  if (hooked_ != nullptr) hooked_->forget();
  disk_.abandon_commands(now());
  keep_received_data();
  run_disk();
}

// Data of writes that had come: a drive that forgot them would also forget the older ones that they replaced.
void Drive::keep_received_data() {
  for (const Transfer& transfer : transfers_) {
    const bool writes = transfer.entry != nullptr && to_device(transfer.entry->protocol) && transfer.from_media;
    if (!writes) continue;
    for (const Extent& extent : media_.contents().in_buffer_only({transfer.lba, transfer.lba + transfer.sectors})) {
      disk_.keep_dirty(now(), extent);
    }
  }
}

void Drive::become_ready(std::uint64_t why) {
  ready_ = true;
  if (why == kAfterComreset) ++counts_.signatures_after_comreset;
  send_signature(false);
}

// The signature of an ATA device after a successful diagnostic (ACS-3, 9.2; SATA 3.x, 11.2): count 1, LBA 1, error 01h.
void Drive::send_signature(bool interrupt) {
  sata::RegisterD2H signature;
  signature.interrupt = interrupt;
  signature.status = kStatusGood;
  signature.error = 0x01;
  signature.lba = 1;
  signature.count = 1;
  send_register(signature);
}

void Drive::frame_received(const sata::Frame& frame) {
  if (frame.type() == static_cast<std::uint8_t>(sata::FisType::data)) return data_received(frame);
  sata::RegisterH2D fis;
  if (!sata::decode(frame, fis)) return;  // a device answers nothing to what it does not know
  if (fis.command_bit) {
    command(fis);
  } else {
    control(fis);
  }
}

// Software reset (SATA 3.x, 11.4): SRST set stops everything, SRST cleared starts the diagnostic and the signature.
void Drive::control(const sata::RegisterH2D& fis) {
  const bool reset = (fis.control & kSoftwareReset) != 0;
  if (reset && !soft_reset_) {
    reset_command_layer();
    soft_reset_ = true;
    if (settings_.reverts()) power_on_settings();
  } else if (!reset && soft_reset_) {
    soft_reset_ = false;
    post_after<&Drive::become_ready>(0);
  }
}

// ---- the disk library's clock

void Drive::run_disk() {
  Happening happening;
  while (disk_.advance(now(), happening)) handle(happening);
  const sim::Time next = disk_.next();
  if (next == sim::kNever || (!disk_events_.empty() && disk_events_.back() <= next)) return;
  disk_events_.push_back(next);
  post_at<&Drive::disk_due>(next);
}

void Drive::disk_due(std::uint64_t) {
  disk_events_.pop_back();
  run_disk();
}

void Drive::handle(const Happening& happening) {
  const unsigned tag = happening.tag;
  power_.heads_used(now());
  Transfer& transfer = transfers_[tag];
  trace_.record({now(), sim::Kind::drive, number_, static_cast<std::uint64_t>(happening.what), tag, transfer.lba});
  switch (happening.what) {
    case Happening::What::data_scheduled:
      return data_scheduled(tag, transfer);
    case Happening::What::buffer_ready:
      return transfer_due(tag);
    case Happening::What::done:
      return command_done(tag);
    case Happening::What::failed:
      return end_with_error(tag, kErrorAbrt, happening.lba);
  }
}

void Drive::data_scheduled(unsigned tag, Transfer& transfer) {
  transfer.readable = disk_.readable(tag);
  if (transfer.entry->protocol == Protocol::non_data) {  // READ VERIFY: nothing is sent
    return post_at<&Drive::transfer_due>(std::max(now(), disk_.available(tag, transfer.sectors)), tag);
  }
  if (const double fraction = profile_.media_access.transfer_start_fraction; fraction > 0) {
    const auto sectors = static_cast<std::uint32_t>(fraction * transfer.sectors);
    return post_at<&Drive::transfer_due>(std::max(now(), disk_.available(tag, std::max(sectors, 1U))), tag);
  }
  // The transfer begins so that the link, once it has begun, need not wait for the media.
  const std::uint64_t bits = static_cast<std::uint64_t>(transfer.sectors) * kSector_bytes * 10;
  const sim::Time on_link = sim::transfer_time(bits, 1'500'000'000ULL << (generation_ - 1));
  const std::uint32_t first_frame = std::min(transfer.sectors, sata::kMaxDataPayload_bytes / kSector_bytes);
  const sim::Time begin = std::max(disk_.available(tag, first_frame), disk_.available(tag, transfer.sectors) - on_link);
  if (begin > now()) return post_at<&Drive::transfer_due>(begin, tag);
  return transfer_due(tag);
}

void Drive::command_done(unsigned tag) {
  if (tag != kNonQueuedTag) return complete_queued(tag);
  const Action action = transfers_[tag].entry->action;
  if (action == Action::flush && on_flush_ != nullptr) on_flush_->flushed(contents());
  flush_done(action);
}

void Drive::flush_done(Action action) {
  if (action == Action::standby) power_.enter(PowerModes::Mode::standby, now());
  if (action == Action::sleep) power_.enter(PowerModes::Mode::sleep, now());
  succeed();
}

}  // namespace ncqlab::drive
