// `ncqlab profile from-diskinfo`: from what FreeBSD's `diskinfo -v -t` prints. Capacity and names are read off; zones,
// skews, overhead and seek curve are fitted: the tool's own procedure runs on the model, and what differs is corrected.
// docs/FORMATS.md says how far it gets.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "model/config/controller_profile.h"
#include "model/config/drive_profile.h"
#include "testbench/cli/diskinfo_output.h"
#include "testbench/cli/profile_draft.h"
#include "testbench/lab/experiment.h"

namespace ncqlab::cli {

namespace {

// The tool and the system under it take about so long from one read to the next, as on the machine of the demo's table.
constexpr sim::Time kHostOverhead = 30 * sim::kMicrosecond;
constexpr int kRounds = 6;

// As the file will have it: to a tenth of a microsecond, so that the drive of the file is the one that was fitted.
double in_ms(double ms) { return std::round(ms * 1e4) / 1e4; }
sim::Time rounded(double ms) { return sim::from_ms(in_ms(ms)); }

class Fit {
 public:
  Fit(const DiskinfoOutput& measured, drive::Profile profile) : measured_(measured) {
    state_.profile = std::move(profile);
    subject_.controller = config::load_controller_profile("generic");
    subject_.layouts = 1;
    mechanics().seek = {};
    mechanics().seek.curve = "table";
  }

  // Leaves the best profile found.
  void run() {
    const double revolution_ms = 60'000 / mechanics().rpm;
    const unsigned heads = mechanics().heads;
    // The short strokes depend on nothing but heads and skews, and jump by a revolution: many are tried, a little.
    for (const unsigned more_heads : {0U, 1U, 2U}) {
      for (int step = 0; step < 10; ++step) {
        for (const double more_skew : {0.0, 0.03}) {
          const double head_skew = 0.06 + 0.01 * step;
          begin(heads + more_heads, revolution_ms * head_skew, revolution_ms * (head_skew + more_skew));
          improve(3);
        }
      }
    }
    take_best();
    improve(kRounds);
    take_best();
    measure();
  }

  const drive::Profile& profile() const { return state_.profile; }
  // Of a row of the tool, by name, in per cent.
  double error_percent(const char* row) const { return 100 * (simulated(row) / published(row) - 1); }

 private:
  // What of a fit changes from round to round.
  struct State {
    drive::Profile profile;
    std::array<double, 3> sectors{};
    double overhead_ms = 0, single_ms = 0, quarter_ms = 0, half_ms = 0, full_ms = 0;
  };

  drive::Mechanics& mechanics() { return state_.profile.mechanics; }

  void improve(int rounds) {
    for (int round = 0; round < rounds; ++round) {
      const double error = measure();
      if (error < best_error_) {
        best_error_ = error;
        best_ = state_;
      }
      correct();
    }
  }
  void take_best() { state_ = best_; }

  double published(const std::string& row) const {
    for (std::size_t i = 0; i < measured_.seek_ms.size(); ++i) {
      if (row == measured_.kSeekRows[i]) return measured_.seek_ms[i];
    }
    for (std::size_t i = 0; i < measured_.rate_kbytes.size(); ++i) {
      if (row == measured_.kRateRows[i]) return measured_.rate_kbytes[i];
    }
    return 0;
  }
  double simulated(const std::string& row) const {
    for (const workload::DiskinfoResult& result : results_) {
      if (result.row == row) return result.value;
    }
    return 0;
  }

  // A stream loses the skew once a track; the seek points are those distances without rotation and overhead.
  void begin(unsigned heads, double head_skew_ms, double cylinder_skew_ms) {
    const double revolution_ms = 60'000 / mechanics().rpm;
    mechanics().heads = heads;
    mechanics().head_skew = mechanics().head_switch = rounded(head_skew_ms);
    mechanics().cylinder_skew = rounded(cylinder_skew_ms);
    const double mean_skew_ms = head_skew_ms + (cylinder_skew_ms - head_skew_ms) / heads;
    for (std::size_t i = 0; i < 3; ++i) {
      state_.sectors[i] = measured_.rate_kbytes[i] * 2 * (revolution_ms + mean_skew_ms) / 1000;
    }
    put_zones();
    state_.overhead_ms = std::max(0.02, measured_.seek_ms[5] - sim::to_ms(kHostOverhead) - 0.03);
    const double lost_ms = revolution_ms / 2 + state_.overhead_ms + sim::to_ms(state_.profile.overheads.media_access);
    state_.single_ms = head_skew_ms;
    state_.quarter_ms = measured_.seek_ms[2] - lost_ms;
    state_.half_ms = measured_.seek_ms[1] - lost_ms;
    state_.full_ms = measured_.seek_ms[0] - lost_ms;
    put_seek();
  }

