#include "testbench/fuzz/controller_choice.h"

namespace ncqlab::fuzz {

namespace {

using hba::Capabilities;
using hba::Departures;

constexpr bool Capabilities::*kCapabilities[] = {
    &Capabilities::addresses_64bit,
    &Capabilities::ncq,
    &Capabilities::notification,
    &Capabilities::mechanical_switch,
    &Capabilities::staggered_spin_up,
    &Capabilities::aggressive_link_power,
    &Capabilities::activity_led,
    &Capabilities::command_list_override,
    &Capabilities::ahci_only,
    &Capabilities::port_multiplier,
    &Capabilities::pio_multiple_drq,
    &Capabilities::slumber,
    &Capabilities::partial,
    &Capabilities::command_completion_coalescing,
    &Capabilities::enclosure_management,
    &Capabilities::external_sata,
    &Capabilities::bios_handoff,
    &Capabilities::auto_partial_to_slumber,
    &Capabilities::device_sleep,
    &Capabilities::aggressive_device_sleep,
    &Capabilities::device_sleep_from_slumber_only,
};

constexpr bool Departures::*kDepartures[] = {
    &Departures::tfes_with_fis_bit,
    &Departures::engines_at_once,
    &Departures::silent_comreset,
    &Departures::ignores_clear_busy,
    &Departures::ignores_prd_interrupt,
    &Departures::all_interrupts_enableable,
    &Departures::task_file_waits_for_fis_receive,
    &Departures::short_table_fails_queued_only,
    &Departures::ignores_multiplier_ports,
    &Departures::override_reads_back,
};

template <class Set, std::size_t kCount>
void choose(Set& set, bool Set::*const (&members)[kCount], std::uint32_t bits) {
  for (std::size_t i = 0; i < kCount; ++i) set.*members[i] = (bits >> i & 1) != 0;
}

}  // namespace

hba::ControllerProfile choose_controller(Input& input) {
  hba::ControllerProfile profile;
  profile.name = "fuzz";
  profile.ports = 4;
  profile.ports_implemented = 0x7;
  profile.coalescing_interrupt = 3;
  profile.generation = 3;
  profile.messages = 4;
  profile.pci.io_bar_bytes = {8, 4, 8, 4, 32};
  profile.pci.index_data_pair = true;
  profile.pci.index_data_offset_bytes = 16;
  profile.enclosure = {0x1200, 64, true, true, true, true, false, false};
  profile.latencies.command_fetch = 200 * sim::kNanosecond;
  profile.latencies.fis_processing = 100 * sim::kNanosecond;
  profile.latencies.reset = 10 * sim::kMicrosecond;
  profile.bus.dma_read_latency = 700 * sim::kNanosecond;
  profile.bus.dma_write_latency = 300 * sim::kNanosecond;
  profile.bus.burst_overhead_bytes = 20;

  std::uint32_t capabilities =
      ~0U & ~(1U << 8) & ~(1U << 20);  // all that can be used: no ahci_only, no detour by slumber
  std::uint32_t departures = 0;
  switch (input.byte() % 4) {
    case 0:
      profile.cold_presence_ports = 0x1;
      profile.switched_ports = 0x3;
      profile.hot_plug_ports = 0x7;
      break;
    case 1:
      capabilities = 0x103;  // 64 bits, NCQ, AHCI alone
      departures = ~0U;
      profile.latencies.reset = 0;
      profile.messages = 1;
      break;
    case 2:
      capabilities = 0x100;
      profile.command_slots = 8;
      profile.generation = 1;
      profile.interrupt = hba::InterruptKind::intx;
      profile.bus.full_duplex = false;
      break;
    default:
      capabilities = static_cast<std::uint32_t>(input.little_endian(3));
      departures = static_cast<std::uint32_t>(input.little_endian(2));
      profile.command_slots = 1 + input.byte() % 32;
      profile.cold_presence_ports = input.byte() & 0x7;
      profile.switched_ports = input.byte() & 0x7;
      break;
  }
  choose(profile.capabilities, kCapabilities, capabilities);
  choose(profile.departures, kDepartures, departures);
  return profile;
}

}  // namespace ncqlab::fuzz
