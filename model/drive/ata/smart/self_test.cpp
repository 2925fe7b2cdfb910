#include "model/drive/ata/smart/self_test.h"

#include <algorithm>

namespace ncqlab::drive {

namespace {

constexpr std::uint8_t kOffline = 0;
constexpr std::uint8_t kShort = 1;
constexpr std::uint8_t kExtended = 2;
constexpr std::uint8_t kCaptive = 0x80;

// Results, the upper half of a status byte.
constexpr std::uint8_t kGood = 0x0;
constexpr std::uint8_t kAbortedByHost = 0x1;
constexpr std::uint8_t kInterruptedByReset = 0x2;
constexpr std::uint8_t kReadFailure = 0x7;
constexpr std::uint8_t kInProgress = 0xF;

// Off-line collection, the status: never started, completed, in progress.
constexpr std::uint8_t kNeverCollected = 0x00;
constexpr std::uint8_t kCollected = 0x02;
constexpr std::uint8_t kCollecting = 0x03;

constexpr std::size_t kEntries = 21;
constexpr std::size_t kExtendedEntries = 19;

}  // namespace

sim::Time SelfTests::duration(std::uint8_t number) const {
  switch (number) {
    case kOffline:
      return profile_.smart.offline_collection;
    case kShort:
      return profile_.smart.short_self_test;
    case kExtended:
      return profile_.smart.extended_self_test;
    default:
      return 0;
  }
}

std::optional<sim::Time> SelfTests::start(std::uint8_t number, bool captive, sim::Time now, std::uint16_t hours,
                                          std::optional<std::uint64_t> first_unreadable) {
  const sim::Time takes = duration(number);
  if (takes == 0 || (number == kOffline && captive)) return std::nullopt;
  abort(now, hours);
  if (number == kOffline) {
    offline_done_at_ = now + takes;
    return 0;
  }
  number_ = static_cast<std::uint8_t>(number | (captive ? kCaptive : 0));
  started_ = now;
  planned_ = ends_at_ = now + takes;
  hours_ = hours;
  failing_lba_.reset();
  if (first_unreadable) {
    const double share = static_cast<double>(*first_unreadable + 1) / static_cast<double>(profile_.capacity_sectors);
    const auto reached = started_ + static_cast<sim::Time>(share * static_cast<double>(duration(kExtended)));
    if (reached <= planned_) {
      failing_lba_ = first_unreadable;
      ends_at_ = reached;
    }
  }
  return captive ? ends_at_ - now : 0;
}

std::uint8_t SelfTests::tenths_left(sim::Time now) const {
  if (now >= planned_) return 0;
  const sim::Time tenth = (planned_ - started_ + 9) / 10;
  return static_cast<std::uint8_t>(std::min<sim::Time>(9, (planned_ - now + tenth - 1) / tenth));
}

void SelfTests::settle(sim::Time now) {
  if (number_ == 0 || now < ends_at_) return;
  end(failing_lba_ ? kReadFailure : kGood, failing_lba_ ? tenths_left(ends_at_) : std::uint8_t{0}, hours_);
}

void SelfTests::end(std::uint8_t result, std::uint8_t tenths, std::uint16_t hours) {
  result_ = result;
  result_left_ = tenths;
  if (result != kReadFailure) failing_lba_.reset();
  entries_.push_back({number_, static_cast<std::uint8_t>(result << 4 | tenths), hours, failing_lba_});
  if (entries_.size() > kEntries) entries_.pop_front();
  ++recorded_;
  number_ = 0;
}

void SelfTests::abort(sim::Time now, std::uint16_t hours) {
  settle(now);
  if (number_ != 0) end(kAbortedByHost, tenths_left(now), hours);
  if (offline_done_at_ != sim::kNever && now < offline_done_at_) offline_done_at_ = sim::kNever;
}

void SelfTests::reset(sim::Time now, std::uint16_t hours) {
  settle(now);
  if ((number_ & kCaptive) != 0) end(kInterruptedByReset, tenths_left(now), hours);
}

std::uint8_t SelfTests::status(sim::Time now) const {
  if (running(now)) return static_cast<std::uint8_t>(kInProgress << 4 | tenths_left(now));
  if (number_ == 0) return static_cast<std::uint8_t>(result_ << 4 | result_left_);
  return static_cast<std::uint8_t>(failing_lba_ ? kReadFailure << 4 | tenths_left(ends_at_) : kGood);
}

std::uint8_t SelfTests::offline_status(sim::Time now) const {
  if (offline_done_at_ == sim::kNever) return kNeverCollected;
  return now < offline_done_at_ ? kCollecting : kCollected;
}

Bytes SelfTests::log(sim::Time now) {
  settle(now);
  constexpr std::size_t kEntry_bytes = 24;
  Bytes page = empty_pages(1);
  put(page, 0, 1, 2);
  const std::uint64_t first = recorded_ - entries_.size();
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const Entry& entry = entries_[i];
    const std::size_t at = 2 + (first + i) % kEntries * kEntry_bytes;
    put(page, at, entry.number, 1);
    put(page, at + 1, entry.status, 1);
    put(page, at + 2, entry.hours, 2);
    put(page, at + 5, entry.failing_lba.value_or(0xFFFFFFFF), 4);
  }
  put(page, 508, recorded_ == 0 ? 0 : (recorded_ - 1) % kEntries + 1, 1);
  set_page_checksum(page);
  return page;
}

Bytes SelfTests::extended_log(sim::Time now) {
  settle(now);
  constexpr std::size_t kEntry_bytes = 26;
  Bytes page = empty_pages(1);
  page[0] = 1;
  const std::size_t shown = std::min(entries_.size(), kExtendedEntries);
  const std::uint64_t first = recorded_ - shown;
  for (std::size_t i = 0; i < shown; ++i) {
    const Entry& entry = entries_[entries_.size() - shown + i];
    const std::size_t at = 4 + (first + i) % kExtendedEntries * kEntry_bytes;
    put(page, at, entry.number, 1);
    put(page, at + 1, entry.status, 1);
    put(page, at + 2, entry.hours, 2);
    put(page, at + 5, entry.failing_lba.value_or(0xFFFFFFFFFFFF), 6);
  }
  put(page, 2, recorded_ == 0 ? 0 : (recorded_ - 1) % kExtendedEntries + 1, 2);
  set_page_checksum(page);
  return page;
}

}  // namespace ncqlab::drive
