// `ncqlab run`: one workload on one drive, a first what-if.
#include <cstdio>

#include "model/config/controller_profile.h"
#include "model/config/drive_profile.h"
#include "model/config/fault_program.h"
#include "testbench/cli/commands.h"
#include "testbench/cli/run_report.h"
#include "testbench/lab/job_experiment.h"

namespace ncqlab::cli {

namespace {

// What a request costs the host between a completion and the next submission, drawn within half of it either way: an
// estimate for a system call and the block layer on a current machine.
constexpr sim::Time kHostOverhead = 10 * sim::kMicrosecond;
constexpr double kHostJitter = 0.5;

}  // namespace

int run(const RunOptions& options) {
  lab::JobSetup setup;
  setup.subject.host = options.host;
  setup.subject.seed = options.job.seed;
  setup.subject.layouts = options.layouts;
  setup.subject.drive = config::load_drive_profile(options.drive);
  setup.subject.controller = config::load_controller_profile(options.controller);
  for (const std::string& bug : options.bugs) setup.subject.bugs.push_back(config::load_fault_program(bug));
  setup.job = options.job;
  setup.ncq = options.ncq;
  setup.write_cache = options.write_cache.value_or(setup.subject.drive.write_cache.enabled);
  setup.host_overhead = kHostOverhead;
  setup.host_jitter = kHostJitter;

  const auto problems = workload::problems_of(setup.job, setup.subject.drive.capacity_sectors);
  if (!problems.empty()) {
    std::string text;
    for (const std::string& problem : problems) text += (text.empty() ? "ncqlab run: " : "\nncqlab run: ") + problem;
    throw UsageError(text);
  }

  const lab::JobOutcome outcome = lab::run_job(setup);
  if (!options.json.empty()) {
    write_result(options.json, run_as_json(setup, outcome));
    if (options.json == "-") return 0;
  }
  std::fputs(run_as_text(setup, outcome).c_str(), stdout);
  return 0;
}

}  // namespace ncqlab::cli
