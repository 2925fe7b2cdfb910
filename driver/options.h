// What a caller chooses, what he is told: options, port states, counters.
#pragma once

#include <cstdint>

namespace ncqlab::driver {

struct Options {
  unsigned depth = 32;      // 1..32 commands outstanding per device, further limited by CAP.NCS and device
  bool use_ncq = true;      // false: no queued command is ever issued
  unsigned max_prds = 256;  // 1..65535 PRDs per command: 16 bytes each of DMA memory in every slot
  std::uint32_t command_timeout_ms = 30'000;  // 1..3,600,000
  std::uint32_t spin_up_timeout_ms = 30'000;  // 1..3,600,000: from link up to BSY and DRQ clear
  unsigned max_attempts = 3;                  // 1..: attach or recovery attempts that may fail in a row
};

enum class ControllerState : std::uint8_t { stopped, taking_over, resetting, running, failed };

enum class PortState : std::uint8_t {
  not_implemented,  // PI says so
  attaching,
  active,
  recovering,   // requests are accepted and wait
  absent,       // no device
  unsupported,  // a device that this driver doesn't drive
  dead,         // given up
};

struct PortCounters {
  std::uint64_t commands = 0;  // issued, re-issues included
  std::uint64_t interrupts = 0;
  std::uint32_t task_file_errors = 0;
  std::uint32_t interface_errors = 0;
  std::uint32_t non_fatal_interface_errors = 0;
  std::uint32_t host_bus_errors = 0;
  std::uint32_t link_changes = 0;
  std::uint32_t unknown_fis = 0;
  std::uint32_t timeouts = 0;         // commands
  std::uint32_t lost_interrupts = 0;  // commands that were found finished at their time-out
  std::uint32_t recoveries = 0;
  std::uint32_t failed_attempts = 0;
};

}  // namespace ncqlab::driver
