#include "testbench/lab/job_experiment.h"

#include <algorithm>

namespace ncqlab::lab {

namespace {

class Latencies final : public workload::CompletionListener {
 public:
  void io_completed(const workload::Io& io) override {
    const sim::Time latency = io.completed - io.submitted;
    waited += latency;
    if (io.kind == workload::IoKind::read) read.add(latency);
    if (io.kind == workload::IoKind::write) write.add(latency);
  }
  report::Histogram read;
  report::Histogram write;
  sim::Time waited = 0;
};

}  // namespace

JobOutcome run_job(const JobSetup& setup) {
  const Subject& subject = setup.subject;
  JobOutcome outcome;
  outcome.runs.resize(subject.layouts);
  std::vector<unsigned> depths(subject.layouts);
  for_each_run(subject.layouts, subject.host == HostKind::bare, [&](std::size_t index) {
    RigSpec spec;
    spec.host = subject.host;
    spec.controller = subject.controller;
    spec.drive = subject.drive;
    spec.layout = layout_of(subject.seed, subject.layouts, static_cast<unsigned>(index));
    spec.write_cache = setup.write_cache;
    spec.driver.use_ncq = setup.ncq;
    spec.bugs = subject.bugs;
    spec.seed = spec.layout.number;
    Rig rig(spec);
    depths[index] = rig.depth();

    workload::JobOptions job_options = setup.job;
    job_options.seed = spec.seed;
    Latencies latencies;
    workload::Job job(job_options, &latencies);
    workload::HostOptions host;
    host.queue_depth = setup.job.iodepth;
    host.overhead = setup.host_overhead;
    host.jitter = setup.host_jitter;
    host.seed = job_options.seed;
    rig.run(job, host);

    JobRun& run = outcome.runs[index];
    run.layout = spec.layout.number;
    run.result = job.result();
    run.read_latency = latencies.read;
    run.write_latency = latencies.write;
    run.disk = rig.drive().disk().statistics();
    const sim::Time length = std::max<sim::Time>(1, run.result.ended - run.result.started);
    run.mean_outstanding = static_cast<double>(latencies.waited) / static_cast<double>(length);
    run.interrupts = rig.cpu().interrupts();
    run.register_reads = rig.cpu().register_reads();
    run.register_writes = rig.cpu().register_writes();
    run.sectors_checked = rig.disk().sectors_checked();
    run.firings = rig.firings();
    run.fingerprint = rig.machine().fingerprint();
  });

  std::vector<double> requests;
  std::vector<double> bytes;
  JointFingerprint fingerprint;
  for (const JobRun& run : outcome.runs) {
    requests.push_back(run.result.requests_per_second());
    bytes.push_back(run.result.bytes_per_second());
    fingerprint.add(run.fingerprint);
  }
  outcome.depth = depths.front();
  outcome.requests_per_second = workload::spread_of(requests);
  outcome.bytes_per_second = workload::spread_of(bytes);
  outcome.fingerprint = fingerprint.value();
  return outcome;
}

}  // namespace ncqlab::lab
