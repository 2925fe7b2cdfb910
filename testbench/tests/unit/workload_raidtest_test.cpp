// raidtest: the request file, the shares of the processes, the printed rates.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "testbench/tests/unit/workload_fake_device.h"
#include "testbench/workload/preset_reader.h"
#include "testbench/workload/raidtest.h"

namespace ncqlab::workload {
namespace {

constexpr std::uint64_t kDisk_sectors = 1953525168;
constexpr sim::Time kService = 8 * sim::kMillisecond;

RaidtestPreset preset_of(std::uint32_t requests) {
  RaidtestPreset preset;
  preset.requests = requests;
  preset.host_overhead = 0;
  return preset;
}

double mean_bytes(const RequestFile& file) {
  return static_cast<double>(file.bytes) / static_cast<double>(file.requests.size());
}

TEST(RaidtestFile, MeanSizeLiesInThePublishedInterval) {
  for (const std::uint32_t requests : {29U, 500U, 2500U, 10000U}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const double mean = mean_bytes(make_request_file(preset_of(requests), kDisk_sectors, seed));
      EXPECT_GE(mean, kPublishedMeanMin_bytes) << requests << " requests, seed " << seed;
      EXPECT_LE(mean, kPublishedMeanMax_bytes) << requests << " requests, seed " << seed;
    }
  }
}

TEST(RaidtestFile, SizesReachFromOneSectorTo256) {
  const RequestFile file = make_request_file(preset_of(10000), kDisk_sectors, 1);
  std::uint32_t shortest = 1000;
  std::uint32_t longest = 0;
  for (const RaidtestRequest& request : file.requests) {
    shortest = std::min(shortest, request.sectors);
    longest = std::max(longest, request.sectors);
  }
  EXPECT_EQ(shortest, 1U);
  EXPECT_EQ(longest, 256U);
}

TEST(RaidtestFile, RequestsEndInsideTheRegion) {
  RaidtestPreset preset = preset_of(5000);
  preset.region_sectors = 300;
  for (const RaidtestRequest& request : make_request_file(preset, kDisk_sectors, 1).requests) {
    EXPECT_LT(request.lba + request.sectors, 300U);
  }
}

TEST(RaidtestFile, WholeDiskRequestsReachIntoEachQuarterEvenly) {
  std::array<unsigned, 4> quarters{};
  for (const RaidtestRequest& request : make_request_file(preset_of(10000), kDisk_sectors, 1).requests) {
    ++quarters[request.lba / (kDisk_sectors / 4)];
  }
  for (const unsigned count : quarters) EXPECT_NEAR(count, 2500, 200);  // 4.6 standard deviations
}

TEST(RaidtestFile, WriteFractionIsThePresets) {
  RaidtestPreset preset = preset_of(10000);
  const auto writes = [&] {
    unsigned count = 0;
    for (const auto& request : make_request_file(preset, kDisk_sectors, 1).requests) {
      count += request.kind == IoKind::write ? 1U : 0U;
    }
    return count;
  };
  EXPECT_NEAR(writes(), 5000, 200);  // four standard deviations
  preset.write_fraction = 0;
  EXPECT_EQ(writes(), 0U);
  preset.write_fraction = 1;
  EXPECT_EQ(writes(), 10000U);
}

TEST(RaidtestFile, IsAFunctionOfTheSeed) {
  const auto lba = [](std::uint64_t seed) {
    return make_request_file(preset_of(50), kDisk_sectors, seed).requests[7].lba;
  };
  EXPECT_EQ(lba(1), lba(1));
  EXPECT_NE(lba(1), lba(2));
}

TEST(RaidtestFile, RegionsThatDoNotFitAreRefused) {
  RaidtestPreset preset = preset_of(10);
  preset.region_sectors = kDisk_sectors + 1;
  EXPECT_THROW(make_request_file(preset, kDisk_sectors, 1), std::invalid_argument);
  preset.region_sectors = 256;
  EXPECT_THROW(make_request_file(preset, kDisk_sectors, 1), std::invalid_argument);
  preset.region_sectors = 257;
  EXPECT_EQ(make_request_file(preset, kDisk_sectors, 1).requests.size(), 10U);
}

struct RaidtestRun {
  sim::EventQueue events;
  FakeDevice device{events, kDisk_sectors, kService};
  RequestFile file;
  RaidtestResult result;

