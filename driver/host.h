// What the controller and its ports share.
#pragma once

#include <cstdint>

#include "driver/options.h"
#include "driver/platform.h"
#include "driver/registers.h"

namespace ncqlab::driver {

inline constexpr std::uint64_t kMillisecond_ns = 1'000'000;

struct Host {
  Platform* platform = nullptr;
  Options options;
  std::uint32_t capabilities = 0;  // CAP
  // Time at the entry of the present call, or later.
  std::uint64_t now_ns = 0;
  // The earliest time anybody has asked for, and what the platform's timer stands at.
  std::uint64_t wanted_ns = kNever;
  std::uint64_t armed_ns = kNever;
  // Ports whose new commands are built and not yet made known to the controller.
  std::uint32_t unpublished_ports = 0;
  bool controller_gone = false;

  std::uint64_t highest_address() const { return (capabilities & kCapS64a) != 0 ? UINT64_MAX : 0xFFFFFFFFU; }
  std::uint64_t refresh_now() { return now_ns = platform->now_ns(); }
  void want_timer(std::uint64_t when_ns) {
    if (when_ns < wanted_ns) wanted_ns = when_ns;
  }
  // `value` came from a register. Tells whether the controller has been pulled: all ones, and the version register
  // (AHCI 1.3.1, 3.1.5), which can't be that, says so too.
  bool gone(std::uint32_t value) {
    if (value == kAllOnes && platform->read32(kVs) == kAllOnes) controller_gone = true;
    return controller_gone;
  }
};

}  // namespace ncqlab::driver
