// Random 4 KiB reads at depth 31 through the whole stack: driver, registers, FIS, drive, MSI, contents and oracles.
#pragma once

#include <cstdint>

#include "model/config/controller_profile.h"
#include "model/config/drive_profile.h"
#include "testbench/lab/rig.h"
#include "testbench/workload/job.h"

namespace ncqlab::bench {

// One machine, attached, that serves `requests` and is thrown away.
inline std::uint64_t serve_whole_stack(lab::HostKind host, std::uint64_t requests) {
  lab::RigSpec spec;
  spec.host = host;
  spec.drive = config::load_drive_profile("st31000340as");
  spec.controller = config::load_controller_profile("generic");
  lab::Rig rig(spec);
  workload::JobOptions options;
  options.iodepth = 31;
  options.requests = requests;
  workload::Job job(options);
  workload::HostOptions host_options;
  host_options.queue_depth = 31;
  host_options.overhead = 10 * sim::kMicrosecond;
  host_options.jitter = 0.5;
  rig.run(job, host_options);
  return rig.machine().fingerprint();
}

}  // namespace ncqlab::bench
