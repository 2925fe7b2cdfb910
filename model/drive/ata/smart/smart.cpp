#include "model/drive/ata/smart/smart.h"

#include <algorithm>

#include "model/drive/ata/smart/attributes.h"

namespace ncqlab::drive {

namespace {

// Subcommands, in the features field.
constexpr std::uint8_t kReadData = 0xD0;
constexpr std::uint8_t kReadThresholds = 0xD1;
constexpr std::uint8_t kAutosave = 0xD2;
constexpr std::uint8_t kSaveAttributes = 0xD3;
constexpr std::uint8_t kExecuteOffline = 0xD4;
constexpr std::uint8_t kEnable = 0xD8;
constexpr std::uint8_t kDisable = 0xD9;
constexpr std::uint8_t kReturnStatus = 0xDA;

// In LBA(23:8): the key, and what stands there instead when something has failed.
constexpr std::uint64_t kKey = 0xC24F00;
constexpr std::uint64_t kFailedKey = 0x2CF400;

constexpr std::uint8_t kAutosaveOff = 0x00;
constexpr std::uint8_t kAutosaveOn = 0xF1;

// LBA(7:0) of EXECUTE OFF-LINE IMMEDIATE
constexpr std::uint8_t kAbortTest = 0x7F;
constexpr std::uint8_t kCaptive = 0x80;

std::uint64_t seconds(sim::Time time) { return static_cast<std::uint64_t>(time / sim::kSecond); }
std::uint64_t minutes(sim::Time time) { return (seconds(time) + 59) / 60; }

}  // namespace

bool SmartFeatures::admits(const sata::RegisterH2D& fis) const {
  return (fis.lba & 0xFFFF00) == kKey && (enabled_ || static_cast<std::uint8_t>(fis.features) == kEnable);
}

Answer SmartFeatures::answer(const sata::RegisterH2D& fis, const Situation& situation) {
  const auto subcommand = static_cast<std::uint8_t>(fis.features);
  switch (subcommand) {
    case kEnable:
    case kDisable:
      enabled_ = subcommand == kEnable;
      return done();
    case kReturnStatus:
      return done_with(0, threshold_exceeded(profile_.smart, situation.counts) ? kFailedKey : kKey);
    default:
      break;
  }
  if (!profile_.smart.present) return refused();
  switch (subcommand) {
    case kReadData:
      return read_data(situation);
    case kReadThresholds:
      return to_host(thresholds_page(profile_.smart));
    case kAutosave: {
      const auto wanted = static_cast<std::uint8_t>(fis.count);
      if (wanted != kAutosaveOff && wanted != kAutosaveOn) return refused();
      autosave_ = wanted == kAutosaveOn;
      return done();
    }
    case kSaveAttributes:  // they are never lost here
      return done();
    case kExecuteOffline:
      return execute_offline(static_cast<std::uint8_t>(fis.lba), situation);
    default:
      return refused();
  }
}

Answer SmartFeatures::read_data(const Situation& situation) const {
  const Smart& smart = profile_.smart;
  Bytes page = attributes_page(smart, situation.counts);
  const std::uint64_t extended = minutes(smart.extended_self_test);
  page[362] = tests_.offline_status(situation.now);
  page[363] = tests_.status(situation.now);
  put(page, 364, std::min<std::uint64_t>(seconds(smart.offline_collection), 0xFFFF), 2);
  page[367] = static_cast<std::uint8_t>((smart.offline_collection != 0 ? 0x01 : 0) |  // EXECUTE OFF-LINE IMMEDIATE
                                        (smart.short_self_test != 0 ? 0x10 : 0));     // self-tests
  put(page, 368, 0x0003, 2);  // saves attributes before it saves power; autosave exists
  page[370] = 0x01;           // errors are logged
  page[372] = static_cast<std::uint8_t>(std::min<std::uint64_t>(minutes(smart.short_self_test), 0xFF));
  page[373] = static_cast<std::uint8_t>(std::min<std::uint64_t>(extended, 0xFF));
  if (extended >= 0xFF) put(page, 375, std::min<std::uint64_t>(extended, 0xFFFF), 2);
  set_page_checksum(page);
  return to_host(std::move(page));
}

// A captive test holds BSY to its end and tells what it found in the key.
Answer SmartFeatures::execute_offline(std::uint8_t what, const Situation& situation) {
  const std::uint16_t hours = situation.counts.hours();
  if (what == kAbortTest) {
    tests_.abort(situation.now, hours);
    return done();
  }
  const bool captive = (what & kCaptive) != 0;
  const auto number = static_cast<std::uint8_t>(what & ~kCaptive);
  const auto takes = tests_.start(number, captive, situation.now, hours, situation.first_unreadable);
  if (!takes) return refused();
  Answer answer = done_with(0, kKey);
  answer.takes = *takes;
  if (captive && tests_.finds_failure()) {
    answer.kind = Answer::Kind::refused;
    answer.error = kErrorAbrt;
    answer.lba = kFailedKey;
  }
  return answer;
}

void SmartFeatures::identify(IdentifyWords& words) const {
  set_bits(words[82], {0});
  if (enabled_) set_bits(words[85], {0});
  if (!profile_.smart.present) return;
  for (const std::size_t word : {84, 87}) set_bits(words[word], {0, 1});  // error log, self-tests
}

}  // namespace ncqlab::drive
