#include "model/hba/pci/config_space.h"

#include <algorithm>

namespace ncqlab::hba::pci {

namespace {
constexpr std::uint32_t kCommandWritable = kCMD_IOSE | kCMD_MSE | kCMD_BME | kCMD_PEE | kCMD_SEE | kCMD_ID;

unsigned log2_of(unsigned power_of_two) {
  unsigned exponent = 0;
  while (1U << exponent < power_of_two) ++exponent;
  return exponent;
}
}  // namespace

// name, offset, reset, RW, RW1C, RW1S, survives HBA reset, read, written. What the profile decides is put in by the
// constructor: identity, sizes of BARs, links between capabilities.
const Register<ConfigSpace> ConfigSpace::kTable[] = {
    {"ID", kID, 0, 0, 0, 0, true, nullptr, nullptr},
    {"CMD, STS", kCMD_STS, kSTS_CL, kCommandWritable, kSTS_clearable, 0, true, nullptr, nullptr},
    {"RID, CC", kRID_CC, kClass_AHCI << 8, 0, 0, 0, true, nullptr, nullptr},
    {"CLS, MLT, HTYPE, BIST", kCLS_MLT_HTYPE_BIST, 0, 0xFF, 0, 0, true, nullptr, nullptr},
    {"BAR0", kBAR0, 0, 0xFFFFFFFF, 0, 0, true, nullptr, nullptr},
    {"BAR1", kBAR0 + 4, 0, 0xFFFFFFFF, 0, 0, true, nullptr, nullptr},
    {"BAR2", kBAR0 + 8, 0, 0xFFFFFFFF, 0, 0, true, nullptr, nullptr},
    {"BAR3", kBAR0 + 12, 0, 0xFFFFFFFF, 0, 0, true, nullptr, nullptr},
    {"BAR4", kBAR0 + 16, 0, 0xFFFFFFFF, 0, 0, true, nullptr, nullptr},
    {"ABAR", kABAR, 0, 0xFFFFFFFF, 0, 0, true, nullptr, nullptr},
    {"SS", kSS, 0, 0, 0, 0, true, nullptr, nullptr},
    {"EROM", kEROM, 0, 0, 0, 0, true, nullptr, nullptr},
    {"CAP", kCAP, 0, 0, 0, 0, true, nullptr, nullptr},
    {"INTR, MGNT, MLAT", kINTR, 0, 0xFF, 0, 0, true, nullptr, nullptr},
    {"PID, PC", kPMCAP, kPC_VS | kCapability_power_management, 0, 0, 0, true, nullptr, nullptr},
    {"PMCS", kPMCS, 0, kPMCS_PS, 0, 0, true, nullptr, &ConfigSpace::power_written},
    {"MID, MC", kMSICAP, kCapability_MSI, kMC_MSIE | kMC_MME, 0, 0, true, nullptr, nullptr},
    {"MA", kMSI_MA, 0, 0xFFFFFFFC, 0, 0, true, nullptr, nullptr},
    {"MUA", kMSI_MUA, 0, 0xFFFFFFFF, 0, 0, true, nullptr, nullptr},
    {"MD", kMSI_MD, 0, 0xFFFF, 0, 0, true, nullptr, nullptr},
    {"MAP, PCS", kMAP_PCS, 0, 0x00FF0000, 0, 0, true, nullptr, nullptr},
    {"SATACR0", kSATACR0, kSATACR0_revision_1_0 | kCapability_SATA, 0, 0, 0, true, nullptr, nullptr},
    {"SATACR1", kSATACR1, 0, 0, 0, 0, true, nullptr, nullptr},
};

ConfigSpace::ConfigSpace(const ControllerProfile& profile)
    : registers_(kTable),
      message_64bit_(profile.capabilities.addresses_64bit),
      index_data_in_config_(profile.pci.index_data_pair && profile.pci.io_bar_bytes[4] == 0) {
  const PciProfile& pci = profile.pci;
  registers_.set_initial(kID, std::uint32_t{pci.device} << 16 | pci.vendor);
  registers_.set_initial(kRID_CC, kClass_AHCI << 8 | pci.revision);
  registers_.set_initial(kSS, std::uint32_t{pci.subsystem} << 16 | pci.subsystem_vendor);
  registers_.set_initial(kINTR, pci.interrupt_pin << 8);
  if (pci.vendor == kVendor_Intel) {
    // MAP.SMS: AHCI. PCS: firmware has enabled the ports; drivers of Intel's chipsets write it again.
    const std::uint32_t ports = (profile.ports_implemented & 0xFF) << 16;
    registers_.set_initial(kMAP_PCS, ports | 0x40);
    registers_.withhold(kMAP_PCS, ~ports);
  } else {
    registers_.remove(kMAP_PCS);
  }
  set_bars(pci);
  link_capabilities(profile);
}

// PCI 3.0, 6.2.5.1: the bits below a BAR's size are read only 0, so that writing all ones tells the size.
void ConfigSpace::set_bars(const PciProfile& pci) {
  bool io = false;
  for (unsigned bar = 0; bar < pci.io_bar_bytes.size(); ++bar) {
    bar_bytes_[bar] = pci.io_bar_bytes[bar];
    if (bar_bytes_[bar] == 0) {
      registers_.remove(kBAR0 + 4 * bar);
      continue;
    }
    io = true;
    registers_.set_initial(kBAR0 + 4 * bar, 1);  // RTE: I/O space
    registers_.withhold(kBAR0 + 4 * bar, bar_bytes_[bar] - 1);
  }
  if (!io) registers_.withhold(kCMD_STS, kCMD_IOSE);
  bar_bytes_[5] = pci.register_bar_bytes;
  registers_.withhold(kABAR, bar_bytes_[5] - 1);
}

void ConfigSpace::link_capabilities(const ControllerProfile& profile) {
  std::uint32_t next = 0;
  const auto link = [&](std::uint32_t offset, std::uint32_t more) {
    registers_.set_initial(offset, registers_[offset] | next << 8 | more);
    next = offset;
  };
  if (profile.pci.index_data_pair) {
    link(kSATACR0, 0);
    const std::uint32_t offset_dwords = profile.pci.index_data_offset_bytes / 4;
    registers_.set_initial(kSATACR1, index_data_in_config_
                                         ? kSATACR1_BARLOC_config
                                         : kSATACR1_BARLOC_BAR4 | offset_dwords << kSATACR1_BAROFST_shift);
  } else {
    registers_.remove(kSATACR0);
    registers_.remove(kSATACR1);
  }
  if (profile.pci.power_management) {
    link(kPMCAP, 0);
  } else {
    registers_.remove(kPMCAP);
    registers_.remove(kPMCS);
  }
  if (profile.interrupt == InterruptKind::msi) {
    link(kMSICAP, log2_of(profile.messages) << kMC_MMC_shift | (message_64bit_ ? kMC_C64 : 0));
    if (!message_64bit_) {
      registers_.withhold(kMSI_MUA, 0xFFFF0000);  // MD stands here
      registers_.remove(kMSI_MD);
    }
  } else {
    for (const std::uint32_t offset : {kMSICAP, kMSI_MA, kMSI_MUA, kMSI_MD}) registers_.remove(offset);
  }
  registers_.set_initial(kCAP, next);
  if (next == 0) registers_.set_initial(kCMD_STS, 0);
}

// D1 and D2 are not supported: such a write is taken from the bus and changes nothing (2.2.3).
void ConfigSpace::power_written(std::uint32_t before, std::uint32_t /*ones*/) {
  const std::uint32_t state = registers_[kPMCS] & kPMCS_PS;
  if (state != 0 && state != kPMCS_PS_D3) registers_[kPMCS] = before;
}

unsigned ConfigSpace::messages_granted() const {
  const unsigned enabled = 1U << ((registers_[kMSICAP] & kMC_MME) >> kMC_MME_shift);
  return std::min(enabled, messages_requested());
}

std::uint64_t ConfigSpace::message_address() const {
  return registers_[kMSI_MA] | (message_64bit_ ? std::uint64_t{registers_[kMSI_MUA]} << 32 : 0);
}

std::uint32_t ConfigSpace::message_data(unsigned message) const {
  const std::uint32_t data = registers_[message_64bit_ ? kMSI_MD : kMSI_MUA] & 0xFFFF;
  return (data & ~(messages_granted() - 1)) | message;
}

void ConfigSpace::set_interrupt_status(bool asserted) {
  registers_[kCMD_STS] = (registers_[kCMD_STS] & ~kSTS_IS) | (asserted ? kSTS_IS : 0);
}

}  // namespace ncqlab::hba::pci
