#include "model/drive/ata/sct/sct.h"

namespace ncqlab::drive {

namespace {

constexpr std::uint16_t kErrorRecoveryControl = 0x0003;
constexpr std::uint16_t kSetTimer = 0x0001;
constexpr std::uint16_t kReturnTimer = 0x0002;

// Extended status codes.
constexpr std::uint16_t kSuccess = 0x0000;
constexpr std::uint16_t kInvalidAction = 0x0001;
constexpr std::uint16_t kInvalidFunction = 0x0004;
constexpr std::uint16_t kInvalidSelection = 0x0005;

}  // namespace

void Sct::power_on() {
  limits_ = {static_cast<std::uint16_t>(profile_.sct.read_recovery_limit),
             static_cast<std::uint16_t>(profile_.sct.write_recovery_limit)};
}

Bytes Sct::status(DeviceState state) const {
  Bytes page = empty_pages(1);
  put(page, 0, 3, 2);  // version of the format
  put(page, 2, 1, 2);  // of the drive's own part
  page[10] = static_cast<std::uint8_t>(state);
  put(page, 14, extended_status_, 2);
  put(page, 16, action_, 2);
  put(page, 18, function_, 2);
  // Temperature now, lowest and highest of this power cycle, lowest and highest ever.
  for (std::size_t i = 200; i < 205; ++i) page[i] = static_cast<std::uint8_t>(profile_.smart.temperature_celsius);
  return page;
}

Answer Sct::command(const Bytes& page) {
  action_ = static_cast<std::uint16_t>(get(page, 0, 2));
  function_ = static_cast<std::uint16_t>(get(page, 2, 2));
  if (action_ != kErrorRecoveryControl) return failed(kInvalidAction);
  return error_recovery_control(page);
}

Answer Sct::failed(std::uint16_t extended_status) {
  extended_status_ = extended_status;
  return refused();
}

// A timer is returned in count(7:0) and LBA(7:0), its lower byte first.
Answer Sct::error_recovery_control(const Bytes& page) {
  const std::uint64_t selection = get(page, 4, 2);
  if (function_ != kSetTimer && function_ != kReturnTimer) return failed(kInvalidFunction);
  if (selection != 1 && selection != 2) return failed(kInvalidSelection);
  std::uint16_t& limit = limits_[selection - 1];
  extended_status_ = kSuccess;
  if (function_ == kSetTimer) {
    limit = static_cast<std::uint16_t>(get(page, 6, 2));
    return done();
  }
  return done_with(limit & 0xFF, limit >> 8);
}

void Sct::identify(IdentifyWords& words) const {
  if (profile_.sct.present) set_bits(words[206], {0, 3});
}

}  // namespace ncqlab::drive
