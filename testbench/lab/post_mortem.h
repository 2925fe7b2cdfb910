// One page about a machine that hangs or misbehaves: who waits for what, the port's registers, the drive's queue, and
// the last records of the trace.
#pragma once

#include <string>
#include <vector>

#include "model/sim/trace.h"
#include "testbench/lab/cpu.h"
#include "testbench/lab/machine.h"

namespace ncqlab::lab {

// `cpu` may be null. Reads registers: the machine is not to be run any further.
std::string post_mortem(Machine& machine, InProcessCpu* cpu, unsigned port, const std::vector<sim::Record>& last);

}  // namespace ncqlab::lab
