// What each command does, and how one ends.
#include <algorithm>

#include "model/drive/ata/drive.h"
#include "model/drive/ata/identify.h"

namespace ncqlab::drive {

namespace {

constexpr std::uint32_t kMaxLba28 = 0x0FFFFFFF;

// SMART (ACS-3, clause 7): subcommands, and the key in LBA(23:8).
constexpr std::uint8_t kSmartEnable = 0xD8;
constexpr std::uint8_t kSmartDisable = 0xD9;
constexpr std::uint8_t kSmartReturnStatus = 0xDA;
constexpr std::uint64_t kSmartKey = 0xC24F00;

std::uint64_t little_endian(const std::uint8_t* bytes, unsigned count) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < count; ++i) value |= std::uint64_t{bytes[i]} << (8 * i);
  return value;
}

}  // namespace

void Drive::command(const sata::RegisterH2D& fis) {
  if (!ready_ || soft_reset_ || busy_) return;  // the host must see BSY cleared first
  if (power_mode_ == PowerMode::sleep) return;  // only a reset wakes it (ACS-3, 4.15)
  const CommandEntry* entry = find_command(fis.command);
  if (entry != nullptr && !offers(profile_, entry->needs)) entry = nullptr;
  if (halted_) return command_while_halted(entry, fis);
  if (entry != nullptr && is_queued(*entry)) return queued_command(*entry, fis);
  if (queued_mask_ != 0) return refuse_non_queued_among_queued(fis);
  if (entry == nullptr) return fail(kErrorAbrt);
  non_queued_command(*entry, fis);
}

void Drive::non_queued_command(const CommandEntry& entry, const sata::RegisterH2D& fis) {
  switch (entry.action) {
    case Action::media:
    case Action::media_multiple:
    case Action::verify:
      return media_command(entry, fis);
    case Action::flush:
    case Action::standby:
    case Action::sleep:  // both destage the write cache first
      return submit_flush(entry);
    case Action::idle:
      enter_power_mode(entry.action);
      return succeed();
    case Action::identify:
      return identify(entry);
    case Action::read_log:
      return read_log_command(entry, fis);
    case Action::trim:
      return trim_command(entry, fis);
    case Action::set_features:
      return set_features_command(entry, fis);
    case Action::set_multiple:
      return set_multiple(static_cast<std::uint8_t>(fis.count));
    case Action::check_power:
      return check_power_mode();
    case Action::diagnostic:
      return send_signature(true);
    case Action::native_max:
      return native_max(entry);
    case Action::smart:
      return smart(fis);
    default:
      return fail(kErrorAbrt);
  }
}

void Drive::media_command(const CommandEntry& entry, const sata::RegisterH2D& fis) {
  std::uint64_t lba = fis.lba;
  std::uint32_t sectors = fis.count == 0 ? 65536 : fis.count;
  if (entry.addressing == Addressing::lba28) {
    lba = (fis.lba & 0xFFFFFF) | static_cast<std::uint64_t>(fis.device & 0x0F) << 24;
    const std::uint32_t count = profile_.departures.long_28_bit_counts ? fis.count : fis.count & 0xFFU;
    sectors = count == 0 ? 256 : count;
  }
  if ((fis.device & kDeviceLba) == 0) return fail(kErrorAbrt);
  if (entry.action == Action::media_multiple && multiple_sectors_ == 0) return fail(kErrorAbrt);
  if (!in_range(lba, sectors)) return fail(kErrorIdnf, std::max(lba, profile_.capacity_sectors));
  busy_ = true;
  submit(entry, kNonQueuedTag, lba, sectors, entry.force_unit_access);
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
  power_mode_ = PowerMode::active;
  Transfer& transfer = transfers_[tag];
  transfer = Transfer{};
  transfer.entry = &entry;
  transfer.lba = lba;
  transfer.sectors = transfer.left = transfer.readable = sectors;
  disk_.submit(now(), command);
  run_disk();
}

