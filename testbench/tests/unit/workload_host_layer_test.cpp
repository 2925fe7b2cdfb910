// Splitting, queue depth, overhead and jitter of the host layer.
#include <gtest/gtest.h>

#include <deque>
#include <stdexcept>

#include "testbench/tests/unit/workload_fake_device.h"
#include "testbench/workload/host_layer.h"

namespace ncqlab::workload {
namespace {

constexpr sim::Time kService = 10 * sim::kMillisecond;

// Submits a list of requests at the start and notes what happens to them.
class Script final : public Workload {
 public:
  explicit Script(std::vector<Io> requests) : ios(requests.begin(), requests.end()) {}
  void start(Target& target) override {
    target_ = &target;
    for (Io& io : ios) target.submit(io);
    for (const sim::Time when : wakes_wanted) target.wake_at(when, static_cast<std::uint64_t>(when));
  }
  void completed(Io& io) override { order.push_back(io.lba); }
  void woken(std::uint64_t user) override {
    EXPECT_EQ(static_cast<sim::Time>(user), target_->now());
    ++wakes;
  }
  bool finished() const override { return order.size() == ios.size(); }

  std::deque<Io> ios;
  std::vector<sim::Time> wakes_wanted;
  std::vector<std::uint64_t> order;
  unsigned wakes = 0;

 private:
  Target* target_ = nullptr;
};

Io read_of(std::uint64_t lba, std::uint32_t sectors) {
  Io io;
  io.lba = lba;
  io.sectors = sectors;
  return io;
}

struct ScriptRun {
  sim::EventQueue events;
  FakeDevice device{events, 1'000'000, kService};
  Script script;

