// The fio-style job: places, mix, depth, limits, flushes.
#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

#include "testbench/tests/unit/workload_fake_device.h"
#include "testbench/workload/host_layer.h"
#include "testbench/workload/job.h"

namespace ncqlab::workload {
namespace {

constexpr std::uint64_t kDisk_sectors = 10000;
constexpr sim::Time kService = 1 * sim::kMillisecond;

class Counter final : public CompletionListener {
 public:
  void io_completed(const Io& io) override {
    ++count;
    total_latency += io.completed - io.submitted;
  }
  unsigned count = 0;
  sim::Time total_latency = 0;
};

struct JobRun {
  sim::EventQueue events;
  FakeDevice device{events, kDisk_sectors, kService};
  Counter counter;
  JobResult result;

  explicit JobRun(const JobOptions& options) {
    HostOptions host_options;
    host_options.queue_depth = 1000;
    HostLayer host(device, host_options);
    Job job(options, &counter);
    host.start(job);
    run_all(events);
    EXPECT_TRUE(job.finished());
    result = job.result();
  }
  std::vector<std::uint64_t> lbas() const {
    std::vector<std::uint64_t> result_lbas;
    for (const auto& served : device.log) result_lbas.push_back(served.lba);
    return result_lbas;
  }
};

JobOptions options_of(Pattern rw, std::uint64_t requests) {
  JobOptions options;
  options.rw = rw;
  options.requests = requests;
  return options;
}

TEST(Job, SequentialReadsFollowEachOtherAndBeginAnewAtTheEndOfTheRegion) {
  JobOptions options = options_of(Pattern::read, 5);
  options.offset_bytes = 100 * 512;
  options.size_bytes = 3 * 4096 + 512;  // the last sector is no whole block
  EXPECT_EQ(JobRun(options).lbas(), (std::vector<std::uint64_t>{100, 108, 116, 100, 108}));
}

TEST(Job, RandomReadsAreWholeBlocksOfTheRegionAndReachItsFirstAndLast) {
  JobOptions options = options_of(Pattern::randread, 1000);
  options.offset_bytes = 512;
  options.size_bytes = 10 * 4096;
  std::set<std::uint64_t> seen;
  for (const std::uint64_t lba : JobRun(options).lbas()) seen.insert(lba);
  EXPECT_EQ(seen, (std::set<std::uint64_t>{1, 9, 17, 25, 33, 41, 49, 57, 65, 73}));
}

TEST(Job, KeepsExactlyTheDepthOutstanding) {
  JobOptions options = options_of(Pattern::randread, 100);
  options.iodepth = 7;
  EXPECT_EQ(JobRun(options).device.deepest, 7U);
}

TEST(Job, CountsRequestsAndBytes) {
  JobOptions options = options_of(Pattern::write, 20);
  options.bs_bytes = 8192;
  const JobRun run(options);
  EXPECT_EQ(run.result.writes, 20U);
  EXPECT_EQ(run.result.written_bytes, 20U * 8192);
  EXPECT_EQ(run.result.reads, 0U);
  EXPECT_DOUBLE_EQ(run.result.requests_per_second(), 1000);
  EXPECT_DOUBLE_EQ(run.result.bytes_per_second(), 8192000);
}

TEST(Job, SubmitsOneRequestBeforeItsTimeIsUpAndNoneAtThatMoment) {
  JobOptions options = options_of(Pattern::read, 0);
  options.time_limit = 10 * kService;
  EXPECT_EQ(JobRun(options).result.reads, 10U);
  options.time_limit = 10 * kService + 1;
  EXPECT_EQ(JobRun(options).result.reads, 11U);
}

TEST(Job, MixHasTheShareOfReadsThatWasAskedFor) {
  JobOptions options = options_of(Pattern::randrw, 10000);
  options.rwmixread_percent = 70;
  EXPECT_NEAR(static_cast<double>(JobRun(options).result.reads), 7000, 185);  // four standard deviations
}

TEST(Job, MixedSequentialReadsAndWritesHaveAPositionEach) {
  JobOptions options = options_of(Pattern::readwrite, 200);
  const JobRun run(options);
  std::uint64_t next_read = 0;
  std::uint64_t next_write = 0;
  for (const auto& served : run.device.log) {
    std::uint64_t& next = served.kind == IoKind::read ? next_read : next_write;
    EXPECT_EQ(served.lba, next);
    next += 8;
  }
  EXPECT_GT(next_read, 0U);
  EXPECT_GT(next_write, 0U);
}

TEST(Job, FlushesAfterEveryNWritesWhenTheyAreAnsweredAndWaitsForIt) {
  JobOptions options = options_of(Pattern::write, 6);
  options.iodepth = 2;
  options.fsync_every_writes = 3;
  const JobRun run(options);
  std::string kinds;
  for (const auto& served : run.device.log) kinds += served.kind == IoKind::flush ? 'F' : 'w';
  EXPECT_EQ(kinds, "wwwFwwwF");
  EXPECT_EQ(run.device.log[3].given, 3 * kService);
  EXPECT_EQ(run.device.log[4].given, 4 * kService);
  EXPECT_EQ(run.result.flushes, 2U);
  EXPECT_EQ(run.result.writes, 6U);
}

TEST(Job, FuaIsOnWritesOnly) {
  class Watch final : public CompletionListener {
   public:
    void io_completed(const Io& io) override { EXPECT_EQ(io.force_unit_access, io.kind == IoKind::write); }
  };
  JobOptions options = options_of(Pattern::randrw, 50);
  options.fua = true;
  sim::EventQueue events;
  FakeDevice device(events, kDisk_sectors, kService);
  HostLayer host(device, HostOptions{});
  Watch watch;
  Job job(options, &watch);
  host.start(job);
  run_all(events);
  EXPECT_TRUE(job.finished());
}

TEST(Job, TheListenerSeesEveryAnswerAndItsLatency) {
  JobOptions options = options_of(Pattern::read, 10);
  options.iodepth = 2;
  const JobRun run(options);
  EXPECT_EQ(run.counter.count, 10U);
  EXPECT_EQ(run.counter.total_latency, kService + 9 * 2 * kService);  // the first finds an idle disk
}

TEST(Job, FailedRequestsAreCountedApart) {
  sim::EventQueue events;
  FakeDevice device(events, kDisk_sectors, kService);
  device.failing_lba = 8;
  HostLayer host(device, HostOptions{});
  Job job(options_of(Pattern::read, 3));
  host.start(job);
  run_all(events);
  EXPECT_EQ(job.result().failed, 1U);
  EXPECT_EQ(job.result().reads, 2U);
}

TEST(Job, TheSeedDecidesThePlaces) {
  JobOptions options = options_of(Pattern::randread, 20);
  const auto first = JobRun(options).lbas();
  EXPECT_EQ(JobRun(options).lbas(), first);
  options.seed = 2;
  EXPECT_NE(JobRun(options).lbas(), first);
}

TEST(Job, TakesFiosNamesOfPatterns) {
  for (const Pattern pattern :
       {Pattern::read, Pattern::write, Pattern::randread, Pattern::randwrite, Pattern::readwrite, Pattern::randrw}) {
    Pattern parsed = Pattern::read;
    EXPECT_TRUE(parse_pattern(name_of(pattern), parsed));
    EXPECT_EQ(parsed, pattern);
  }
  Pattern parsed = Pattern::read;
  EXPECT_TRUE(parse_pattern("rw", parsed));
  EXPECT_EQ(parsed, Pattern::readwrite);
  EXPECT_FALSE(parse_pattern("trim", parsed));
}

std::size_t problems(void (*change)(JobOptions&)) {
  JobOptions options = options_of(Pattern::read, 1);
  change(options);
  return problems_of(options, kDisk_sectors).size();
}

TEST(JobOptions, EachMistakeIsOneSentence) {
  EXPECT_EQ(problems([](JobOptions&) {}), 0U);
  EXPECT_EQ(problems([](JobOptions& o) { o.bs_bytes = 1000; }), 1U);
  EXPECT_EQ(problems([](JobOptions& o) { o.bs_bytes = 0; }), 1U);
  EXPECT_EQ(problems([](JobOptions& o) { o.iodepth = 0; }), 1U);
  EXPECT_EQ(problems([](JobOptions& o) { o.rwmixread_percent = 101; }), 1U);
  EXPECT_EQ(problems([](JobOptions& o) { o.offset_bytes = 1; }), 1U);
  EXPECT_EQ(problems([](JobOptions& o) { o.requests = 0; }), 1U);
}

TEST(JobOptions, TheRegionMayEndWithTheDiskAndNotOneSectorLater) {
  EXPECT_EQ(problems([](JobOptions& o) { o.offset_bytes = 512, o.size_bytes = (kDisk_sectors - 1) * 512; }), 0U);
  EXPECT_EQ(problems([](JobOptions& o) { o.offset_bytes = 512, o.size_bytes = kDisk_sectors * 512; }), 1U);
  EXPECT_EQ(problems([](JobOptions& o) { o.offset_bytes = (kDisk_sectors - 7) * 512; }), 1U);
  EXPECT_EQ(problems([](JobOptions& o) { o.offset_bytes = (kDisk_sectors + 1) * 512; }), 1U);
}

TEST(JobOptions, AJobWithAMistakeDoesNotStart) {
  sim::EventQueue events;
  FakeDevice device(events, kDisk_sectors, kService);
  HostLayer host(device, HostOptions{});
  Job job(options_of(Pattern::read, 0));
  EXPECT_THROW(host.start(job), std::invalid_argument);
}

}  // namespace
}  // namespace ncqlab::workload
