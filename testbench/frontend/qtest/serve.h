// A whole run: a machine is made as asked for, served until its client has gone, and its disks go back into their
// files.
#pragma once

#include "testbench/frontend/qtest/system_options.h"

namespace ncqlab::qtest {

// Throws ArgumentError, SocketError, config::ConfigError, and std::runtime_error when a file can't be written. With
// options.fingerprint the run's fingerprint and the machine's time go to standard error at the end.
void serve(const SystemOptions& options);

}  // namespace ncqlab::qtest