  RaidtestRun(std::uint32_t requests, unsigned processes, unsigned queue_depth = 32)
      : file(make_request_file(preset_of(requests), kDisk_sectors, 1)) {
    HostLayer host(device, host_options(preset_of(requests), queue_depth, 1));
    Raidtest raidtest(file, processes);
    EXPECT_FALSE(raidtest.finished());
    host.start(raidtest);
    run_all(events);
    EXPECT_TRUE(raidtest.finished());
    result = raidtest.result();
  }
};

TEST(Raidtest, EachProcessDoesItsConsecutiveShareAndTheRestIsDoneByNobody) {
  const RaidtestRun run(103, 10);  // 10 each, the last 3 of the file are left
  EXPECT_EQ(run.result.requests_done, 100U);
  ASSERT_EQ(run.device.log.size(), 100U);
  for (unsigned process = 0; process < 10; ++process) {
    EXPECT_EQ(run.device.log[process].lba, run.file.requests[process * 10].lba);
  }
}

TEST(Raidtest, RatesAreOfTheWholeFileEvenWhenTheSharesDoNotCoverIt) {
  const RaidtestRun run(103, 10);
  EXPECT_EQ(run.result.elapsed, 100 * kService);    // 0.8 s
  EXPECT_EQ(run.result.requests_per_second, 128U);  // 103 / 0.8 = 128.75, rounded down
  EXPECT_EQ(run.result.bytes_per_second, static_cast<std::uint64_t>(static_cast<double>(run.file.bytes) / 0.8));
}

TEST(Raidtest, ProcessesAreSynchronous) {
  const RaidtestRun run(100, 4);
  EXPECT_EQ(run.device.deepest, 4U);
}

TEST(Raidtest, OneRequestForEachProcessIsEnoughAndLessIsRefused) {
  EXPECT_EQ(RaidtestRun(500, 500).result.requests_done, 500U);
  const RequestFile file = make_request_file(preset_of(499), kDisk_sectors, 1);
  EXPECT_THROW(Raidtest(file, 500), std::invalid_argument);
  EXPECT_THROW(Raidtest(file, 0), std::invalid_argument);
}

TEST(Raidtest, OnlyTheHostWithoutNcqSplits) {
  EXPECT_EQ(host_options(preset_of(1), 1, 1).max_request_bytes, 65536U);
  EXPECT_EQ(host_options(preset_of(1), 32, 1).max_request_bytes, kMaxCommand_sectors * 512);
}

TEST(RaidtestPresets, AIsTheToolsDefaultsWithFewRequests) {
  const RaidtestPreset preset = load_raidtest_preset("raidtest_a");
  EXPECT_EQ(preset.name, "raidtest_a");
  EXPECT_EQ(preset.write_fraction, 0.5);
  EXPECT_EQ(preset.region_sectors, 0U);
  EXPECT_GE(preset.requests, 500U);  // one for each process of the last row
  EXPECT_LE(preset.requests, 1000U);
  EXPECT_EQ(preset.elevator, Elevator::fifo);
}

TEST(RaidtestPresets, BReadsASmallRegionThroughASortedQueue) {
  const RaidtestPreset preset = load_raidtest_preset("raidtest_b");
  EXPECT_EQ(preset.write_fraction, 0);
  EXPECT_GT(preset.region_sectors, 0U);
  EXPECT_LT(preset.region_sectors, kDisk_sectors / 20);
  EXPECT_EQ(preset.elevator, Elevator::c_look);
  EXPECT_EQ(preset.split_bytes, 65536U);
}

TEST(RaidtestPresets, TheReaderTakesEveryKey) {
  const auto document = config::Document::parse(R"({
    "comment": "text", "write_fraction": 0.25, "region_sectors": 4000, "requests": 77, "elevator": "c-look",
    "split_bytes_without_ncq": 4096, "host_overhead_ms": 0.5, "host_jitter_fraction": 0.125, "repetitions": 3})",
                                                "mine.json");
  const RaidtestPreset preset = read_raidtest_preset(document, "mine");
  EXPECT_EQ(preset.name, "mine");
  EXPECT_EQ(preset.comment, "text");
  EXPECT_EQ(preset.write_fraction, 0.25);
  EXPECT_EQ(preset.region_sectors, 4000U);
  EXPECT_EQ(preset.requests, 77U);
  EXPECT_EQ(preset.elevator, Elevator::c_look);
  EXPECT_EQ(preset.split_bytes, 4096U);
  EXPECT_EQ(preset.host_overhead, 500 * sim::kMicrosecond);
  EXPECT_EQ(preset.host_jitter, 0.125);
  EXPECT_EQ(preset.repetitions, 3U);
}

TEST(RaidtestPresets, BothDoTenThousandRequestsOverFourLayouts) {
  for (const char* name : {"raidtest_a", "raidtest_b"}) {
    const RaidtestPreset preset = load_raidtest_preset(name);
    EXPECT_GE(4 * preset.requests * preset.repetitions, 10000U) << name;
  }
}

TEST(RaidtestPresets, AnUnknownKeyIsNamedWithItsPlace) {
  const auto document = config::Document::parse(R"({"comment": "x", "elevater": "fifo"})", "mine.json");
  try {
    read_raidtest_preset(document, "mine");
    FAIL() << "no error";
  } catch (const config::ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("mine.json: /elevater"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace ncqlab::workload