  ScriptRun(const HostOptions& options, std::vector<Io> requests, std::vector<sim::Time> wakes = {})
      : script(std::move(requests)) {
    script.wakes_wanted = std::move(wakes);
    HostLayer host(device, options);
    host.start(script);
    run_all(events);
    EXPECT_TRUE(script.finished());
    EXPECT_EQ(host.queued(), 0U);
    EXPECT_EQ(host.in_driver(), 0U);
  }
};

HostOptions splitting_at(std::uint32_t bytes) {
  HostOptions options;
  options.max_request_bytes = bytes;
  return options;
}

TEST(HostLayer, ARequestOfExactlyTheLimitIsOneCommand) {
  const ScriptRun run(splitting_at(64 * 1024), {read_of(1000, 128)});
  ASSERT_EQ(run.device.log.size(), 1U);
  EXPECT_EQ(run.device.log[0].sectors, 128U);
}

TEST(HostLayer, OneSectorMoreIsTwoCommandsInOrder) {
  const ScriptRun run(splitting_at(64 * 1024), {read_of(1000, 129)});
  ASSERT_EQ(run.device.log.size(), 2U);
  EXPECT_EQ(run.device.log[0], (FakeDevice::Served{IoKind::read, 1000, 128, 0}));
  EXPECT_EQ(run.device.log[1], (FakeDevice::Served{IoKind::read, 1128, 1, kService}));
}

TEST(HostLayer, ASplitRequestIsAnsweredOnceWhenItsLastPieceIs) {
  const ScriptRun run(splitting_at(64 * 1024), {read_of(0, 256)});
  EXPECT_EQ(run.script.order.size(), 1U);
  EXPECT_EQ(run.script.ios[0].completed, 2 * kService);
}

TEST(HostLayer, OneFailedPieceFailsTheRequest) {
  sim::EventQueue events;
  FakeDevice device(events, 1'000'000, kService);
  device.failing_lba = 0;
  Script script({read_of(0, 256), read_of(512, 256)});
  HostLayer host(device, splitting_at(64 * 1024));
  host.start(script);
  run_all(events);
  EXPECT_FALSE(script.ios[0].ok);
  EXPECT_TRUE(script.ios[1].ok);
}

TEST(HostLayer, WithoutNcqTheDriverHasOneCommandAtATime) {
  const ScriptRun run(HostOptions{}, {read_of(0, 1), read_of(1, 1), read_of(2, 1)});
  EXPECT_EQ(run.device.deepest, 1U);
}

TEST(HostLayer, TheDriverHasAsManyCommandsAsTheDepthAllows) {
  HostOptions options;
  options.queue_depth = 31;
  std::vector<Io> requests;
  for (std::uint64_t i = 0; i < 40; ++i) requests.push_back(read_of(i, 1));
  const ScriptRun run(options, requests);
  EXPECT_EQ(run.device.deepest, 31U);
}

TEST(HostLayer, PiecesOfOneRequestMeetOthersInTheElevator) {
  HostOptions options = splitting_at(64 * 1024);
  options.elevator = Elevator::c_look;
  // The first is under way; the second's pieces lie around the third.
  const ScriptRun run(options, {read_of(0, 1), read_of(1000, 256), read_of(1064, 8)});
  ASSERT_EQ(run.device.log.size(), 4U);
  EXPECT_EQ(run.device.log[1].lba, 1000U);
  EXPECT_EQ(run.device.log[2].lba, 1128U);
  EXPECT_EQ(run.device.log[3].lba, 1064U);
}

TEST(HostLayer, AFlushPassesWhole) {
  Io flush;
  flush.kind = IoKind::flush;
  const ScriptRun run(splitting_at(512), {flush});
  ASSERT_EQ(run.device.log.size(), 1U);
  EXPECT_EQ(run.device.log[0].kind, IoKind::flush);
}

TEST(HostLayer, ARequestEntersTheQueueAfterTheOverhead) {
  HostOptions options;
  options.overhead = 30 * sim::kMicrosecond;
  const ScriptRun run(options, {read_of(0, 1)});
  EXPECT_EQ(run.device.log[0].given, 30 * sim::kMicrosecond);
  EXPECT_EQ(run.script.ios[0].submitted, 30 * sim::kMicrosecond);
}

TEST(HostLayer, JitterStaysWithinItsFractionAndReachesBothHalves) {
  HostOptions options;
  options.overhead = 1 * sim::kMillisecond;
  options.jitter = 0.5;
  options.queue_depth = 1000;
  const ScriptRun run(options, std::vector<Io>(1000, read_of(0, 1)));
  sim::Time earliest = sim::kNever;
  sim::Time latest = 0;
  for (const auto& served : run.device.log) {
    earliest = std::min(earliest, served.given);
    latest = std::max(latest, served.given);
  }
  EXPECT_GE(earliest, 500 * sim::kMicrosecond);
  EXPECT_LT(earliest, 510 * sim::kMicrosecond);
  EXPECT_LE(latest, 1500 * sim::kMicrosecond);
  EXPECT_GT(latest, 1490 * sim::kMicrosecond);
}

TEST(HostLayer, TheSameSeedGivesTheSameJitterAndAnotherGivesAnother) {
  HostOptions options;
  options.overhead = 1 * sim::kMillisecond;
  options.jitter = 0.5;
  const std::vector<Io> requests(20, read_of(0, 1));
  const ScriptRun first(options, requests);
  const ScriptRun again(options, requests);
  options.seed = 2;
  const ScriptRun other(options, requests);
  EXPECT_EQ(first.device.log, again.device.log);
  EXPECT_NE(first.device.log[0].given, other.device.log[0].given);
}

TEST(HostLayer, WakesOfTheWorkloadAndItsOwnDoNotMix) {
  HostOptions options;
  options.overhead = 2 * sim::kMillisecond;
  const ScriptRun run(options, {read_of(0, 1), read_of(1, 1)},
                      {1 * sim::kMillisecond, 2 * sim::kMillisecond, kService});
  EXPECT_EQ(run.script.wakes, 3U);
  EXPECT_EQ(run.script.order, (std::vector<std::uint64_t>{0, 1}));
}

TEST(HostLayer, RefusesOptionsThatMakeNoSense) {
  sim::EventQueue events;
  FakeDevice device(events, 1000, kService);
  const auto refused = [&](auto change) {
    HostOptions options;
    change(options);
    EXPECT_THROW(HostLayer(device, options), std::invalid_argument);
  };
  refused([](HostOptions& o) { o.queue_depth = 0; });
  refused([](HostOptions& o) { o.max_request_bytes = 0; });
  refused([](HostOptions& o) { o.max_request_bytes = 1000; });
  refused([](HostOptions& o) { o.max_request_bytes = 65537 * 512; });
  refused([](HostOptions& o) { o.jitter = 1.1; });
  refused([](HostOptions& o) { o.overhead = -1; });
}

}  // namespace
}  // namespace ncqlab::workload
