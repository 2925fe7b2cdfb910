// The result of `ncqlab run` as a table that can be pasted into a mail, and as JSON (keys: docs/FORMATS.md).
#pragma once

#include <string>

#include "testbench/lab/job_experiment.h"

namespace ncqlab::cli {

std::string run_as_text(const lab::JobSetup& setup, const lab::JobOutcome& outcome);
std::string run_as_json(const lab::JobSetup& setup, const lab::JobOutcome& outcome);

}  // namespace ncqlab::cli
