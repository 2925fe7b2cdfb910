// Which controller an input is for.
#pragma once

#include "model/hba/profile.h"
#include "testbench/fuzz/input.h"

namespace ncqlab::fuzz {

// All that AHCI has, the bare minimum, everything that deviates, or a mixture; ports 0 to 2 of 4.
hba::ControllerProfile choose_controller(Input& input);

}  // namespace ncqlab::fuzz
