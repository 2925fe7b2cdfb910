// Same input, same fingerprint: twice, on both hosts, whatever else is in the queue.
#include "model/sim/actor.h"
#include "testbench/lab/experiment.h"
#include "testbench/tests/system/rig_support.h"

namespace ncqlab {
namespace {

workload::JobOptions mixed_job(std::uint64_t seed) {
  workload::JobOptions options;
  options.rw = workload::Pattern::randrw;
  options.iodepth = 31;
  options.requests = 500;
  options.fsync_every_writes = 50;
  options.seed = seed;
  return options;
}

std::uint64_t fingerprint(lab::HostKind host, std::uint64_t seed = 1, std::uint64_t layout = 1) {
  test::Rig rig(test::shipped_rig(host, layout));
  test::run_job(rig, mixed_job(seed));
  return rig.machine().fingerprint();
}

TEST(Determinism, TheSameRunTwiceInOneProcess) {
  EXPECT_EQ(fingerprint(lab::HostKind::bare), fingerprint(lab::HostKind::bare));
}

TEST(Determinism, EveryHostGivesTheSameFingerprint) {
  const std::uint64_t bare = fingerprint(lab::HostKind::bare);
  for (const lab::HostKind host : test::hosts()) EXPECT_EQ(fingerprint(host), bare);
}

TEST(Determinism, AnotherSeedOrLayoutGivesAnotherFingerprint) {
  const std::uint64_t one = fingerprint(lab::HostKind::bare);
  EXPECT_NE(fingerprint(lab::HostKind::bare, 2), one);
  EXPECT_NE(fingerprint(lab::HostKind::bare, 1, 2), one);
}

// Wakes again and again and does nothing: takes sequence numbers and places in the heap from everybody else.
class Noise : private sim::Actor {
 public:
  using Actor::Actor;
  void begin(sim::Time period) {
    period_ = period;
    post_after<&Noise::wake>(0);
  }
  std::uint64_t wakes = 0;

 private:
  void wake(std::uint64_t) {
    ++wakes;
    post_after<&Noise::wake>(period_);
  }
  sim::Time period_ = 0;
};

TEST(Determinism, UnrelatedEventsChangeNothing) {
  const std::uint64_t quiet = fingerprint(lab::HostKind::bare);
  for (const lab::HostKind host : test::hosts()) {
    test::Rig rig(test::shipped_rig(host));
    Noise fast(rig.machine().queue());
    Noise slow(rig.machine().queue());
    fast.begin(777 * sim::kNanosecond);
    slow.begin(13 * sim::kMicrosecond);
    test::run_job(rig, mixed_job(1));
    EXPECT_EQ(rig.machine().fingerprint(), quiet);
    EXPECT_GT(fast.wakes, 1000U);
  }
}

TEST(Determinism, ConcurrentRunsGiveWhatRunsOneAfterAnotherGive) {
  std::vector<std::uint64_t> together(6);
  std::vector<std::uint64_t> alone(6);
  lab::for_each_run(together.size(), true,
                    [&](std::size_t i) { together[i] = fingerprint(lab::HostKind::bare, i + 1, i % 3 + 1); });
  lab::for_each_run(alone.size(), false,
                    [&](std::size_t i) { alone[i] = fingerprint(lab::HostKind::bare, i + 1, i % 3 + 1); });
  EXPECT_EQ(together, alone);
}

}  // namespace
}  // namespace ncqlab
