#include "model/drive/ata/smart/error_log.h"

#include <algorithm>

namespace ncqlab::drive {

namespace {

constexpr std::uint8_t kStateActive = 0x03;  // the drive executed a command when the error came

std::uint64_t milliseconds(sim::Time when) { return static_cast<std::uint64_t>(when / sim::kMillisecond); }

// A 48-bit field as the registers hold it: the byte of the lower half before that of the upper half, three times.
void put_interleaved(Bytes& page, std::size_t at, std::uint64_t value) {
  for (unsigned i = 0; i < 3; ++i) {
    page[at + 2 * i] = static_cast<std::uint8_t>(value >> (8 * i));
    page[at + 2 * i + 1] = static_cast<std::uint8_t>(value >> (24 + 8 * i));
  }
}

}  // namespace

void ErrorLog::failed(const Failure& failure) {
  Entry entry;
  for (std::size_t i = 0; i < kCommands; ++i) entry.commands[i] = commands_[(next_ + i) % kCommands];
  entry.failure = failure;
  entries_.push_back(entry);
  if (entries_.size() > kMostErrors) entries_.pop_front();
  ++count_;
}

// 90 bytes: five commands of 12, the error of 30.
void ErrorLog::put_entry(Bytes& page, std::size_t at, const Entry& entry) const {
  for (const Sent& sent : entry.commands) {
    const sata::RegisterH2D& fis = sent.fis;
    page[at] = fis.control;
    put(page, at + 1, fis.features, 1);
    put(page, at + 2, fis.count, 1);
    put(page, at + 3, fis.lba, 3);
    page[at + 6] = fis.device;
    page[at + 7] = fis.command;
    put(page, at + 8, milliseconds(sent.when), 4);
    at += 12;
  }
  const Failure& failure = entry.failure;
  page[at + 1] = failure.error;
  put(page, at + 2, failure.count, 1);
  put(page, at + 3, failure.lba, 3);
  page[at + 6] = kDeviceLba;
  page[at + 7] = failure.status;
  page[at + 27] = kStateActive;
  put(page, at + 28, failure.hours, 2);
}

// 124 bytes: five commands of 18, the error of 34.
void ErrorLog::put_extended_entry(Bytes& page, std::size_t at, const Entry& entry) const {
  for (const Sent& sent : entry.commands) {
    const sata::RegisterH2D& fis = sent.fis;
    page[at] = fis.control;
    put(page, at + 1, fis.features, 2);
    put(page, at + 3, fis.count, 2);
    put_interleaved(page, at + 5, fis.lba);
    page[at + 11] = fis.device;
    page[at + 12] = fis.command;
    put(page, at + 14, milliseconds(sent.when), 4);
    at += 18;
  }
  const Failure& failure = entry.failure;
  page[at + 1] = failure.error;
  put(page, at + 2, failure.count, 2);
  put_interleaved(page, at + 4, failure.lba);
  page[at + 10] = kDeviceLba;
  page[at + 11] = failure.status;
  page[at + 31] = kStateActive;
  put(page, at + 32, failure.hours, 2);
}

Bytes ErrorLog::summary() const {
  constexpr std::size_t kShown = 5;
  Bytes page = empty_pages(1);
  page[0] = 1;
  const std::size_t shown = std::min(entries_.size(), kShown);
  for (std::size_t i = 0; i < shown; ++i) {
    const std::uint64_t number = count_ - shown + i;
    put_entry(page, 2 + number % kShown * 90, entries_[entries_.size() - shown + i]);
  }
  page[1] = static_cast<std::uint8_t>(count_ == 0 ? 0 : (count_ - 1) % kShown + 1);
  put(page, 452, count_, 2);
  set_page_checksum(page);
  return page;
}

Bytes ErrorLog::comprehensive() const {
  Bytes pages = empty_pages(kComprehensivePages);
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const std::uint64_t place = (count_ - entries_.size() + i) % kMostErrors;
    put_entry(pages, place / 5 * kSector_bytes + 2 + place % 5 * 90, entries_[i]);
  }
  pages[0] = 1;
  pages[1] = static_cast<std::uint8_t>(count_ == 0 ? 0 : (count_ - 1) % kMostErrors + 1);
  put(pages, 452, count_, 2);
  for (std::size_t page = 0; page < kComprehensivePages; ++page) set_page_checksum(pages, page * kSector_bytes);
  return pages;
}

Bytes ErrorLog::extended() const {
  Bytes pages = empty_pages(kExtendedPages);
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const std::uint64_t place = (count_ - entries_.size() + i) % kMostErrors;
    put_extended_entry(pages, place / 4 * kSector_bytes + 4 + place % 4 * 124, entries_[i]);
  }
  pages[0] = 1;
  put(pages, 2, count_ == 0 ? 0 : (count_ - 1) % kMostErrors + 1, 2);
  put(pages, 500, count_, 2);
  for (std::size_t page = 0; page < kExtendedPages; ++page) set_page_checksum(pages, page * kSector_bytes);
  return pages;
}

}  // namespace ncqlab::drive
