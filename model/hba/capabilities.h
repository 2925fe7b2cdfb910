// The registers that say what a controller has, as its profile decides (AHCI 1.3.1, 3.1.1, 3.1.8 to 3.1.10).
#pragma once

#include <cstdint>

#include "model/hba/profile.h"

namespace ncqlab::hba {

std::uint32_t cap_register(const ControllerProfile& profile);
std::uint32_t cap2_register(const ControllerProfile& profile);
// 0 without enclosure management.
std::uint32_t em_loc_register(const ControllerProfile& profile);
std::uint32_t em_ctl_register(const ControllerProfile& profile);

// Throws std::invalid_argument when no controller can be like that.
void check_profile(const ControllerProfile& profile);

}  // namespace ncqlab::hba
