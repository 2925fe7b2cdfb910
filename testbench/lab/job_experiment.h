// One fio-style job on several layouts of one drive, with the figures that a what-if compares.
#pragma once

#include <cstdint>
#include <vector>

#include "model/drive/disk.h"
#include "testbench/lab/experiment.h"
#include "testbench/report/histogram.h"
#include "testbench/workload/job.h"

namespace ncqlab::lab {

struct JobSetup {
  Subject subject;
  workload::JobOptions job;
  bool ncq = true;
  bool write_cache = true;
  sim::Time host_overhead = 0;  // from a completion to the next request, drawn with `host_jitter`
  double host_jitter = 0;
};

// One layout. Latency is from the request's entry into the host's queue to its answer.
struct JobRun {
  std::uint64_t layout = 0;
  workload::JobResult result;
  report::Histogram read_latency;
  report::Histogram write_latency;
  drive::DiskStatistics disk;
  double mean_outstanding = 0;  // requests, over the run
  std::uint64_t interrupts = 0;
  std::uint64_t register_reads = 0;
  std::uint64_t register_writes = 0;
  std::uint64_t sectors_checked = 0;
  std::vector<faults::Firings> firings;  // of the drive's fault programs
  std::uint64_t fingerprint = 0;
};

struct JobOutcome {
  unsigned depth = 0;  // that the driver offered
  std::vector<JobRun> runs;
  workload::Spread requests_per_second;
  workload::Spread bytes_per_second;
  std::uint64_t fingerprint = 0;
};

JobOutcome run_job(const JobSetup& setup);

}  // namespace ncqlab::lab
