// Seed 000: raidtest and diskinfo of 2009 against the published figures. One drive profile for all cells, no cell left
// out but diskinfo's "Seq inner" (docs/VALIDATION.md says why).
#include <gtest/gtest.h>

#include "model/config/controller_profile.h"
#include "model/config/drive_profile.h"
#include "testbench/lab/experiment.h"
#include "testbench/report/published_cells.h"
#include "testbench/workload/preset_reader.h"

namespace ncqlab {
namespace {

const std::vector<unsigned> kProcesses = {1, 2, 5, 10, 20, 50, 100, 200, 500};

lab::Subject subject() {
  lab::Subject made;
  made.drive = config::load_drive_profile("st31000340as");
  made.controller = config::load_controller_profile("ich8");
  return made;
}

std::vector<report::Cell> simulated(const char* preset_name, bool ncq, report::Table published) {
  const workload::RaidtestPreset preset = workload::load_raidtest_preset(preset_name);
  const lab::RaidtestOutcome outcome = lab::run_raidtest(subject(), preset, ncq, kProcesses);
  for (const lab::RaidtestFigure& figure : outcome.figures) {
    EXPECT_GE(figure.requests, 10'000U) << figure.processes << " processes";
    const std::string row = "P=" + std::to_string(figure.processes);
    published.set_simulated(row, "req/s", figure.requests_per_second.mean);
    published.set_simulated(row, "bytes/s", figure.bytes_per_second.mean);
  }
  return published.cells;
}

void expect_within(const std::vector<report::Cell>& cells, double median_percent, double worst_percent) {
  EXPECT_LE(*report::median_error_percent(cells), median_percent);
  EXPECT_LE(*report::worst_error_percent(cells), worst_percent);
  for (const report::Cell& cell : cells) {
    EXPECT_LE(std::abs(*cell.error_percent()), worst_percent)
        << cell.row << " " << cell.cell << ": published " << cell.published << ", simulated " << *cell.simulated;
  }
}

std::vector<report::Cell> both_systems(const char* preset) {
  std::vector<report::Cell> cells = simulated(preset, false, report::published_raidtest_ad4());
  const std::vector<report::Cell> with_ncq = simulated(preset, true, report::published_raidtest_ada0());
  cells.insert(cells.end(), with_ncq.begin(), with_ncq.end());
  return cells;
}

TEST(Seed000, RaidtestUnderAssumptionB) { expect_within(both_systems("raidtest_b"), 3, 9); }

TEST(Seed000, RaidtestUnderAssumptionA) { expect_within(both_systems("raidtest_a"), 5, 17); }

TEST(Seed000, Diskinfo) {
  const workload::RaidtestPreset preset = workload::load_raidtest_preset("raidtest_b");
  const lab::DiskinfoOutcome outcome = lab::run_diskinfo(subject(), workload::host_options(preset, 1, 1));
  report::Table table = report::published_diskinfo_ada0();
  for (const workload::DiskinfoResult& result : outcome.results) {
    table.set_simulated(result.row, result.cell, result.value);
  }
  std::vector<report::Cell> cells;
  for (const report::Cell& cell : table.cells) {
    if (cell.row != "Seq inner") cells.push_back(cell);
  }
  ASSERT_EQ(cells.size(), 9U);
  expect_within(cells, 3, 8);
}

TEST(Seed000, WithoutNcqTheGainAt20ProcessesIsGone) {
  const workload::RaidtestPreset preset = workload::load_raidtest_preset("raidtest_b");
  const auto rate = [&preset](bool ncq) {
    return lab::run_raidtest(subject(), preset, ncq, {20}).figures.front().requests_per_second.mean;
  };
  const double without = rate(false);
  EXPECT_GT(rate(true) / without, 1.5);
  EXPECT_DOUBLE_EQ(rate(false) / without, 1.0);
}

TEST(Seed000, EveryCellOfOnePresetUsesTheSameRequestFile) {
  for (const char* name : {"raidtest_a", "raidtest_b"}) {
    const workload::RaidtestPreset preset = workload::load_raidtest_preset(name);
    const workload::RequestFile file =
        workload::make_request_file(preset, subject().drive.capacity_sectors, subject().seed);
    const double mean_bytes = static_cast<double>(file.bytes) / static_cast<double>(file.requests.size());
    EXPECT_GT(mean_bytes, workload::kPublishedMeanMin_bytes) << name;
    EXPECT_LT(mean_bytes, workload::kPublishedMeanMax_bytes) << name;
    for (const unsigned processes : kProcesses) {
      // Otherwise the tool's statistics count requests that nobody did, which the published rows do not show.
      EXPECT_EQ(file.requests.size() % processes, 0U) << name << ", " << processes << " processes";
    }
  }
}

}  // namespace
}  // namespace ncqlab
