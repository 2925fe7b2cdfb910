// What a benchmark tells of a drive that lies about durability: forced writes cost what an uncached write costs, unless
// the drive ignores the bit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/config/fault_program.h"
#include "testbench/lab/job_experiment.h"
#include "testbench/tests/system/rig_support.h"

namespace ncqlab::test {
namespace {

struct Case {
  bool fua = false;
  bool write_cache = true;
  std::vector<std::string> bugs = {};
  bool ncq = true;
};

lab::JobOutcome random_writes(const Case& one) {
  lab::JobSetup setup;
  setup.subject.drive = config::load_drive_profile("st31000340as");
  setup.subject.controller = config::load_controller_profile("generic");
  setup.subject.layouts = 2;
  for (const std::string& bug : one.bugs) setup.subject.bugs.push_back(config::load_fault_program(bug));
  setup.job.rw = workload::Pattern::randwrite;
  setup.job.iodepth = 1;
  setup.job.requests = 1500;  // the write cache takes all of them
  setup.job.fua = one.fua;
  setup.ncq = one.ncq;
  setup.write_cache = one.write_cache;
  setup.host_overhead = 10 * sim::kMicrosecond;
  setup.host_jitter = 0.5;
  return lab::run_job(setup);
}

double rate(const Case& one) { return random_writes(one).requests_per_second.mean; }

MATCHER_P2(IsWithin, percent, of, "") { return arg > of * (1 - percent / 100.0) && arg < of * (1 + percent / 100.0); }

// Both ways to force a write: the bit of a queued one, and WRITE DMA FUA EXT.
class FaultRate : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Commands, FaultRate, testing::Bool(),
                         [](const auto& one) { return one.param ? "Queued" : "NotQueued"; });

TEST_P(FaultRate, ForcedWritesRunAtTheRateOfTheWriteCacheOff) {
  const double off = rate({false, false, {}, GetParam()});
  const double on = rate({false, true, {}, GetParam()});
  EXPECT_GT(on, 1.5 * off) << "else the next line says nothing";
  EXPECT_THAT(rate({true, true, {}, GetParam()}), IsWithin(2, off));
}

TEST_P(FaultRate, ForcedWritesRunAtTheRateOfTheCacheWhenFuaIsIgnored) {
  const lab::JobOutcome ignored = random_writes({true, true, {"ignores-fua"}, GetParam()});
  EXPECT_THAT(ignored.requests_per_second.mean, IsWithin(2, rate({false, true, {}, GetParam()})));
  for (const lab::JobRun& run : ignored.runs) {
    ASSERT_EQ(run.firings.size(), 1U);
    EXPECT_EQ(run.firings[0].fired, 1500U);
  }
}

TEST_P(FaultRate, WritesRunAtTheRateOfTheCacheWhenSwitchingItOffIsIgnored) {
  const double ignored = rate({false, false, {"ignores-write-cache-off"}, GetParam()});
  EXPECT_THAT(ignored, IsWithin(2, rate({false, true, {}, GetParam()})));
}

TEST(FaultPrograms, OneThatNeverFiresChangesNothing) {
  const auto fingerprint = [](const std::vector<std::string>& bugs) {
    return random_writes({false, true, bugs, true}).fingerprint;
  };
  EXPECT_EQ(fingerprint({"ignores-flush"}), fingerprint({}));
}

TEST(FaultPrograms, TheSameSeedGivesTheSameRun) {
  const auto run = [] { return random_writes({true, true, {"ignores-fua"}, true}).fingerprint; };
  EXPECT_EQ(run(), run());
}

}  // namespace
}  // namespace ncqlab::test
