// The end of an input: whatever happened, everything comes to rest when software asks for it, and works again.
#pragma once

#include "testbench/fuzz/machine.h"

namespace ncqlab::fuzz {

// Stops all ports, then resets the controller.
void come_to_rest(Machine& machine);

// Resets the function, starts all ports, and reads and writes on each.
void work_again(Machine& machine);

}  // namespace ncqlab::fuzz
