// The same load on several layouts of one drive: what `run`, `demo` and `reproduce` are made of.
//
// One layout can lock in phase with the rotation and lie by more than half, so a figure is the mean over several, each
// on a machine of its own with seeded host jitter. The machines are independent: they run side by side on the bare host
// and give the same results in any order.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "model/sim/random.h"
#include "testbench/lab/rig.h"
#include "testbench/workload/diskinfo.h"
#include "testbench/workload/raidtest.h"
#include "testbench/workload/spread.h"

namespace ncqlab::lab {

inline constexpr unsigned kDefaultLayouts = 4;

// Layouts `count` of seed 1 are 1..count, of seed 2 the next ones, and so on: no two seeds share one.
drive::Layout layout_of(std::uint64_t seed, unsigned count, unsigned index);

// Fingerprints of several runs as one, in the order of the calls.
class JointFingerprint {
 public:
  void add(std::uint64_t fingerprint) { value_ = sim::mix64(value_ ^ fingerprint) + 1; }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0;
};

// Calls job(0) .. job(count - 1), on all processors when `concurrently`. The first exception, by index, is thrown again
// when all have ended.
void for_each_run(std::size_t count, bool concurrently, const std::function<void(std::size_t)>& job);

struct Subject {
  HostKind host = HostKind::bare;
  drive::Profile drive;
  hba::ControllerProfile controller;
  std::uint64_t seed = 1;
  unsigned layouts = kDefaultLayouts;
  std::vector<faults::Program> bugs;  // in the drive
};

struct RaidtestFigure {
  unsigned processes = 0;
  workload::Spread requests_per_second;
  workload::Spread bytes_per_second;
  std::uint64_t requests = 0;  // in all runs
};

struct RaidtestOutcome {
  std::vector<RaidtestFigure> figures;  // in the order of `processes`
  std::uint64_t fingerprint = 0;
};

// raidtest with each number of processes, without NCQ (depth 1) or with NCQ and a depth of 32, on every layout, as
// often as the preset says.
RaidtestOutcome run_raidtest(const Subject& subject, const workload::RaidtestPreset& preset, bool ncq,
                             const std::vector<unsigned>& processes);

struct DiskinfoOutcome {
  std::vector<workload::DiskinfoResult> results;  // the means
  std::uint64_t fingerprint = 0;
};

DiskinfoOutcome run_diskinfo(const Subject& subject, const workload::HostOptions& host);

}  // namespace ncqlab::lab
