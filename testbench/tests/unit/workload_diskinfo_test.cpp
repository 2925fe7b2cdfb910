// diskinfo -t: the exact places and the clock of each phase.
#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>

#include "testbench/tests/unit/workload_fake_device.h"
#include "testbench/workload/diskinfo.h"
#include "testbench/workload/host_layer.h"

namespace ncqlab::workload {
namespace {

constexpr std::uint64_t kDisk_sectors = 1953525168;
constexpr std::uint64_t kStep = 16384;
constexpr sim::Time kService = 2 * sim::kMillisecond;

struct WholeRun {
  sim::EventQueue events;
  FakeDevice device;
  Diskinfo diskinfo;

  explicit WholeRun(std::uint64_t sectors = kDisk_sectors) : device(events, sectors, kService) {
    HostLayer host(device, HostOptions{});
    host.start(diskinfo);
    run_all(events);
  }
};

// One run for all tests that only look at it.
class DiskinfoRun : public testing::Test {
 protected:
  static void SetUpTestSuite() { run_ = std::make_unique<WholeRun>(); }
  static void TearDownTestSuite() { run_.reset(); }
  static void expect_reads(std::size_t first, std::initializer_list<std::uint64_t> lbas, std::uint32_t sectors = 1) {
    for (const std::uint64_t lba : lbas) {
      EXPECT_EQ(run_->device.log[first].lba, lba) << "read " << first;
      EXPECT_EQ(run_->device.log[first].sectors, sectors) << "read " << first;
      ++first;
    }
  }
  static std::unique_ptr<WholeRun> run_;
};
std::unique_ptr<WholeRun> DiskinfoRun::run_;

constexpr std::size_t kHalf = 250;
constexpr std::size_t kQuarter = kHalf + 250;
constexpr std::size_t kForward = kQuarter + 500;
constexpr std::size_t kBackward = kForward + 400;
constexpr std::size_t kOuter = kBackward + 400;
constexpr std::size_t kInner = kOuter + 2048;
constexpr std::size_t kOutside = kInner + 2048;
constexpr std::size_t kMiddle = kOutside + 1 + 800;
constexpr std::size_t kInside = kMiddle + 1 + 800;

TEST_F(DiskinfoRun, DoesAllPhasesAndEveryReadOnce) {
  EXPECT_TRUE(run_->diskinfo.finished());
  EXPECT_EQ(run_->device.log.size(), kInside + 1 + 800);
  EXPECT_EQ(run_->device.deepest, 1U);
  EXPECT_EQ(run_->diskinfo.failed(), 0U);
}

TEST_F(DiskinfoRun, FullStrokeGoesFromBothEndsInwards) {
  expect_reads(0, {0, kDisk_sectors - kStep, kStep, kDisk_sectors - 2 * kStep});
}

TEST_F(DiskinfoRun, HalfStrokeGoesUpFromTheFirstAndThirdQuarter) {
  const std::uint64_t a = kDisk_sectors / 4;
  const std::uint64_t b = a + kDisk_sectors / 2;
  expect_reads(kHalf, {a, b, a + kStep, b + kStep});
}

TEST_F(DiskinfoRun, QuarterStrokeGoesUpFromTheFirstAndSecondQuarter) {
  const std::uint64_t a = kDisk_sectors / 4;
  expect_reads(kQuarter, {a, 2 * a, a + kStep, 2 * a + kStep});
}

TEST_F(DiskinfoRun, ShortStrokesGoAwayFromTheMiddle) {
  const std::uint64_t middle = kDisk_sectors / 2;
  expect_reads(kForward, {middle, middle + kStep, middle + 2 * kStep});
  expect_reads(kBackward, {middle, middle - kStep, middle - 2 * kStep});
}

TEST_F(DiskinfoRun, SequentialPhasesReadTheFirstAndTheLast2048Sectors) {
  expect_reads(kOuter, {0, 1, 2});
  expect_reads(kInner, {kDisk_sectors - 2048, kDisk_sectors - 2047});
  expect_reads(kInner + 2047, {kDisk_sectors - 1});
}

TEST_F(DiskinfoRun, ARateIsOneSectorAndThenTheHundredMebibytesBehindIt) {
  expect_reads(kOutside, {0});
  expect_reads(kOutside + 1, {1, 257, 513}, 256);
  expect_reads(kMiddle, {kDisk_sectors / 2 - 102401});
  expect_reads(kMiddle + 1, {kDisk_sectors / 2 - 102400}, 256);
  expect_reads(kInside, {kDisk_sectors - 204801});
  expect_reads(kInside + 800, {kDisk_sectors - 256}, 256);
}

TEST_F(DiskinfoRun, EachPhaseStartsOneSecondAfterTheOneBefore) {
  const auto& log = run_->device.log;
  EXPECT_EQ(log[0].given, sim::kSecond);
  EXPECT_EQ(log[kHalf].given, log[kHalf - 1].given + kService + sim::kSecond);
}

TEST_F(DiskinfoRun, ARateSleepsBetweenItsFirstSectorAndItsClock) {
  const auto& log = run_->device.log;
  EXPECT_EQ(log[kOutside].given, log[kOutside - 1].given + kService);
  EXPECT_EQ(log[kOutside + 1].given, log[kOutside].given + kService + sim::kSecond);
}

TEST_F(DiskinfoRun, ResultsAreInTheToolsUnits) {
  const auto& results = run_->diskinfo.results();
  ASSERT_EQ(results.size(), 10U);
  EXPECT_EQ(results[0].row, "Full stroke");
  EXPECT_EQ(results[0].cell, "per op");
  EXPECT_EQ(results[0].unit, "ms");
  EXPECT_EQ(results[0].iterations, 250U);
  EXPECT_DOUBLE_EQ(results[0].value, 2.0);
  EXPECT_EQ(results[2].iterations, 500U);
  EXPECT_EQ(results[9].row, "inside");
  EXPECT_EQ(results[9].cell, "rate");
  EXPECT_EQ(results[9].unit, "kB/s");
  EXPECT_DOUBLE_EQ(results[9].value, 102400 / 1.6);  // 800 commands of 2 ms
  EXPECT_EQ(results[9].elapsed, 1600 * sim::kMillisecond);
}

TEST(Diskinfo, TheStepFollowsTheSizeOfASmallDisk) {
  const WholeRun run(800 * 1024);  // fls(1024) - 1 = 10
  EXPECT_EQ(run.device.log[2].lba, 1024U);
  const WholeRun smaller(800 * 1024 - 1);
  EXPECT_EQ(smaller.device.log[2].lba, 512U);
}

TEST(Diskinfo, ADiskOf204802SectorsIsTheSmallest) {
  EXPECT_TRUE(WholeRun(204802).diskinfo.finished());
  EXPECT_THROW(WholeRun(204801), std::invalid_argument);
}

}  // namespace
}  // namespace ncqlab::workload
