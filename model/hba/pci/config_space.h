// The configuration space of the controller's function as registers: what reads as what, and what a write changes. What
// follows from it (decoding, bus mastering, interrupts) is PciFunction's to do.
//
// Which capabilities there are is the profile's decision; they are linked in the order MSI, power management, SATA.
#pragma once

#include <cstdint>

#include "model/hba/pci/registers.h"
#include "model/hba/profile.h"
#include "model/hba/register_table.h"

namespace ncqlab::hba::pci {

class ConfigSpace final {
 public:
  static constexpr unsigned kBars = 6;

  explicit ConfigSpace(const ControllerProfile& profile);

  // `offset` is a multiple of 4 below kConfigBytes; only the byte lanes in `lanes` are written.
  std::uint32_t read(std::uint32_t offset) const { return registers_.read(*this, offset); }
  void write(std::uint32_t offset, std::uint32_t value, std::uint32_t lanes) {
    registers_.write(*this, offset, value, lanes);
  }

  // RST#, function level reset, and the way from D3hot to D0.
  void reset() { registers_.power_on(); }

  bool commands(std::uint32_t command_bits) const { return (registers_[kCMD_STS] & command_bits) == command_bits; }
  bool in_d0() const { return (registers_[kPMCS] & kPMCS_PS) == 0; }

  // 0: not there. BAR5 is the only one in memory space.
  std::uint32_t bar_bytes(unsigned bar) const { return bar_bytes_[bar]; }
  std::uint32_t bar_base(unsigned bar) const { return registers_[kBAR0 + 4 * bar] & ~(bar_bytes_[bar] - 1); }

  bool msi_enabled() const { return (registers_[kMSICAP] & kMC_MSIE) != 0; }
  // Of MSI, as powers of two: what MMC asks for, and what MME grants of it.
  unsigned messages_requested() const { return 1U << (registers_[kMSICAP] >> kMC_MMC_shift & 7); }
  unsigned messages_granted() const;
  std::uint64_t message_address() const;
  // The lowest bits of the data are the message's number (PCI 3.0, 6.8.1.6).
  std::uint32_t message_data(unsigned message) const;

  bool index_data_in_config() const { return index_data_in_config_; }

  void set_interrupt_status(bool asserted);
  void set_received_master_abort() { registers_[kCMD_STS] |= kSTS_RMA; }

 private:
  static const Register<ConfigSpace> kTable[];
  void power_written(std::uint32_t before, std::uint32_t ones);
  void set_bars(const PciProfile& pci);
  void link_capabilities(const ControllerProfile& profile);

  RegisterFile<ConfigSpace, kConfigBytes / 4> registers_;
  std::uint32_t bar_bytes_[kBars] = {};
  bool message_64bit_;
  bool index_data_in_config_;
};

}  // namespace ncqlab::hba::pci
