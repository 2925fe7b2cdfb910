// Where fault programs reach the drive's commands, and how the drive carries out what they decide.
#include <utility>

#include "model/drive/ata/drive.h"

namespace ncqlab::drive {

void Drive::set_hooks(CommandHooks* commands, MediaHooks* media) {
  hooked_.reset();
  if (commands != nullptr) hooked_ = std::make_unique<HookedCommands>(HookedCommands{commands, {}, {}, {}});
  disk_.set_media_hooks(media);
}

CommandEvent Drive::event_of(CommandHook hook, const sata::RegisterH2D& fis) const {
  CommandEvent event;
  event.hook = hook;
  event.fis = fis;
  event.entry = find_command(fis.command, fis.features);
  if (event.entry == nullptr || !offers(profile_, event.entry->needs)) {
    event.entry = nullptr;
    return event;
  }
  const CommandEntry& entry = *event.entry;
  event.force_unit_access = entry.force_unit_access;
  const bool sectors = touches_media(entry.action) && entry.action != Action::trim;
  if (is_queued(entry)) {
    event.tag = fis.count >> 3 & 0x1F;
    event.force_unit_access = (fis.device & kDeviceFua) != 0;
    event.lba = entry.action == Action::media ? fis.lba : 0;
    if (entry.action == Action::media) event.sectors = fis.features == 0 ? 65536 : fis.features;
  } else if (sectors) {
    const auto [lba, count] = range_of(entry, fis);
    event.lba = lba;
    event.sectors = count;
  }
  return event;
}

// ---- received

void Drive::hook_received(const sata::RegisterH2D& fis) {
  hooked_->events[kNonQueuedTag] = CommandEvent();
  CommandEvent event = event_of(CommandHook::received, fis);
  hooked_->hooks->command(*this, event);
  if (event.delay <= 0) return go_on_received(event);
  busy_ = true;
  hooked_->received = event;
  post_after<&Drive::received_late>(event.delay);
}

void Drive::received_late(std::uint64_t) {
  busy_ = false;
  if (hooked_ != nullptr) go_on_received(hooked_->received);
}

void Drive::go_on_received(const CommandEvent& event) {
  if (event.failure) return fail_as_hooked(event);
  take_command(event.fis);
}

// ---- execute

void Drive::hook_execute(unsigned tag, const sata::RegisterH2D& fis) {
  CommandEvent& event = hooked_->events[tag];
  event = event_of(CommandHook::execute, fis);
  event.tag = tag;
  hooked_->hooks->command(*this, event);
  if (event.delay <= 0) return execute_hooked(tag);
  if (tag == kNonQueuedTag) busy_ = true;
  post_after<&Drive::execute_late>(event.delay, tag);
}

void Drive::execute_late(std::uint64_t tag) {
  if (hooked_ != nullptr) execute_hooked(static_cast<unsigned>(tag));
}

void Drive::execute_hooked(unsigned tag) {
  CommandEvent& event = hooked_->events[tag];
  if (event.failure) return fail_as_hooked(std::exchange(event, CommandEvent()));
  const CommandEntry* entry = event.entry;
  sata::RegisterH2D fis = event.fis;
  if (event.sectors != 0) {
    const bool short_address = entry->addressing == Addressing::lba28;
    fis.lba = short_address ? event.lba & 0xFFFFFF : event.lba;
    if (short_address) fis.device = static_cast<std::uint8_t>((fis.device & 0xF0) | (event.lba >> 24 & 0x0F));
  }
  if (event.skip.feature && entry->action == Action::set_features) return succeed();
  if (event.skip.media && skip_media(tag)) return;
  if (event.skip.fua) {
    if (is_queued(*entry)) fis.device = static_cast<std::uint8_t>(fis.device & ~kDeviceFua);
    if (entry->force_unit_access) entry = find_command(unforced(entry->opcode), 0);
  }
  tag == kNonQueuedTag ? perform(*entry, fis) : start_queued(*entry, tag, fis);
}

// False: the command is of no such kind, or would be refused; or it is a trim, which ends when its ranges have come.
bool Drive::skip_media(unsigned tag) {
  const CommandEvent& event = hooked_->events[tag];
  const CommandEntry& entry = *event.entry;
  const bool multiple = entry.action == Action::media_multiple;
  if (event.sectors == 0 || !in_range(event.lba, event.sectors)) return false;
  if ((multiple && multiple_sectors_ == 0) || (event.fis.device & kDeviceLba) == 0) return false;
  if (entry.protocol == Protocol::non_data) {
    succeed();
    return true;
  }
  std::vector<std::uint8_t> bytes(std::size_t{event.sectors} * kSector_bytes);
  if (to_host(entry.protocol)) contents().read(event.lba, event.sectors, bytes.data());
  move_buffer(entry, tag, std::move(bytes));
  return true;
}

// ---- done

// The status of a non-queued command that has succeeded.
void Drive::post_success(const sata::RegisterD2H& fis) {
  if (hooked_ == nullptr || !hook_done(kNonQueuedTag)) return send_register(fis);
  hooked_->status = fis;
}

void Drive::status_late(std::uint64_t) {
  if (hooked_ != nullptr) send_register(hooked_->status);
}

void Drive::completed_late(std::uint64_t tag) {
  completed_mask_ |= 1U << tag;
  pump();
}

// True: it has been taken from the caller, failed or held back.
bool Drive::hook_done(unsigned tag) {
  if (hooked_->events[tag].entry == nullptr) return false;
  CommandEvent event = std::exchange(hooked_->events[tag], CommandEvent());
  event.hook = CommandHook::done;
  event.delay = 0;
  hooked_->hooks->command(*this, event);
  if (event.failure) {
    fail_as_hooked(event);
    return true;
  }
  if (event.delay <= 0) return false;
  if (tag == kNonQueuedTag) {
    busy_ = true;
    post_after<&Drive::status_late>(event.delay);
  } else {
    post_after<&Drive::completed_late>(event.delay, tag);
  }
  return true;
}

// ---- failures

void Drive::fail_as_hooked(const CommandEvent& event) {
  const CommandEvent::Failure& failure = *event.failure;
  const std::uint64_t lba = failure.lba.value_or(event.lba);
  record_error(failure.error, lba);
  const bool queued = event.tag != kNonQueuedTag;
  const bool accepted = queued && event.hook != CommandHook::received;
  const std::uint8_t status = failure.status.value_or(kStatusErr | (accepted ? kStatusDrdy : kStatusGood));
  sata::SetDeviceBits bits;
  bits.interrupt = true;
  bits.status = status;
  bits.error = failure.error;
  bits.active = completed_mask_;
  if (queued && failure.abort_all) {
    halt_queue(
        {false, static_cast<std::uint8_t>(event.tag), status, failure.error, lba, event.fis.device, event.fis.count});
  } else if (accepted) {
    bits.active |= 1U << event.tag;
    queued_mask_ &= ~bits.active;
    completed_mask_ = 0;
  }
  if (accepted) {
    control_.push_back(sata::encode(frames_, bits));
    return pump();
  }
  sata::RegisterD2H fis;
  fis.interrupt = true;
  fis.status = status;
  fis.error = failure.error;
  put_address(fis, event.entry, lba);
  send_register(fis);
}

}  // namespace ncqlab::drive
