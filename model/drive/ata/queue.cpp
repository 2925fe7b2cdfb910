// The queue: queued commands on their way in, its management by NCQ NON-DATA, and its errors.
//
// An error halts the queue (SATA 3.x, 13.6.6 and 11.15, DFPDMAQ11 to DFPDMAQ15): all that is outstanding is aborted,
// and everything but reading log 10h and a reset is refused until one of them has happened.
#include <algorithm>

#include "model/drive/ata/drive.h"

namespace ncqlab::drive {

namespace {

constexpr std::uint32_t kAllTags = 0xFFFFFFFF;
// PRIO, count(15:14): an isochronous command, and one of high priority.
constexpr std::uint8_t kStreaming = 1;
constexpr unsigned kHighPriority = 2;

// NCQ NON-DATA: features(3:0), and for the first features(7:4).
constexpr unsigned kAbortQueue = 0x0;
constexpr unsigned kDeadlineHandling = 0x1;
constexpr unsigned kSetFeatures = 0x5;
enum class AbortType : unsigned { all, streaming, non_streaming, selected };

// SEND and RECEIVE FPDMA QUEUED: count(12:8).
constexpr unsigned kSendDataSetManagement = 0x00;
constexpr unsigned kReceiveReadLogDmaExt = 0x01;

unsigned tag_of(const sata::RegisterH2D& fis) { return fis.count >> 3 & 0x1F; }
unsigned subcommand_of(const sata::RegisterH2D& fis) { return fis.count >> 8 & 0x1F; }

}  // namespace

void Drive::queued_command(const CommandEntry& entry, const sata::RegisterH2D& fis) {
  const unsigned tag = tag_of(fis);
  if (tag >= profile_.interface.queue_depth || (queued_mask_ >> tag & 1) != 0) return refuse_queued(fis, kErrorAbrt);
  if (entry.action == Action::manage_queue) return manage_queue(tag, fis);
  if (entry.action == Action::queued_trim) return send_queued(entry, tag, fis);
  if (entry.action == Action::queued_read_log) return receive_queued(entry, tag, fis);
  const std::uint32_t sectors = fis.features == 0 ? 65536 : fis.features;
  if (barred(entry)) return refuse_queued(fis, kErrorAbrt);
  if (!in_range(fis.lba, sectors)) return refuse_queued(fis, kErrorIdnf);
  accept(tag);
  if (hooked_ != nullptr) return hook_execute(tag, fis);
  start_queued(entry, tag, fis);
}

void Drive::start_queued(const CommandEntry& entry, unsigned tag, const sata::RegisterH2D& fis) {
  const std::uint32_t sectors = fis.features == 0 ? 65536 : fis.features;
  submit(entry, tag, fis.lba, sectors, (fis.device & kDeviceFua) != 0, fis.count >> 14 == kHighPriority);
  transfers_[tag].priority = static_cast<std::uint8_t>(fis.count >> 14);
}

// BSY is released (13.6.4.1).
void Drive::accept(unsigned tag) {
  queued_mask_ |= 1U << tag;
  send_register(kStatusDrdy, 0, false);
}

void Drive::complete_queued(unsigned tag) {
  if (hooked_ != nullptr && hook_done(tag)) return;
  completed_mask_ |= 1U << tag;
  pump();
}

// ---- management

void Drive::manage_queue(unsigned tag, const sata::RegisterH2D& fis) {
  switch (fis.features & 0xF) {
    case kAbortQueue:
      if (!abort_queue(tag, fis)) return refuse_queued(fis, kErrorAbrt);
      return;
    case kDeadlineHandling:
      // WDNC and RDNC say whether a streaming command goes on after its deadline. Here it always does.
      break;
    case kSetFeatures:
      // The parameters of SET FEATURES in features(15:8) and count(15:8).
      if (!set_at_once(static_cast<std::uint8_t>(fis.features >> 8), static_cast<std::uint8_t>(fis.count >> 8))) {
        return refuse_queued(fis, kErrorAbrt);
      }
      break;
    default:
      return refuse_queued(fis, kErrorAbrt);
  }
  accept(tag);
  complete_queued(tag);
}

// What takes time, as a flush does, cannot go this way.
bool Drive::set_at_once(std::uint8_t feature, std::uint8_t count) {
  const Answer answer = set_features(feature, count);
  return answer.kind == Answer::Kind::done && answer.takes <= 0;
}

// ABORT NCQ QUEUE: one Set Device Bits answers it and what it aborted. A command of which the head or the link has
// hold is not aborted any more and ends as it would have.
bool Drive::abort_queue(unsigned tag, const sata::RegisterH2D& fis) {
  const unsigned type = fis.features >> 4 & 0xF;
  const auto target = static_cast<unsigned>(fis.lba >> 3 & 0x1F);
  if (type > static_cast<unsigned>(AbortType::selected)) return false;
  const auto abort_type = static_cast<AbortType>(type);
  if (abort_type == AbortType::selected && (target == tag || target >= profile_.interface.queue_depth)) return false;
  for (unsigned other = 0; other < profile_.interface.queue_depth; ++other) {
    if (((queued_mask_ & ~completed_mask_) >> other & 1) == 0) continue;
    const bool streaming = transfers_[other].priority == kStreaming;
    const bool wanted = abort_type == AbortType::all || (abort_type == AbortType::streaming && streaming) ||
                        (abort_type == AbortType::non_streaming && !streaming) ||
                        (abort_type == AbortType::selected && other == target);
    if (wanted && transfers_[other].from_media && abandon(other)) completed_mask_ |= 1U << other;
  }
  accept(tag);
  complete_queued(tag);
  run_disk();
  return true;
}

// SEND FPDMA QUEUED: DATA SET MANAGEMENT, TRIM in auxiliary(0).
void Drive::send_queued(const CommandEntry& entry, unsigned tag, const sata::RegisterH2D& fis) {
  const unsigned blocks = fis.features;
  const bool fits = blocks != 0 && blocks <= profile_.serial_ata.trim_blocks;
  if (barred(entry) || subcommand_of(fis) != kSendDataSetManagement || (fis.auxiliary & 1) == 0 || !fits) {
    return refuse_queued(fis, kErrorAbrt);
  }
  accept(tag);
  move_buffer(entry, tag, std::vector<std::uint8_t>(std::size_t{blocks} * kSector_bytes));
}

// RECEIVE FPDMA QUEUED: READ LOG DMA EXT.
void Drive::receive_queued(const CommandEntry& entry, unsigned tag, const sata::RegisterH2D& fis) {
  Bytes bytes = log_pages(fis.lba, fis.features, 0);
  if (subcommand_of(fis) != kReceiveReadLogDmaExt || bytes.empty()) return refuse_queued(fis, kErrorAbrt);
  accept(tag);
  move_buffer(entry, tag, std::move(bytes));
}

// ---- errors

// A malformed queued command is answered before it is in the queue, so by a Register FIS (DFPDMAQ12).
void Drive::refuse_queued(const sata::RegisterH2D& fis, std::uint8_t error) {
  const std::uint64_t lba = error == kErrorIdnf ? std::max(fis.lba, capacity_.sectors()) : fis.lba;
  halt_queue(
      {false, static_cast<std::uint8_t>(tag_of(fis)), kStatusGood | kStatusErr, error, lba, fis.device, fis.count});
  fail(error, lba);
}

// So is a non-queued command that must not come now (DFPDMAQ12); no tag is at fault.
void Drive::refuse_non_queued_among_queued(const sata::RegisterH2D& fis) {
  halt_queue({true, 0, kStatusGood | kStatusErr, kErrorAbrt, fis.lba, fis.device, fis.count});
  fail(kErrorAbrt);
}

// A command that was accepted fails by a Set Device Bits with ERR, which also names those that had completed
// (DFPDMAQ11).
void Drive::queued_command_failed(unsigned tag, std::uint8_t error, std::uint64_t lba) {
  sata::SetDeviceBits fis;
  fis.interrupt = true;
  fis.status = kStatusDrdy | kStatusErr;
  fis.error = error;
  fis.active = completed_mask_;
  const auto count = static_cast<std::uint16_t>(transfers_[tag].priority << 14 | tag << 3);
  halt_queue({false, static_cast<std::uint8_t>(tag), fis.status, error, lba, kDeviceLba, count});
  control_.push_back(sata::encode(frames_, fis));
  pump();
}

void Drive::halt_queue(const NcqError& error) {
  halted_ = true;
  ncq_error_ = error;
  end_commands();
}

// Reading log 10h clears all tags at the host by a Set Device Bits first; then the queue runs again (DFPDMAQ14 and 15).
// Everything else is refused once more (DFPDMAQ12).
void Drive::command_while_halted(const CommandEntry* entry, const sata::RegisterH2D& fis) {
  const bool reads_log = entry != nullptr && entry->action == Action::read_log;
  if (!reads_log || static_cast<std::uint8_t>(fis.lba) != kLogNcqError || log_pages(fis.lba, fis.count, 0).empty()) {
    return fail(kErrorAbrt);
  }
  halted_ = false;
  sata::SetDeviceBits clear;
  clear.status = kStatusDrdy;
  clear.active = kAllTags;
  control_.push_back(sata::encode(frames_, clear));
  carry_out(*entry, answer(*entry, fis));
}

}  // namespace ncqlab::drive
