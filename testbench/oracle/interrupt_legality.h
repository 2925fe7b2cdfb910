// Whether interrupts have a cause, as far as registers tell (AHCI 1.3.1):
//   an interrupt is raised      only while GHC.IE is 1 (3.1.2), and a bit of IS may be 1
//   IS.IPS(x) is read as 1      only when PxIE of port x was not 0 since it was last cleared (3.1.3, 3.3.6), or x is
//   the
//                               interrupt of command completion coalescing and that is enabled (11)
//
// Which bits of PxIS are 1 is not followed: when a FIS has its effect the trace does not say.
#pragma once

#include <cstdint>

namespace ncqlab::oracle {

class Complaints;

class InterruptLegality {
 public:
  // Whether the dword at `offset` of the register space, here and below, is one of those that are followed.
  static constexpr bool concerns(std::uint64_t offset) {
    return offset < kFirstPort || (offset & (kPort_bytes - 1)) == kPxIe;
  }
  void register_written(std::uint64_t offset, std::uint64_t value, unsigned bytes);
  void register_read(std::uint64_t offset, std::uint32_t value, Complaints& complain);
  void raised(Complaints& complain) const;

 private:
  // AHCI 1.3.1, 3.
  static constexpr std::uint64_t kFirstPort = 0x100;
  static constexpr std::uint64_t kEndOfPorts = 0x1100;
  static constexpr std::uint64_t kPort_bytes = 0x80;
  static constexpr std::uint64_t kPxIe = 0x14;

  static bool is_interrupt_enable(std::uint64_t offset) {
    return offset >= kFirstPort && offset < kEndOfPorts && concerns(offset);
  }
  void dword_written(std::uint64_t offset, std::uint32_t value);
  void part_written(std::uint64_t offset);
  void set_port(std::uint64_t offset, bool enabled);
  std::uint32_t sources() const { return ports_ | (coalescing_ ? coalesced_ : 0); }

  bool enabled_ = false;                  // GHC.IE
  bool resetting_ = false;                // GHC.HR was written and has not been read as 0
  bool coalescing_ = false;               // CCC_CTL.EN
  std::uint32_t coalesced_ = 0xFFFFFFFF;  // bit CCC_CTL.INT; all until that has been read
  std::uint32_t ports_ = 0;               // those whose PxIE is not 0
  std::uint32_t may_be_set_ = 0;          // bits of IS
};

}  // namespace ncqlab::oracle
