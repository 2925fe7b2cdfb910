// What the system tests share: the shipped drive and controllers, on either host, and a rig that fails its test when
// the protocol checker has found something.
#pragma once

#include <gtest/gtest.h>

#include "model/config/controller_profile.h"
#include "model/config/drive_profile.h"
#include "testbench/lab/rig.h"
#include "testbench/workload/job.h"

namespace ncqlab::test {

inline lab::RigSpec shipped_rig(lab::HostKind host = lab::HostKind::bare, std::uint64_t layout = 1) {
  lab::RigSpec spec;
  spec.host = host;
  spec.drive = config::load_drive_profile("st31000340as");
  spec.controller = config::load_controller_profile("generic");
  spec.layout = {layout};
  return spec;
}

// For every test, also for one that does not run a workload or expects the run to fail.
class Rig : public lab::Rig {
 public:
  using lab::Rig::Rig;
  ~Rig() { EXPECT_EQ(legality().count(), 0U) << legality().report(); }
};

// Runs a job to its end: the rig's oracles throw when anything is wrong.
inline workload::JobResult run_job(lab::Rig& rig, const workload::JobOptions& options) {
  workload::Job job(options);
  workload::HostOptions host;
  host.queue_depth = options.iodepth;
  host.overhead = 10 * sim::kMicrosecond;
  host.jitter = 0.5;
  host.seed = options.seed;
  rig.run(job, host);
  return job.result();
}

// The hosts that this build has.
inline std::vector<lab::HostKind> hosts() {
#ifdef NCQLAB_HAS_SYSTEMC
  return {lab::HostKind::bare, lab::HostKind::systemc};
#else
  return {lab::HostKind::bare};
#endif
}

inline std::string host_name(const testing::TestParamInfo<lab::HostKind>& info) {
  return info.param == lab::HostKind::bare ? "Bare" : "Systemc";
}

}  // namespace ncqlab::test
