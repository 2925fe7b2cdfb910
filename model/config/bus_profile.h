// Inside the library: the "bus" of a controller profile.
#pragma once

#include "model/config/document.h"
#include "model/config/error.h"
#include "model/host/bus_profile.h"

namespace ncqlab::config {

// `bus` has passed the schema; a member that its kind does not have, or lacks, becomes a finding.
host::BusProfile read_bus(const Value& bus, Findings& errors);

}  // namespace ncqlab::config
