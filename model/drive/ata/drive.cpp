#include "model/drive/ata/drive.h"

#include "model/drive/ata/identify.h"

namespace ncqlab::drive {

namespace {

constexpr std::uint8_t kGood = kStatusDrdy | kStatusDsc;
constexpr std::uint8_t kSoftwareReset = 0x04;  // SRST in the device control register
constexpr std::uint8_t kLbaMode = 0x40;        // device(6)
constexpr std::uint8_t kQueuedFua = 0x80;      // device(7) of FPDMA QUEUED commands

// SET FEATURES (ACS-3, 7.45)
constexpr std::uint8_t kWriteCacheOn = 0x02;
constexpr std::uint8_t kTransferMode = 0x03;
constexpr std::uint8_t kReadLookAheadOff = 0x55;
constexpr std::uint8_t kWriteCacheOff = 0x82;
constexpr std::uint8_t kReadLookAheadOn = 0xAA;

}  // namespace

Drive::Drive(const Profile& profile, const DriveParts& parts)
    : Actor(parts.queue),
      profile_(profile),
      trace_(parts.trace),
      frames_(parts.frames),
      number_(parts.number),
      disk_(profile, parts.tables),
      contents_(parts.factory) {}

// ---- life

void Drive::hardware_reset(sata::Generation generation) {
  generation_ = generation;
  reset_command_layer();
  post_after<&Drive::become_ready>(profile_.interface.ready_after_reset);
}

void Drive::phy_lost() { reset_command_layer(); }

void Drive::reset_command_layer() {
  ready_ = soft_reset_ = halted_ = busy_ = false;
  control_.clear();
  frame_under_way_ = false;
  end_commands();
}

// Nothing more is heard of any command; the disk goes on with what it must finish.
void Drive::end_commands() {
  drop_pending_events();
  queued_mask_ = completed_mask_ = 0;
  ready_transfers_.clear();
  awaiting_host_data_ = false;
  disk_events_.clear();
  disk_.abandon_commands(now());
  run_disk();
}

void Drive::become_ready(std::uint64_t) { send_signature(); }

// The signature of an ATA device after a successful diagnostic (ACS-3, 9.2; SATA 3.x, 11.3): count 1, LBA 1, error 01h.
void Drive::send_signature() {
  ready_ = true;
  sata::RegisterD2H signature;
  signature.status = kGood;
  signature.error = 0x01;
  signature.lba = 1;
  signature.count = 1;
  control_.push_back(sata::encode(frames_, signature));
  pump();
}

// ---- commands

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
  } else if (!reset && soft_reset_) {
    soft_reset_ = false;
    post_after<&Drive::become_ready>(0);
  }
}

void Drive::command(const sata::RegisterH2D& fis) {
  if (!ready_ || soft_reset_ || busy_) return;  // the host must see BSY cleared first
  const CommandEntry* entry = find_command(fis.command);
  if (halted_) return fail(kErrorAbrt);
  // A non-queued command among queued ones is an error that ends them all (SATA 3.x, 13.6.3).
  const bool queued = entry != nullptr && entry->addressing == Addressing::queued && profile_.interface.ncq;
  if (!queued && queued_mask_ != 0) return halt(kErrorAbrt);
  if (queued) return queued_command(*entry, fis);
  const bool supported = entry != nullptr && entry->addressing != Addressing::queued;
  return supported ? non_queued_command(*entry, fis) : fail(kErrorAbrt);
}

void Drive::queued_command(const CommandEntry& entry, const sata::RegisterH2D& fis) {
  const unsigned tag = fis.count >> 3 & 0x1F;
  if (tag >= profile_.interface.queue_depth || (queued_mask_ >> tag & 1) != 0) return halt(kErrorAbrt);
  const std::uint32_t sectors = fis.features == 0 ? 65536 : fis.features;
  if (fis.lba + sectors > profile_.capacity_sectors) return halt(kErrorIdnf);
  queued_mask_ |= 1U << tag;
  send_register(kStatusDrdy, 0, false);  // accepted: BSY is released (13.6.4.1)
  submit(entry, tag, fis.lba, sectors, (fis.device & kQueuedFua) != 0);
}

