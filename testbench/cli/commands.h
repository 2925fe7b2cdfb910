// The subcommands. Each prints its data on standard output and returns the exit status; what went wrong is thrown.
#pragma once

#include "testbench/cli/arguments.h"

namespace ncqlab::cli {

int demo(const DemoOptions& options);
int run(const RunOptions& options);
int profile(const ProfileOptions& options);
int bug(const BugOptions& options);
int serve_qtest(const ServeQtestOptions& options);

// Writes a result where the user said; throws UsageError when that can't be done.
void write_result(const std::string& path, const std::string& text);

}  // namespace ncqlab::cli
