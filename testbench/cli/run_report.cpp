#include "testbench/cli/run_report.h"

#include <nlohmann/json.hpp>

#include "testbench/cli/version.h"
#include "testbench/report/json.h"
#include "testbench/report/table.h"

namespace ncqlab::cli {

namespace {

constexpr double kPercentiles[] = {50, 90, 99, 99.9};

// Latencies and counts of all layouts as one.
struct Totals {
  report::Histogram read;
  report::Histogram write;
  drive::DiskStatistics disk;
  double outstanding = 0;
  std::uint64_t interrupts = 0, register_reads = 0, register_writes = 0, requests = 0, checked = 0, flushes = 0;
  std::vector<faults::Firings> firings;
};

Totals totals_of(const lab::JobOutcome& outcome) {
  Totals totals;
  for (const lab::JobRun& run : outcome.runs) {
    totals.read.merge(run.read_latency);
    totals.write.merge(run.write_latency);
    totals.disk.reads += run.disk.reads;
    totals.disk.writes += run.disk.writes;
    totals.disk.read_hits += run.disk.read_hits;
    totals.disk.arm_movements += run.disk.arm_movements;
    totals.disk.destage_passes += run.disk.destage_passes;
    totals.disk.destaged_sectors += run.disk.destaged_sectors;
    totals.disk.seek_cylinders += run.disk.seek_cylinders;
    totals.disk.positioning += run.disk.positioning;
    totals.disk.rotation += run.disk.rotation;
    totals.disk.throttled_writes += run.disk.throttled_writes;
    totals.outstanding += run.mean_outstanding / static_cast<double>(outcome.runs.size());
    totals.interrupts += run.interrupts;
    totals.register_reads += run.register_reads;
    totals.register_writes += run.register_writes;
    totals.requests += run.result.reads + run.result.writes;
    totals.flushes += run.result.flushes;
    totals.checked += run.sectors_checked;
    if (totals.firings.empty()) totals.firings.resize(run.firings.size());
    for (std::size_t i = 0; i < run.firings.size(); ++i) {
      faults::Firings sum = run.firings[i];
      sum.met += totals.firings[i].met;
      sum.fired += totals.firings[i].fired;
      totals.firings[i] = sum;
    }
  }
  return totals;
}

double per(double sum, std::uint64_t count) { return count == 0 ? 0 : sum / static_cast<double>(count); }

std::string job_text(const lab::JobSetup& setup) {
  const workload::JobOptions& job = setup.job;
  std::string text(workload::name_of(job.rw));
  text += ", " + std::to_string(job.bs_bytes) + " B, iodepth " + std::to_string(job.iodepth);
  text += job.requests != 0 ? ", " + std::to_string(job.requests) + " requests a layout"
                            : ", " + report::fixed(sim::to_seconds(job.time_limit), 3) + " s a layout";
  text += setup.ncq ? ", NCQ" : ", no NCQ";
  text += setup.write_cache ? ", write cache on" : ", write cache off";
  if (job.fua) text += ", FUA";
  if (job.fsync_every_writes != 0) text += ", flush every " + std::to_string(job.fsync_every_writes) + " writes";
  return text;
}

void latency_rows(report::TextTable& table, const char* what, const report::Histogram& histogram) {
  if (histogram.count() == 0) return;
  std::vector<std::string> row = {what, report::fixed(histogram.mean() / static_cast<double>(sim::kMillisecond), 3)};
  for (const double percent : kPercentiles) row.push_back(report::fixed(sim::to_ms(histogram.percentile(percent)), 3));
  row.push_back(report::fixed(sim::to_ms(histogram.max()), 3));
  table.add_row(row);
}

using Json = nlohmann::ordered_json;

Json spread_json(const workload::Spread& spread) {
  return {{"mean", spread.mean},
          {"min", spread.min},
          {"max", spread.max},
          {"standard_deviation", spread.standard_deviation}};
}

Json latency_json(const report::Histogram& histogram) {
  if (histogram.count() == 0) return nullptr;
  Json percentiles = Json::object();
  for (const double percent : kPercentiles) {
    percentiles["p" + report::fixed(percent, percent == 99.9 ? 1 : 0)] = sim::to_ms(histogram.percentile(percent));
  }
  return {{"count", histogram.count()},
          {"mean", histogram.mean() / static_cast<double>(sim::kMillisecond)},
          {"min", sim::to_ms(histogram.min())},
          {"max", sim::to_ms(histogram.max())},
          {"percentiles", percentiles}};
}

Json disk_json(const drive::DiskStatistics& disk) {
  return {{"reads", disk.reads},
          {"writes", disk.writes},
          {"read_hits", disk.read_hits},
          {"arm_movements", disk.arm_movements},
          {"mean_positioning_ms", per(sim::to_ms(disk.positioning), disk.arm_movements)},
          {"mean_rotation_ms", per(sim::to_ms(disk.rotation), disk.arm_movements)},
          {"mean_seek_cylinders", per(static_cast<double>(disk.seek_cylinders), disk.arm_movements)},
          {"destage_passes", disk.destage_passes},
          {"destaged_sectors", disk.destaged_sectors},
          {"throttled_writes", disk.throttled_writes}};
}

Json firings_json(const std::vector<faults::Firings>& firings) {
  Json rules = Json::array();
  for (const faults::Firings& rule : firings) {
    rules.push_back({{"program", rule.program},
                     {"rule", rule.rule},
                     {"hook", rule.hook},
                     {"met", rule.met},
                     {"fired", rule.fired}});
  }
  return rules;
}

Json run_json(const lab::JobRun& run) {
  return {{"layout", run.layout},
          {"fingerprint", report::fingerprint_text(run.fingerprint)},
          {"simulated_s", run.result.seconds()},
          {"reads", run.result.reads},
          {"writes", run.result.writes},
          {"flushes", run.result.flushes},
          {"failed", run.result.failed},
          {"requests_per_second", run.result.requests_per_second()},
          {"bytes_per_second", run.result.bytes_per_second()},
          {"mean_outstanding", run.mean_outstanding},
          {"read_latency_ms", latency_json(run.read_latency)},
          {"write_latency_ms", latency_json(run.write_latency)},
          {"disk", disk_json(run.disk)},
          {"interrupts", run.interrupts},
          {"register_reads", run.register_reads},
          {"register_writes", run.register_writes},
          {"sectors_checked", run.sectors_checked},
          {"bugs", firings_json(run.firings)}};
}

}  // namespace

std::string run_as_text(const lab::JobSetup& setup, const lab::JobOutcome& outcome) {
  const Totals totals = totals_of(outcome);
  const lab::Subject& subject = setup.subject;
  std::string text = std::string("ncqlab ") + kVersion + ", seed " + std::to_string(subject.seed) + ", fingerprint " +
                     report::fingerprint_text(outcome.fingerprint) + "\n";
  text += "drive       " + subject.drive.name + ": " + subject.drive.title + "\n";
  text += "controller  " + subject.controller.name + ": " + subject.controller.title + "\n";
  text += "job         " + job_text(setup) + "\n\n";

  report::TextTable figures({"", "mean", "min", "max", "std dev"}, {report::TextTable::Align::left});
  const auto add = [&figures](const char* what, const workload::Spread& spread, double unit, int decimals) {
    figures.add_row({what, report::fixed(spread.mean / unit, decimals), report::fixed(spread.min / unit, decimals),
                     report::fixed(spread.max / unit, decimals),
                     report::fixed(spread.standard_deviation / unit, decimals)});
  };
  add("IOPS", outcome.requests_per_second, 1, 1);
  add("MB/s", outcome.bytes_per_second, 1e6, 2);
  text += "over " + std::to_string(subject.layouts) + (subject.layouts == 1 ? " disk layout\n" : " disk layouts\n");
  text += figures.text() + "\n";

  report::TextTable latency({"latency, ms", "mean", "p50", "p90", "p99", "p99.9", "max"},
                            {report::TextTable::Align::left});
  latency_rows(latency, "read", totals.read);
  latency_rows(latency, "write", totals.write);
  text += latency.text();
  if (!subject.drive.tail_events.any()) {
    text += "p99.9 and max: this drive has no tail events (retries, recalibration, background scan), a real one has\n";
  }
  text += "\n";

  const drive::DiskStatistics& disk = totals.disk;
  text += "queue    " + report::fixed(totals.outstanding, 1) + " requests outstanding on average, depth offered " +
          std::to_string(outcome.depth) + "\n";
  text += "arm      " + std::to_string(disk.arm_movements) + " movements for commands, " +
          report::fixed(per(sim::to_ms(disk.positioning), disk.arm_movements), 3) + " ms each, of it " +
          report::fixed(per(sim::to_ms(disk.rotation), disk.arm_movements), 3) + " ms rotation; " +
          report::fixed(per(static_cast<double>(disk.seek_cylinders), disk.arm_movements), 0) + " cylinders\n";
  text += "cache    " + std::to_string(disk.read_hits) + " of " + std::to_string(disk.reads) + " reads hit; " +
          std::to_string(disk.destage_passes) + " destage passes, " + std::to_string(disk.throttled_writes) +
          " writes waited for room\n";
  text += "driver   " + report::fixed(per(static_cast<double>(totals.interrupts), totals.requests), 2) +
          " interrupts, " + report::fixed(per(static_cast<double>(totals.register_reads), totals.requests), 2) +
          " register reads, " + report::fixed(per(static_cast<double>(totals.register_writes), totals.requests), 2) +
          " register writes a request\n";
  text += "oracle   " + std::to_string(totals.checked) + " sectors read and found right\n";
  for (const faults::Firings& rule : totals.firings) {
    text += "bug      " + rule.program + ", " + rule.rule + ": fired " + std::to_string(rule.fired) + " times of " +
            std::to_string(rule.met) + " that its condition was met, on " + rule.hook + "\n";
  }
  return text;
}

std::string run_as_json(const lab::JobSetup& setup, const lab::JobOutcome& outcome) {
  const lab::Subject& subject = setup.subject;
  const workload::JobOptions& job = setup.job;
  const Totals totals = totals_of(outcome);
  Json layouts = Json::array();
  for (const lab::JobRun& run : outcome.runs) layouts.push_back(run_json(run));
  const Json document = {{"version", kVersion},
                         {"seed", subject.seed},
                         {"fingerprint", report::fingerprint_text(outcome.fingerprint)},
                         {"drive", subject.drive.name},
                         {"controller", subject.controller.name},
                         {"job",
                          {{"rw", workload::name_of(job.rw)},
                           {"rwmixread_percent", job.rwmixread_percent},
                           {"bs_bytes", job.bs_bytes},
                           {"iodepth", job.iodepth},
                           {"offset_bytes", job.offset_bytes},
                           {"size_bytes", job.size_bytes},
                           {"requests", job.requests},
                           {"time_s", sim::to_seconds(job.time_limit)},
                           {"fsync_every_writes", job.fsync_every_writes},
                           {"fua", job.fua},
                           {"ncq", setup.ncq},
                           {"write_cache", setup.write_cache}}},
                         {"depth", outcome.depth},
                         {"tail_events", subject.drive.tail_events.any()},
                         {"requests_per_second", spread_json(outcome.requests_per_second)},
                         {"bytes_per_second", spread_json(outcome.bytes_per_second)},
                         {"read_latency_ms", latency_json(totals.read)},
                         {"write_latency_ms", latency_json(totals.write)},
                         {"layouts", layouts}};
  return document.dump(2) + "\n";
}

}  // namespace ncqlab::cli