void Drive::non_queued_command(const CommandEntry& entry, const sata::RegisterH2D& fis) {
  if (entry.opcode == kIdentifyDevice) {
    const auto words = identify_words(profile_, {disk_.write_cache_enabled(), read_look_ahead_});
    for (std::size_t i = 0; i < words.size(); ++i) {
      identify_data_[2 * i] = static_cast<std::uint8_t>(words[i]);
      identify_data_[2 * i + 1] = static_cast<std::uint8_t>(words[i] >> 8);
    }
    busy_ = true;
    transfers_[kNonQueuedTag] = {&entry, 0, 1, 0, false, false};
    return transfer_due(kNonQueuedTag);
  }
  if (entry.opcode == kSetFeatures) {
    const auto feature = static_cast<std::uint8_t>(fis.features);
    if (!set_features(feature)) return fail(kErrorAbrt);
    // The write cache is flushed before it counts as off (ACS-3, 7.45).
    if (feature == kWriteCacheOff) return submit(entry, kNonQueuedTag, 0, 0, false);
    return send_register(kGood, 0, true);
  }
  if (entry.addressing == Addressing::none) return submit(entry, kNonQueuedTag, 0, 0, false);

  std::uint64_t lba = fis.lba;
  std::uint32_t sectors = fis.count == 0 ? 65536 : fis.count;
  if (entry.addressing == Addressing::lba28) {
    lba = (fis.lba & 0xFFFFFF) | static_cast<std::uint64_t>(fis.device & 0x0F) << 24;
    sectors = (fis.count & 0xFF) == 0 ? 256 : fis.count & 0xFF;
  }
  if ((fis.device & kLbaMode) == 0) return fail(kErrorAbrt);
  if (lba + sectors > profile_.capacity_sectors) return fail(kErrorIdnf);
  submit(entry, kNonQueuedTag, lba, sectors, entry.force_unit_access);
}

void Drive::submit(const CommandEntry& entry, unsigned tag, std::uint64_t lba, std::uint32_t sectors, bool fua) {
  Command command;
  command.tag = tag;
  command.queued = tag != kNonQueuedTag;
  command.lba = lba;
  command.sectors = sectors;
  command.force_unit_access = fua;
  switch (entry.protocol) {
    case Protocol::non_data:
      command.operation = Operation::flush;
      break;
    case Protocol::pio_in:
    case Protocol::dma_in:
    case Protocol::queued_in:
      command.operation = Operation::read;
      break;
    case Protocol::pio_out:
    case Protocol::dma_out:
    case Protocol::queued_out:
      command.operation = Operation::write;
      break;
  }
  busy_ = !command.queued;
  transfers_[tag] = {&entry, lba, sectors, 0, false, true};
  disk_.submit(now(), command);
  run_disk();
}

// SET FEATURES (ACS-3, 7.45): write cache and read look-ahead on and off; a transfer mode is accepted and means
// nothing on SATA.
bool Drive::set_features(std::uint8_t feature) {
  switch (feature) {
    case kWriteCacheOn:
    case kWriteCacheOff:
      disk_.set_write_cache(feature == kWriteCacheOn);
      return true;
    case kReadLookAheadOn:
    case kReadLookAheadOff:
      read_look_ahead_ = feature == kReadLookAheadOn;
      disk_.set_read_ahead(read_look_ahead_);
      return true;
    case kTransferMode:
      return true;
    default:
      return false;
  }
}

// Ends the command that has just been received with an error.
void Drive::fail(std::uint8_t error) { send_register(kGood | kStatusErr, error, true); }

// The same for a malformed queued command and for what must not come among queued ones: those outstanding end with it,
// and the queue halts (SATA 3.x, 13.6.6).
void Drive::halt(std::uint8_t error) {
  halted_ = true;
  end_commands();
  fail(error);
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
  Transfer& transfer = transfers_[tag];
  trace_.record({now(), sim::Kind::drive, number_, static_cast<std::uint64_t>(happening.what), tag, transfer.lba});
  switch (happening.what) {
    case Happening::What::data_scheduled: {
      // The transfer begins so that the link, once it has begun, need not wait for the media.
      const std::uint64_t bits = static_cast<std::uint64_t>(transfer.sectors) * kSector_bytes * 10;
      const sim::Time on_link = sim::transfer_time(bits, 1'500'000'000ULL << (generation_ - 1));
      const std::uint32_t first_frame = std::min(transfer.sectors, sata::kMaxDataPayload_bytes / kSector_bytes);
      const sim::Time begin =
          std::max(disk_.available(tag, first_frame), disk_.available(tag, transfer.sectors) - on_link);
      if (begin > now()) return post_at<&Drive::transfer_due>(begin, tag);
      return transfer_due(tag);
    }
    case Happening::What::buffer_ready:
      return transfer_due(tag);
    case Happening::What::done:
      return command_done(tag);
  }
}

void Drive::command_done(unsigned tag) {
  if (tag != kNonQueuedTag) {
    completed_mask_ |= 1U << tag;
    return pump();
  }
  send_register(kGood, 0, true);
}

}  // namespace ncqlab::drive