  void put_zones() {
    // The parabola falls all the way: the middle stays between its bounds.
    const double outer = std::max(16.0, std::max(state_.sectors[0], state_.sectors[2]));
    const double inner = std::clamp(state_.sectors[2], 8.0, outer);
    const double middle = std::clamp(state_.sectors[1], std::ceil((outer + 3 * inner) / 4 + 1),
                                     std::max(inner, std::floor((3 * outer + inner) / 4 - 1)));
    drive::Zones& zones = mechanics().zones;
    zones.outer_sectors_per_track = static_cast<unsigned>(std::lround(std::min(outer, 65'535.0)));
    zones.middle_sectors_per_track = static_cast<unsigned>(std::lround(std::min(middle, 65'535.0)));
    zones.inner_sectors_per_track = static_cast<unsigned>(std::lround(std::min(inner, 65'535.0)));
  }

  std::uint64_t cylinders_between(std::uint64_t from, std::uint64_t to) const {
    const drive::Geometry geometry(state_.profile.mechanics, state_.profile.capacity_sectors, drive::Layout{0});
    return std::max<std::uint64_t>(2, geometry.locate(to).cylinder - geometry.locate(from).cylinder);
  }

  // Points of rising distance and time: one cylinder and the strokes at the middle of their phases, which go from N/4
  // and N/2 to as far beyond, and, the full one, on 0 to N and inwards.
  void put_seek() {
    state_.profile.overheads.read_command = rounded(state_.overhead_ms);
    const std::uint64_t n = state_.profile.capacity_sectors;
    const std::uint64_t quarter = cylinders_between(n / 4, n / 2);
    const std::uint64_t half = std::max(quarter + 1, cylinders_between(n / 4, n / 4 * 3));
    const std::uint64_t full = std::max(half + 1, cylinders_between(0, n - 1));
    const double floor_ms = std::max(0.05, state_.single_ms);
    const double quarter_ms = std::max(floor_ms, state_.quarter_ms);
    const double half_ms = std::max(quarter_ms, state_.half_ms);
    // Between one cylinder and the quarter stroke a root, in a few points.
    auto& points = mechanics().seek.points;
    points = {{1, rounded(floor_ms)}};
    for (const double share : {0.01, 0.05, 0.2, 0.5}) {
      const auto at = static_cast<std::uint64_t>(share * static_cast<double>(quarter));
      if (at <= points.back().cylinders) continue;
      points.push_back({at, rounded(floor_ms + (quarter_ms - floor_ms) * std::sqrt(share))});
    }
    points.push_back({quarter, rounded(quarter_ms)});
    points.push_back({half, rounded(half_ms)});
    points.push_back({full, rounded(std::max(half_ms, state_.full_ms))});
  }

  // Returns the sum of the errors of all rows but "Seq inner", which is a quirk of firmware where it differs from "Seq
  // outer". The short strokes jump too much to decide over the others.
  double measure() {
    subject_.drive = state_.profile;
    workload::HostOptions host;
    host.queue_depth = 1;
    host.overhead = kHostOverhead;
    results_ = lab::run_diskinfo(subject_, host).results;
    double sum = 0;
    for (const workload::DiskinfoResult& result : results_) {
      if (result.row == "Seq inner") continue;
      const bool jumps = result.row.rfind("Short", 0) == 0;
      sum += std::abs(result.value / published(result.row) - 1) * (jumps ? 0.2 : 1);
    }
    return sum;
  }

  void correct() {
    const auto missing = [this](const char* row) { return published(row) - simulated(row); };
    for (std::size_t i = 0; i < 3; ++i)
      state_.sectors[i] *= published(measured_.kRateRows[i]) / simulated(measured_.kRateRows[i]);
    put_zones();
    state_.overhead_ms = std::max(0.001, state_.overhead_ms + missing("Seq outer"));
    state_.quarter_ms += 0.7 * missing("Quarter stroke");
    state_.half_ms += 0.7 * missing("Half stroke");
    state_.full_ms += 0.7 * missing("Full stroke");
    put_seek();
  }

  const DiskinfoOutput& measured_;
  lab::Subject subject_;
  std::vector<workload::DiskinfoResult> results_;
  State state_;
  State best_;
  double best_error_ = 1e300;
};

void put_mechanics(const drive::Profile& fitted, nlohmann::ordered_json& json) {
  const drive::Mechanics& mechanics = fitted.mechanics;
  nlohmann::ordered_json& section = json["mechanics"];
  section["zones"]["outer_sectors_per_track"] = mechanics.zones.outer_sectors_per_track;
  section["zones"]["middle_sectors_per_track"] = mechanics.zones.middle_sectors_per_track;
  section["zones"]["inner_sectors_per_track"] = mechanics.zones.inner_sectors_per_track;
  section["heads"] = mechanics.heads;
  section["head_skew_ms"] = section["head_switch_ms"] = in_ms(sim::to_ms(mechanics.head_skew));
  section["cylinder_skew_ms"] = in_ms(sim::to_ms(mechanics.cylinder_skew));
  nlohmann::ordered_json points = nlohmann::ordered_json::array();
  for (const drive::SeekPoint& point : mechanics.seek.points) {
    points.push_back({{"cylinders", point.cylinders}, {"time_ms", in_ms(sim::to_ms(point.time))}});
  }
  section["seek"] = {{"curve", "table"}, {"points", points}};
  json["overheads"]["read_command_ms"] = in_ms(sim::to_ms(fitted.overheads.read_command));
}

}  // namespace

std::string profile_from_diskinfo(const std::string& path) {
  const DiskinfoOutput measured = read_diskinfo(path);
  constexpr std::uint64_t kLeast = 4'194'304;  // 2 GiB: three places for 100 MiB each, and some cylinders
  if (measured.capacity_sectors < kLeast) {
    throw config::ConfigError({path + ": a disk of " + std::to_string(measured.capacity_sectors) +
                               " sectors, expected at least " + std::to_string(kLeast) + " to fit anything to"});
  }
  KnownDrive known;
  if (!measured.model.empty()) known.model = measured.model.substr(0, 40);
  if (!measured.serial.empty()) known.serial = measured.serial.substr(0, 20);
  known.capacity_sectors = measured.capacity_sectors;
  known.rpm = measured.rpm;
  known.turns = measured.turns;
  ProfileDraft draft(known, path);
  draft.add_source("/capacity_sectors", "diskinfo: mediasize in sectors", "measured");
  if (!measured.turns) return draft.text();
  if (measured.rpm != 0) draft.add_source("/mechanics/rpm", "diskinfo: rotation rate", "measured");

  Fit fit(measured, config::read_drive_profile(config::Document::parse(draft.text(), path), "draft"));
  fit.run();
  put_mechanics(fit.profile(), draft.json());
  const std::string table = base_name(path);
  for (const char* of :
       {"/mechanics/heads", "/mechanics/zones", "/mechanics/head_skew_ms", "/mechanics/cylinder_skew_ms",
        "/mechanics/head_switch_ms", "/mechanics/seek", "/overheads/read_command_ms"}) {
    draft.add_fitted_source(of, "ncqlab profile from-diskinfo; zones' number estimated", table);
  }
  std::fprintf(stderr, "error of the model on the tool's own figures, per cent:\n");
  for (const char* row : measured.kSeekRows) std::fprintf(stderr, "  %-15s %+6.1f\n", row, fit.error_percent(row));
  for (const char* row : measured.kRateRows) std::fprintf(stderr, "  %-15s %+6.1f\n", row, fit.error_percent(row));
  return draft.text();
}

}  // namespace ncqlab::cli
