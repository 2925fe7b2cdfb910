#include "model/hba/capabilities.h"

#include <stdexcept>

#include "model/hba/ahci.h"

namespace ncqlab::hba {

namespace {

template <class Owner>
struct Bit {
  bool Owner::*member;
  std::uint32_t bit;
};

constexpr Bit<Capabilities> kCapBits[] = {
    {&Capabilities::addresses_64bit, kCAP_S64A},
    {&Capabilities::ncq, kCAP_SNCQ},
    {&Capabilities::notification, kCAP_SSNTF},
    {&Capabilities::mechanical_switch, kCAP_SMPS},
    {&Capabilities::staggered_spin_up, kCAP_SSS},
    {&Capabilities::aggressive_link_power, kCAP_SALP},
    {&Capabilities::activity_led, kCAP_SAL},
    {&Capabilities::command_list_override, kCAP_SCLO},
    {&Capabilities::ahci_only, kCAP_SAM},
    {&Capabilities::port_multiplier, kCAP_SPM},
    {&Capabilities::pio_multiple_drq, kCAP_PMD},
    {&Capabilities::slumber, kCAP_SSC},
    {&Capabilities::partial, kCAP_PSC},
    {&Capabilities::command_completion_coalescing, kCAP_CCCS},
    {&Capabilities::enclosure_management, kCAP_EMS},
    {&Capabilities::external_sata, kCAP_SXS},
};

constexpr Bit<Capabilities> kCap2Bits[] = {
    {&Capabilities::bios_handoff, kCAP2_BOH},
    {&Capabilities::auto_partial_to_slumber, kCAP2_APST},
    {&Capabilities::device_sleep, kCAP2_SDS},
    {&Capabilities::aggressive_device_sleep, kCAP2_SADM},
    {&Capabilities::device_sleep_from_slumber_only, kCAP2_DESO},
};

constexpr Bit<EnclosureProfile> kEnclosureBits[] = {
    {&EnclosureProfile::led, kEM_CTL_SUPP_LED},
    {&EnclosureProfile::safte, kEM_CTL_SUPP_SAFTE},
    {&EnclosureProfile::ses2, kEM_CTL_SUPP_SES2},
    {&EnclosureProfile::sgpio, kEM_CTL_SUPP_SGPIO},
    {&EnclosureProfile::transmit_only, kEM_CTL_ATTR_XMT},
    {&EnclosureProfile::activity_led_in_hardware, kEM_CTL_ATTR_ALHD},
};

template <class Owner, std::size_t kBits>
std::uint32_t bits_of(const Owner& owner, const Bit<Owner> (&bits)[kBits]) {
  std::uint32_t value = 0;
  for (const Bit<Owner>& bit : bits) {
    if (owner.*bit.member) value |= bit.bit;
  }
  return value;
}

bool power_of_two(std::uint32_t value) { return value != 0 && (value & (value - 1)) == 0; }

}  // namespace

std::uint32_t cap_register(const ControllerProfile& profile) {
  return bits_of(profile.capabilities, kCapBits) | (profile.ports - 1) | (profile.command_slots - 1) << kCAP_NCS_shift |
         profile.generation << kCAP_ISS_shift;
}

std::uint32_t cap2_register(const ControllerProfile& profile) { return bits_of(profile.capabilities, kCap2Bits); }

std::uint32_t em_loc_register(const ControllerProfile& profile) {
  if (!profile.capabilities.enclosure_management) return 0;
  return profile.enclosure.buffer_offset_bytes / 4 << kEM_LOC_OFST_shift | profile.enclosure.buffer_bytes / 4;
}

std::uint32_t em_ctl_register(const ControllerProfile& profile) {
  return profile.capabilities.enclosure_management ? bits_of(profile.enclosure, kEnclosureBits) : 0;
}

void check_profile(const ControllerProfile& profile) {
  const auto demand = [&](bool holds, const char* what) {
    if (!holds) throw std::invalid_argument("controller profile " + profile.name + ": " + what);
  };
  demand(profile.ports >= 1 && profile.ports <= kMaxPorts, "ports are 1 to 32");
  demand(profile.command_slots >= 1 && profile.command_slots <= 32, "command slots are 1 to 32");
  demand(profile.generation >= 1 && profile.generation <= 3, "the generation is 1 to 3");
  demand(std::uint64_t{profile.ports_implemented} >> profile.ports == 0, "a port beyond the ports is implemented");
  demand(power_of_two(profile.messages) && profile.messages <= 32, "messages are 1, 2, 4, 8, 16 or 32");
  const std::uint32_t space = profile.pci.register_bar_bytes;
  demand(power_of_two(space) && space >= kPortsBase + profile.ports * kPortBytes,
         "BAR5 is a power of two that holds the ports' registers");
  for (const std::uint32_t bytes : profile.pci.io_bar_bytes) {
    demand(bytes == 0 || (power_of_two(bytes) && bytes >= 4), "an I/O BAR has a power of two of bytes, from 4");
  }
  if (profile.capabilities.command_completion_coalescing) {
    demand(profile.coalescing_interrupt < 32 && (profile.ports_implemented >> profile.coalescing_interrupt & 1) == 0,
           "the coalescing interrupt is a port that is not implemented");
  }
  if (profile.capabilities.enclosure_management) {
    const EnclosureProfile& enclosure = profile.enclosure;
    const std::uint64_t buffers = std::uint64_t{enclosure.buffer_bytes} * (enclosure.transmit_only ? 1 : 2);
    demand(enclosure.buffer_offset_bytes % 4 == 0 && enclosure.buffer_bytes % 4 == 0 && enclosure.buffer_bytes != 0,
           "the enclosure's message buffer consists of dwords");
    demand(enclosure.buffer_offset_bytes >= kPortsBase + profile.ports * kPortBytes &&
               enclosure.buffer_offset_bytes + buffers <= space,
           "the enclosure's message buffer lies between the ports' registers and the end of BAR5");
  }
}

}  // namespace ncqlab::hba
