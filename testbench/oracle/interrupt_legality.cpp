#include "testbench/oracle/interrupt_legality.h"

#include "testbench/oracle/device_legality.h"
#include "testbench/oracle/words.h"

namespace ncqlab::oracle {

namespace {

// AHCI 1.3.1, 3.
constexpr std::uint64_t kGhc = 0x04;
constexpr std::uint64_t kIs = 0x08;
constexpr std::uint64_t kCccCtl = 0x14;
constexpr std::uint32_t kGhcReset = 1U << 0;
constexpr std::uint32_t kGhcInterruptEnable = 1U << 1;
constexpr std::uint32_t kCccEnable = 1U << 0;
constexpr unsigned kCccInterrupt_shift = 3;

}  // namespace

void InterruptLegality::register_written(std::uint64_t offset, std::uint64_t value, unsigned bytes) {
  if (bytes < 4) return part_written(offset & ~3ULL);
  dword_written(offset, static_cast<std::uint32_t>(value));
  if (bytes == 8) dword_written(offset + 4, static_cast<std::uint32_t>(value >> 32));
}

void InterruptLegality::dword_written(std::uint64_t offset, std::uint32_t value) {
  if (is_interrupt_enable(offset)) return set_port(offset, value != 0);
  switch (offset) {
    case kGhc:
      resetting_ = resetting_ || (value & kGhcReset) != 0;
      enabled_ = (value & kGhcInterruptEnable) != 0 || resetting_;
      break;
    case kIs:
      may_be_set_ = (may_be_set_ & ~value) | sources();
      break;
    case kCccCtl:
      coalescing_ = (value & kCccEnable) != 0;
      may_be_set_ |= sources();
      break;
    default:
      break;
  }
}

// A part of a register may enable something; what it disables is left out.
void InterruptLegality::part_written(std::uint64_t offset) {
  if (is_interrupt_enable(offset)) return set_port(offset, true);
  if (offset == kGhc) enabled_ = true;
  if (offset == kCccCtl) {
    coalescing_ = true;
    may_be_set_ |= sources();
  }
}

void InterruptLegality::set_port(std::uint64_t offset, bool enabled) {
  const std::uint32_t bit = 1U << (offset - kFirstPort) / kPort_bytes;
  ports_ = enabled ? ports_ | bit : ports_ & ~bit;
  may_be_set_ |= ports_;
}

void InterruptLegality::register_read(std::uint64_t offset, std::uint32_t value, Complaints& complain) {
  switch (offset) {
    case kGhc:
      if (resetting_ && (value & kGhcReset) == 0) *this = InterruptLegality{};
      enabled_ = (value & kGhcInterruptEnable) != 0;
      break;
    case kIs:
      if ((value & ~may_be_set_) != 0) {
        complain("IS shows an interrupt of ports that have none enabled: " + hex(value & ~may_be_set_) +
                 " (AHCI 1.3.1, 3.1.3)");
      }
      break;
    case kCccCtl:
      coalesced_ = 1U << (value >> kCccInterrupt_shift & 0x1F);
      break;
    default:
      break;
  }
}

void InterruptLegality::raised(Complaints& complain) const {
  if (!enabled_) {
    complain("interrupt raised while GHC.IE is 0 (AHCI 1.3.1, 3.1.2)");
  } else if (may_be_set_ == 0) {
    complain("interrupt raised while none is enabled in any PxIE (AHCI 1.3.1, 3.3.6)");
  }
}

}  // namespace ncqlab::oracle
