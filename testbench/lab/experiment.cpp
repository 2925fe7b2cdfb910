#include "testbench/lab/experiment.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>

namespace ncqlab::lab {

namespace {

RigSpec rig_spec(const Subject& subject, unsigned layout, bool ncq) {
  RigSpec spec;
  spec.host = subject.host;
  spec.controller = subject.controller;
  spec.drive = subject.drive;
  spec.layout = layout_of(subject.seed, subject.layouts, layout);
  spec.write_cache = subject.drive.write_cache.enabled;
  spec.bugs = subject.bugs;
  spec.seed = spec.layout.number;
  spec.driver.use_ncq = ncq;
  spec.driver.depth = ncq ? 32 : 1;
  return spec;
}

}  // namespace

drive::Layout layout_of(std::uint64_t seed, unsigned count, unsigned index) { return {(seed - 1) * count + index + 1}; }

void for_each_run(std::size_t count, bool concurrently, const std::function<void(std::size_t)>& job) {
  std::vector<std::exception_ptr> failures(count);
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t index = next++; index < count; index = next++) {
      try {
        job(index);
      } catch (...) {
        failures[index] = std::current_exception();
      }
    }
  };
  const std::size_t workers = concurrently ? std::max(1U, std::thread::hardware_concurrency()) : 1;
  std::vector<std::thread> others;
  for (std::size_t i = 1; i < std::min(workers, count); ++i) others.emplace_back(work);
  work();
  for (std::thread& other : others) other.join();
  for (const std::exception_ptr& failure : failures) {
    if (failure != nullptr) std::rethrow_exception(failure);
  }
}

RaidtestOutcome run_raidtest(const Subject& subject, const workload::RaidtestPreset& preset, bool ncq,
                             const std::vector<unsigned>& processes) {
  const workload::RequestFile file = workload::make_request_file(preset, subject.drive.capacity_sectors, subject.seed);
  struct Run {
    workload::RaidtestResult result;
    std::uint64_t fingerprint = 0;
  };
  const std::size_t runs_a_figure = static_cast<std::size_t>(subject.layouts) * preset.repetitions;
  std::vector<Run> runs(processes.size() * runs_a_figure);

  for_each_run(runs.size(), subject.host == HostKind::bare, [&](std::size_t index) {
    const auto layout = static_cast<unsigned>(index % runs_a_figure / preset.repetitions);
    Rig rig(rig_spec(subject, layout, ncq));
    workload::Raidtest raidtest(file, processes[index / runs_a_figure]);
    const std::uint64_t jitter_seed = subject.seed * runs_a_figure + index % runs_a_figure;
    rig.run(raidtest, workload::host_options(preset, rig.depth(), jitter_seed));
    runs[index] = {raidtest.result(), rig.machine().fingerprint()};
  });

  RaidtestOutcome outcome;
  JointFingerprint fingerprint;
  for (std::size_t figure = 0; figure < processes.size(); ++figure) {
    std::vector<double> requests;
    std::vector<double> bytes;
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < runs_a_figure; ++i) {
      const Run& run = runs[figure * runs_a_figure + i];
      requests.push_back(static_cast<double>(run.result.requests_per_second));
      bytes.push_back(static_cast<double>(run.result.bytes_per_second));
      total += run.result.requests_done;
      fingerprint.add(run.fingerprint);
    }
    outcome.figures.push_back({processes[figure], workload::spread_of(requests), workload::spread_of(bytes), total});
  }
  outcome.fingerprint = fingerprint.value();
  return outcome;
}

DiskinfoOutcome run_diskinfo(const Subject& subject, const workload::HostOptions& host) {
  struct Run {
    std::vector<workload::DiskinfoResult> results;
    std::uint64_t fingerprint = 0;
  };
  std::vector<Run> runs(subject.layouts);
  for_each_run(runs.size(), subject.host == HostKind::bare, [&](std::size_t index) {
    Rig rig(rig_spec(subject, static_cast<unsigned>(index), true));
    workload::Diskinfo diskinfo;
    workload::HostOptions options = host;
    options.seed = subject.seed * subject.layouts + index;
    rig.run(diskinfo, options);
    runs[index] = {diskinfo.results(), rig.machine().fingerprint()};
  });

  DiskinfoOutcome outcome;
  outcome.results = runs.front().results;
  JointFingerprint fingerprint;
  for (const Run& run : runs) fingerprint.add(run.fingerprint);
  for (std::size_t row = 0; row < outcome.results.size(); ++row) {
    double sum = 0;
    for (const Run& run : runs) sum += run.results[row].value;
    outcome.results[row].value = sum / static_cast<double>(runs.size());
  }
  outcome.fingerprint = fingerprint.value();
  return outcome;
}

}  // namespace ncqlab::lab
