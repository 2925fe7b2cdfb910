// Logs: which feature set serves each, for READ LOG EXT and WRITE LOG EXT and for their SMART forms.
#include "model/drive/ata/drive.h"
#include "model/drive/ata/logs/addresses.h"
#include "model/drive/ata/logs/device_statistics.h"
#include "model/drive/ata/logs/identify_data.h"
#include "model/drive/ata/logs/phy_events.h"

namespace ncqlab::drive {

namespace {

constexpr std::uint16_t kResetPhyEvents = 0x0001;  // features(0) of READ LOG EXT

// READ LOG EXT and its kin: the first page in LBA(39:32) and LBA(15:8).
std::uint16_t log_page_of(std::uint64_t lba) {
  return static_cast<std::uint16_t>((lba >> 8 & 0xFF) | (lba >> 24 & 0xFF00));
}

Bytes slice(const Bytes& log, std::uint32_t page, std::uint32_t pages) {
  const auto first = log.begin() + static_cast<std::ptrdiff_t>(page * kSector_bytes);
  return {first, first + static_cast<std::ptrdiff_t>(pages * kSector_bytes)};
}

}  // namespace

// The whole log; it exists.
Bytes Drive::general_log(std::uint8_t address) {
  if (is_host_log(address)) return host_logs_.read(address);
  switch (address) {
    case kLogErrorExtended:
      return smart_.errors().extended();
    case kLogDeviceStatistics:
      return device_statistics_log(profile_, counts());
    case kLogSelfTestExtended:
      return smart_.tests().extended_log(now());
    case kLogNcqError:
      return ncq_error_log(profile_, ncq_error_);
    case kLogPhyEvents:
      return phy_events_log(counts_, phy_events_base_);
    case kLogNcqNonData:
      return ncq_non_data_log();
    case kLogNcqSendReceive:
      return ncq_send_receive_log(profile_);
    case kLogIdentifyData:
      return identify_data_log(identify());
    case kLogSctCommand:
      return sct_status();
    default:
      return log_directory(profile_, general_log_pages);
  }
}

Bytes Drive::smart_log(std::uint8_t address) {
  if (is_host_log(address)) return host_logs_.read(address);
  switch (address) {
    case kLogErrorSummary:
      return smart_.errors().summary();
    case kLogErrorComprehensive:
      return smart_.errors().comprehensive();
    case kLogSelfTest:
      return smart_.tests().log(now());
    case kLogSctCommand:
      return sct_status();
    default:
      return log_directory(profile_, smart_log_pages);
  }
}

Bytes Drive::sct_status() const {
  if (smart_.tests().running(now())) return sct_.status(Sct::DeviceState::self_test);
  return sct_.status(power_mode() == PowerModes::Mode::standby ? Sct::DeviceState::standby : Sct::DeviceState::active);
}

// `pages` pages; empty when there is no such log or not that many pages, or nothing to read in it.
Bytes Drive::log_pages(std::uint64_t lba, std::uint32_t pages, std::uint16_t features) {
  const auto address = static_cast<std::uint8_t>(lba);
  const std::uint32_t page = log_page_of(lba);
  if (pages == 0 || page + pages > general_log_pages(profile_, address) || address == kLogSctData) return {};
  Bytes bytes = slice(general_log(address), page, pages);
  if (address == kLogPhyEvents && (features & kResetPhyEvents) != 0) phy_events_base_ = counts_;
  return bytes;
}

Answer Drive::read_log(const sata::RegisterH2D& fis) {
  Bytes bytes = log_pages(fis.lba, fis.count, fis.features);
  return bytes.empty() ? refused() : to_host(std::move(bytes));
}

Answer Drive::smart_read_log(const sata::RegisterH2D& fis) {
  const auto address = static_cast<std::uint8_t>(fis.lba);
  const std::uint32_t pages = fis.count & 0xFF;
  if (pages == 0 || pages > smart_log_pages(profile_, address) || address == kLogSctData) return refused();
  return to_host(slice(smart_log(address), 0, pages));
}

// Hosts write the logs of theirs, and commands for SCT.
Answer Drive::write_log(const sata::RegisterH2D& fis) const {
  const auto address = static_cast<std::uint8_t>(fis.lba);
  const std::uint32_t page = log_page_of(fis.lba);
  const bool writable = is_host_log(address) || address == kLogSctCommand;
  if (!writable || fis.count == 0 || page + fis.count > general_log_pages(profile_, address)) return refused();
  return from_host(fis.count);
}

Answer Drive::smart_write_log(const sata::RegisterH2D& fis) const {
  const auto address = static_cast<std::uint8_t>(fis.lba);
  const std::uint32_t pages = fis.count & 0xFF;
  const bool writable = is_host_log(address) || address == kLogSctCommand;
  if (!writable || pages == 0 || pages > smart_log_pages(profile_, address)) return refused();
  return from_host(pages);
}

Answer Drive::log_received(const sata::RegisterH2D& fis, bool smart, const Bytes& bytes) {
  const auto address = static_cast<std::uint8_t>(fis.lba);
  if (address == kLogSctCommand) return sct_.command(bytes);
  host_logs_.write(address, smart ? 0 : log_page_of(fis.lba), bytes);
  return done();
}

}  // namespace ncqlab::drive