void Drive::submit_flush(const CommandEntry& entry) {
  Command command;
  command.operation = Operation::flush;
  busy_ = true;
  transfers_[kNonQueuedTag] = Transfer{};
  transfers_[kNonQueuedTag].entry = &entry;
  disk_.submit(now(), command);
  run_disk();
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

void Drive::identify(const CommandEntry& entry) {
  const auto words = identify_words(
      profile_, {disk_.write_cache_enabled(), read_look_ahead_, smart_enabled_, multiple_sectors_, sata_features_});
  move_buffer(entry, kNonQueuedTag, bytes_of(words));
}

// READ LOG EXT and its kin: the address in LBA(7:0), the first page in LBA(39:32) and LBA(15:8).
std::vector<std::uint8_t> Drive::log_pages(std::uint64_t lba, std::uint32_t pages) const {
  const auto page = static_cast<std::uint16_t>((lba >> 8 & 0xFF) | (lba >> 24 & 0xFF00));
  return read_log(profile_, ncq_error_, static_cast<std::uint8_t>(lba), page, pages);
}

void Drive::read_log_command(const CommandEntry& entry, const sata::RegisterH2D& fis) {
  auto bytes = log_pages(fis.lba, fis.count);
  if (bytes.empty()) return fail(kErrorAbrt);
  move_buffer(entry, kNonQueuedTag, std::move(bytes));
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
    const std::uint64_t lba = little_endian(&ranges[at], 6);
    const auto sectors = static_cast<std::uint32_t>(little_endian(&ranges[at + 6], 2));
    if (!in_range(lba, sectors)) return end_with_error(tag, kErrorIdnf, lba);
    contents_.discard(lba, sectors);
  }
  if (tag == kNonQueuedTag) return succeed();
  complete_queued(tag);
}

void Drive::native_max(const CommandEntry& entry) {
  std::uint64_t last = profile_.capacity_sectors - 1;
  sata::RegisterD2H fis;
  fis.interrupt = true;
  fis.status = kStatusGood;
  fis.device = kDeviceLba;
  if (entry.addressing == Addressing::lba28) {
    last = std::min<std::uint64_t>(last, kMaxLba28);
    fis.device = static_cast<std::uint8_t>(kDeviceLba | last >> 24);
    last &= 0xFFFFFF;
  }
  fis.lba = last;
  send_register(fis);
}

void Drive::smart(const sata::RegisterH2D& fis) {
  const auto subcommand = static_cast<std::uint8_t>(fis.features);
  if ((fis.lba & 0xFFFF00) != kSmartKey) return fail(kErrorAbrt);
  if (!smart_enabled_ && subcommand != kSmartEnable) return fail(kErrorAbrt);
  switch (subcommand) {
    case kSmartEnable:
    case kSmartDisable:
      smart_enabled_ = subcommand == kSmartEnable;
      return succeed();
    case kSmartReturnStatus: {  // the key unchanged: no threshold is exceeded
      sata::RegisterD2H status;
      status.interrupt = true;
      status.status = kStatusGood;
      status.lba = kSmartKey;
      return send_register(status);
    }
    default:
      return fail(kErrorAbrt);
  }
}

// ---- ends

// Ends a non-queued command, or one that has just been received, with an error.
void Drive::fail(std::uint8_t error, std::uint64_t lba) {
  sata::RegisterD2H fis;
  fis.interrupt = true;
  fis.status = kStatusGood | kStatusErr;
  fis.error = error;
  fis.lba = lba;
  send_register(fis);
}

// The head has come to a sector that it cannot read.
void Drive::media_error(unsigned tag) {
  const Transfer& transfer = transfers_[tag];
  if (tag == kNonQueuedTag) disk_.transferred(now(), tag);
  ready_transfers_.pop_front();
  end_with_error(tag, kErrorUnc, transfer.lba + transfer.readable);
  run_disk();
}

// Ends a command whose data were under way. A 28-bit command has LBA(27:24) in the device field.
void Drive::end_with_error(unsigned tag, std::uint8_t error, std::uint64_t lba) {
  data_phase_ = awaiting_host_data_ = false;
  if (tag != kNonQueuedTag) return queued_command_failed(tag, error, lba);
  sata::RegisterD2H fis;
  fis.interrupt = true;
  fis.status = kStatusGood | kStatusErr;
  fis.error = error;
  fis.device = kDeviceLba;
  fis.lba = lba;
  if (transfers_[tag].entry->addressing == Addressing::lba28) {
    fis.device = static_cast<std::uint8_t>(kDeviceLba | lba >> 24);
    fis.lba = lba & 0xFFFFFF;
  }
  send_register(fis);
}

}  // namespace ncqlab::drive
