// `ncqlab demo`: raidtest and diskinfo of 2009 on the simulated disk, beside the published figures.
#include <cstdio>
#include <string>
#include <vector>

#include "model/config/controller_profile.h"
#include "model/config/drive_profile.h"
#include "testbench/cli/commands.h"
#include "testbench/cli/version.h"
#include "testbench/lab/experiment.h"
#include "testbench/report/json.h"
#include "testbench/report/published_cells.h"
#include "testbench/report/table.h"
#include "testbench/workload/preset_reader.h"

namespace ncqlab::cli {

namespace {

constexpr const char* kDrive = "st31000340as";
constexpr const char* kController = "ich8";
// B carries the figures; A is shown beside it.
constexpr const char* kPresets[] = {"raidtest_b", "raidtest_a"};
const std::vector<unsigned> kProcesses = {1, 2, 5, 10, 20, 50, 100, 200, 500};

// Which figures took part in fitting the drive's profile (docs/VALIDATION.md).
bool took_part_in_the_fit(const report::Cell& cell) {
  return cell.row != "P=20" && cell.row != "P=100" && cell.row != "P=200";
}

// The published table of one system, simulated under one preset.
report::Table simulate(const lab::Subject& subject, const workload::RaidtestPreset& preset, report::Table published,
                       bool ncq, lab::JointFingerprint& fingerprint) {
  const lab::RaidtestOutcome outcome = lab::run_raidtest(subject, preset, ncq, kProcesses);
  for (const lab::RaidtestFigure& figure : outcome.figures) {
    const std::string row = "P=" + std::to_string(figure.processes);
    published.set_simulated(row, "req/s", figure.requests_per_second.mean);
    published.set_simulated(row, "bytes/s", figure.bytes_per_second.mean);
  }
  fingerprint.add(outcome.fingerprint);
  return published;
}

std::string percent(const std::optional<double>& value) { return value ? report::fixed(*value, 1) + " %" : "-"; }

void print_raidtest(const char* heading, report::Table& b, report::Table& a) {
  std::printf("%s, requests per second\n", heading);
  report::TextTable table({"processes", "published", "B simulated", "B error", "A simulated", "A error"});
  for (const unsigned processes : kProcesses) {
    const std::string row = "P=" + std::to_string(processes);
    const report::Cell& of_b = b.at(row, "req/s");
    const report::Cell& of_a = a.at(row, "req/s");
    table.add_row({std::to_string(processes), report::fixed(of_b.published, 0), report::fixed(*of_b.simulated, 1),
                   report::signed_percent(*of_b.error_percent()), report::fixed(*of_a.simulated, 1),
                   report::signed_percent(*of_a.error_percent())});
  }
  std::printf("%s\n", table.text().c_str());
}

void print_diskinfo(const report::Table& diskinfo) {
  std::printf("diskinfo -t\n");
  report::TextTable table({"", "unit", "published", "simulated", "error"},
                          {report::TextTable::Align::left, report::TextTable::Align::left});
  for (const report::Cell& cell : diskinfo.cells) {
    const int decimals = cell.unit == "ms" ? 3 : 0;
    table.add_row({cell.row, cell.unit, report::fixed(cell.published, decimals),
                   report::fixed(*cell.simulated, decimals), report::signed_percent(*cell.error_percent())});
  }
  std::printf("%s\n", table.text().c_str());
}

void print_errors(const char* what, const std::vector<report::Cell>& cells) {
  std::printf("%-30s median error %s, worst %s\n", what, percent(report::median_error_percent(cells)).c_str(),
              percent(report::worst_error_percent(cells)).c_str());
}

std::vector<report::Cell> joined(const report::Table& first, const report::Table& second) {
  std::vector<report::Cell> cells = first.cells;
  cells.insert(cells.end(), second.cells.begin(), second.cells.end());
  return cells;
}

}  // namespace

int demo(const DemoOptions& options) {
  lab::Subject subject;
  subject.host = options.host;
  subject.seed = options.seed;
  subject.drive = config::load_drive_profile(kDrive);
  subject.controller = config::load_controller_profile(kController);

  lab::JointFingerprint fingerprint;
  std::vector<workload::RaidtestPreset> presets;
  std::vector<report::Table> ad4;
  std::vector<report::Table> ada0;
  for (const char* name : kPresets) {
    presets.push_back(workload::load_raidtest_preset(name));
    ad4.push_back(simulate(subject, presets.back(), report::published_raidtest_ad4(), false, fingerprint));
    ada0.push_back(simulate(subject, presets.back(), report::published_raidtest_ada0(), options.ncq, fingerprint));
  }
  report::Table diskinfo = report::published_diskinfo_ada0();
  const lab::DiskinfoOutcome seeks =
      lab::run_diskinfo(subject, workload::host_options(presets.front(), 1, subject.seed));
  for (const workload::DiskinfoResult& result : seeks.results) {
    diskinfo.set_simulated(result.row, result.cell, result.value);
  }
  fingerprint.add(seeks.fingerprint);

  for (report::Table* table : {&ad4[0], &ada0[0], &ad4[1], &ada0[1], &diskinfo}) {
    for (report::Cell& cell : table->cells) cell.fitted = took_part_in_the_fit(cell);
  }
  for (report::Table* table : {&ad4[1], &ada0[1]}) table->id += "/" + presets[1].name;
  if (!options.json.empty()) {
    const report::Comparison comparison{
        kVersion, options.seed, fingerprint.value(), {ad4[0], ada0[0], diskinfo, ad4[1], ada0[1]}};
    write_result(options.json, report::to_json(comparison));
    if (options.json == "-") return 0;
  }

  std::printf("ncqlab %s, seed %llu, fingerprint %s\n", kVersion, static_cast<unsigned long long>(options.seed),
              report::fingerprint_text(fingerprint.value()).c_str());
  std::printf("drive       %s: %s\n", subject.drive.name.c_str(), subject.drive.title.c_str());
  std::printf("controller  %s: %s\n", subject.controller.name.c_str(), subject.controller.title.c_str());
  for (const auto& preset : presets) std::printf("workload    %s: %s\n", preset.name.c_str(), preset.comment.c_str());
  std::printf("mean of %u disk layouts, seeded host jitter; what raidtest was told in 2009 was not published\n\n",
              subject.layouts);
  print_raidtest("ad4: FreeBSD 7.1 ata(4), no NCQ", ad4[0], ad4[1]);
  print_raidtest(options.ncq ? "ada0: FreeBSD 8.0 ahci(4), NCQ, depth 32"
                             : "ada0: FreeBSD 8.0 ahci(4), simulated WITHOUT NCQ (--no-ncq)",
                 ada0[0], ada0[1]);
  print_diskinfo(diskinfo);
  print_errors("raidtest, B, 18 cells:", joined(ad4[0], ada0[0]));
  print_errors("raidtest, A, 18 cells:", joined(ad4[1], ada0[1]));
  std::vector<report::Cell> without_quirk;
  for (const report::Cell& cell : diskinfo.cells) {
    if (cell.row != "Seq inner") without_quirk.push_back(cell);
  }
  print_errors("diskinfo, without Seq inner:", without_quirk);
  return 0;
}

}  // namespace ncqlab::cli
