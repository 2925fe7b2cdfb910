// Commands on their way in, those of the media, and how each one ends.
#include <algorithm>
#include <utility>

#include "model/drive/ata/drive.h"

namespace ncqlab::drive {

namespace {

// WRITE UNCORRECTABLE EXT, features(7:0): pseudo-uncorrectable, and flagged without being logged. Here both fail alike.
constexpr std::uint8_t kPseudo = 0x55;
constexpr std::uint8_t kFlagged = 0xAA;

}  // namespace

void Drive::command(const sata::RegisterH2D& fis) {
  if (!ready_ || soft_reset_ || busy_) return;  // the host must see BSY cleared first
  if (power_.asleep()) return;                  // only a reset wakes it (ACS-3, 4.15)
  if (hooked_ != nullptr) return hook_received(fis);
  take_command(fis);
}

void Drive::take_command(const sata::RegisterH2D& fis) {
  const CommandEntry* entry = find_command(fis.command, fis.features);
  if (entry != nullptr && !offers(profile_, entry->needs)) entry = nullptr;
  preceding_opcode_ = std::exchange(opcode_, fis.command);
  if (smart_.records()) smart_.errors().command(fis, now());
  if (halted_) return command_while_halted(entry, fis);
  if (entry != nullptr && is_queued(*entry)) return queued_command(*entry, fis);
  if (queued_mask_ != 0) return refuse_non_queued_among_queued(fis);
  if (entry == nullptr || barred(*entry)) return fail(kErrorAbrt);
  if (hooked_ != nullptr) return hook_execute(kNonQueuedTag, fis);
  perform(*entry, fis);
}

// A locked drive keeps its data to itself; one in power-up standby waits for SET FEATURES 07h.
bool Drive::barred(const CommandEntry& entry) const {
  return (security_.locked() || power_.waits_for_spin_up()) && touches_media(entry.action);
}

void Drive::perform(const CommandEntry& entry, const sata::RegisterH2D& fis) {
  switch (entry.action) {
    case Action::media:
    case Action::media_multiple:
    case Action::verify:
      return media_command(entry, fis);
    case Action::uncorrectable:
      return write_uncorrectable(entry, fis);
    case Action::flush:
      return submit_flush(entry);
    case Action::trim:
      return trim_command(entry, fis);
    case Action::diagnostic:
      return send_signature(true);
    default:
      return carry_out(entry, answer(entry, fis));
  }
}

Drive::Range Drive::range_of(const CommandEntry& entry, const sata::RegisterH2D& fis) const {
  if (entry.addressing != Addressing::lba28) return {fis.lba, fis.count == 0 ? 65536U : fis.count};
  const std::uint32_t count = profile_.departures.long_28_bit_counts ? fis.count : fis.count & 0xFFU;
  return {(fis.lba & 0xFFFFFF) | static_cast<std::uint64_t>(fis.device & 0x0F) << 24, count == 0 ? 256 : count};
}

void Drive::media_command(const CommandEntry& entry, const sata::RegisterH2D& fis) {
  const auto [lba, sectors] = range_of(entry, fis);
  if ((fis.device & kDeviceLba) == 0) return fail(kErrorAbrt);
  if (entry.action == Action::media_multiple && multiple_sectors_ == 0) return fail(kErrorAbrt);
  if (!in_range(lba, sectors)) return fail(kErrorIdnf, std::max(lba, capacity_.sectors()));
  busy_ = true;
  submit(entry, kNonQueuedTag, lba, sectors, entry.force_unit_access);
}

void Drive::write_uncorrectable(const CommandEntry& entry, const sata::RegisterH2D& fis) {
  const auto [lba, sectors] = range_of(entry, fis);
  const auto how = static_cast<std::uint8_t>(fis.features);
  if (how != kPseudo && how != kFlagged) return fail(kErrorAbrt);
  if (!in_range(lba, sectors)) return fail(kErrorIdnf, std::max(lba, capacity_.sectors()));
  disk_.forget(now(), {lba, lba + sectors});
  media_.contents().drop_buffered({lba, lba + sectors});
  for (std::uint32_t i = 0; i < sectors; ++i) mark_unreadable(lba + i);
  run_disk();
  succeed();
}

void Drive::submit(const CommandEntry& entry, unsigned tag, std::uint64_t lba, std::uint32_t sectors, bool fua,
                   bool high_priority) {
  Command command;
  command.tag = tag;
  command.operation = to_device(entry.protocol) ? Operation::write : Operation::read;
  command.queued = tag != kNonQueuedTag;
  command.lba = lba;
  command.sectors = sectors;
  command.force_unit_access = fua;
  command.high_priority = high_priority;
  const bool writes = command.operation == Operation::write;
  (writes ? counts_.sectors_written : counts_.sectors_read) += sectors;
  ++(writes ? counts_.write_commands : counts_.read_commands);
  Transfer& transfer = transfers_[tag];
  transfer = Transfer{};
  transfer.entry = &entry;
  transfer.lba = lba;
  transfer.sectors = transfer.left = transfer.readable = sectors;
  command.time_limit = writes ? sct_.write_recovery_limit() : sct_.read_recovery_limit();
  to_disk(command);
}

void Drive::submit_flush(const CommandEntry& entry) {
  Command command;
  command.operation = Operation::flush;
  busy_ = true;
  transfers_[kNonQueuedTag] = Transfer{};
  transfers_[kNonQueuedTag].entry = &entry;
  if (hooked_ != nullptr && hooked_->events[kNonQueuedTag].skip.flush) return flush_done(entry.action);
  disk_.submit(now(), command);
  run_disk();
}

// A disk that stands spins up first, and its commands wait for it.
void Drive::to_disk(const Command& command) {
  if (power_.resting(now())) {
    const sim::Time ready = disk_.outstanding() != 0 ? now() : power_.spin_up(now());
    if (ready > now()) {
      if (waiting_for_spin_up_.empty()) post_at<&Drive::spun_up>(ready);
      return waiting_for_spin_up_.push_back(command);
    }
  }
  power_.used(now());
  disk_.submit(now(), command);
  run_disk();
}

void Drive::spun_up(std::uint64_t) {
  for (const Command& command : waiting_for_spin_up_) disk_.submit(now(), command);
  waiting_for_spin_up_.clear();
  run_disk();
}

// True: the command had not begun, and nothing more is heard of it.
bool Drive::abandon(unsigned tag) {
  const auto waiting = std::find_if(waiting_for_spin_up_.begin(), waiting_for_spin_up_.end(),
                                    [tag](const Command& command) { return command.tag == tag; });
  if (waiting == waiting_for_spin_up_.end()) return disk_.abandon(now(), tag);
  waiting_for_spin_up_.erase(waiting);
  return true;
}

// Blocks of 512 bytes that are not on the media, in either direction.
void Drive::move_buffer(const CommandEntry& entry, unsigned tag, std::vector<std::uint8_t> bytes) {
  Transfer& transfer = transfers_[tag];
  transfer = Transfer{};
  transfer.entry = &entry;
  transfer.sectors = transfer.left = transfer.readable = static_cast<std::uint32_t>(bytes.size() / kSector_bytes);
  transfer.from_media = false;
  buffers_[tag] = std::move(bytes);
  if (tag == kNonQueuedTag) busy_ = true;
  transfer_due(tag);
}

// DATA SET MANAGEMENT: TRIM is features(0); blocks of 64 ranges of LBA(47:0) and a count in 63:48.
void Drive::trim_command(const CommandEntry& entry, const sata::RegisterH2D& fis) {
  const bool fits = fis.count != 0 && fis.count <= profile_.serial_ata.trim_blocks;
  if (fis.features != 1 || !fits) return fail(kErrorAbrt);
  move_buffer(entry, kNonQueuedTag, std::vector<std::uint8_t>(std::size_t{fis.count} * kSector_bytes));
}

// The ranges have come. A trimmed sector reads as it did before it was ever written: the same each time (word 69
// bit 14). Ranges before one that is out of range have taken effect.
void Drive::trimmed(unsigned tag) {
  const std::vector<std::uint8_t>& ranges = buffers_[tag];
  for (std::size_t at = 0; at < ranges.size(); at += 8) {
    const std::uint64_t lba = get(ranges, at, 6);
    const auto sectors = static_cast<std::uint32_t>(get(ranges, at + 6, 2));
    if (!in_range(lba, sectors)) return end_with_error(tag, kErrorIdnf, lba);
    disk_.forget(now(), {lba, lba + sectors});
    media_.contents().discard(lba, sectors);
  }
  if (tag == kNonQueuedTag) return succeed();
  complete_queued(tag);
}

// ---- ends

void Drive::succeed() {
  sata::RegisterD2H fis;
  fis.interrupt = true;
  fis.status = kStatusGood;
  post_success(fis);
}

// Ends a non-queued command, or one that has just been received, with an error.
void Drive::fail(std::uint8_t error, std::uint64_t lba) {
  sata::RegisterD2H fis;
  fis.interrupt = true;
  fis.status = error_status(error);
  fis.error = error;
  fis.lba = lba;
  send_register(fis);
}

// What REQUEST SENSE DATA EXT will tell of this error, if the host wants to know (ACS-3, 7.45, C3h).
std::uint8_t Drive::error_status(std::uint8_t error) {
  if (!settings_.sense_reporting()) return kStatusGood | kStatusErr;
  sense_ = sense_of(error);
  return kStatusGood | kStatusErr | kStatusSense;
}

// The head has come to a sector that it cannot read.
void Drive::media_error(unsigned tag) {
  const Transfer& transfer = transfers_[tag];
  if (tag == kNonQueuedTag) disk_.transferred(now(), tag);
  ready_transfers_.pop_front();
  end_with_error(tag, kErrorUnc, transfer.lba + transfer.readable);
  run_disk();
}

// Where an error is. A 28-bit command has LBA(27:24) in the device field.
void Drive::put_address(sata::RegisterD2H& fis, const CommandEntry* entry, std::uint64_t lba) {
  const bool short_address = entry != nullptr && entry->addressing == Addressing::lba28;
  fis.device = short_address ? static_cast<std::uint8_t>(kDeviceLba | (lba >> 24 & 0x0F)) : kDeviceLba;
  fis.lba = short_address ? lba & 0xFFFFFF : lba;
}

// Ends a command whose data were under way.
void Drive::end_with_error(unsigned tag, std::uint8_t error, std::uint64_t lba) {
  data_phase_ = awaiting_host_data_ = false;
  record_error(error, lba);
  if (tag != kNonQueuedTag) return queued_command_failed(tag, error, lba);
  sata::RegisterD2H fis;
  fis.interrupt = true;
  fis.status = error_status(error);
  fis.error = error;
  put_address(fis, transfers_[tag].entry, lba);
  send_register(fis);
}

// Errors of the media and of the link are logged, those of a host that asks for what there is not are not.
void Drive::record_error(std::uint8_t error, std::uint64_t lba) {
  if ((error & kErrorUnc) != 0) ++counts_.uncorrectable;
  if ((error & kErrorIcrc) != 0) ++counts_.commands_failed_by_crc;
  if (!smart_.records() || (error & (kErrorUnc | kErrorIcrc)) == 0) return;
  smart_.errors().failed({kStatusGood | kStatusErr, error, lba, 0, counts().hours()});
}

}  // namespace ncqlab::drive
