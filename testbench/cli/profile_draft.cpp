#include "testbench/cli/profile_draft.h"

#include <algorithm>
#include <cmath>
#include <fstream>

#include "model/config/drive_profile.h"
#include "model/config/error.h"

namespace ncqlab::cli {

namespace {

using Json = nlohmann::ordered_json;

// What drives of a capacity were like when they were the usual ones: data on a surface, and the outer rate at 7200 rpm.
// Rough, recalled, and marked as an estimate wherever it gets into a profile.
struct DriveClass {
  double up_to_bytes;
  double surface_bytes;
  double outer_bytes_per_second;
};
constexpr DriveClass kClasses[] = {{50e9, 10e9, 35e6},     {130e9, 40e9, 60e6},    {260e9, 50e9, 68e6},
                                   {550e9, 83e9, 85e6},    {1.1e12, 167e9, 120e6}, {2.1e12, 333e9, 150e6},
                                   {4.1e12, 500e9, 185e6}, {6.1e12, 625e9, 225e6}, {8.1e12, 800e9, 255e6},
                                   {20.1e12, 1e12, 275e6}, {1e30, 1.1e12, 290e6}};

double rounded(double value, double unit) { return std::round(value / unit) * unit; }

std::string on_one_line(const Json& value) {
  if (!value.is_structured()) return value.dump();
  std::string text(1, value.is_object() ? '{' : '[');
  for (const auto& [key, member] : value.items()) {
    if (text.size() > 1) text += ", ";
    if (value.is_object()) text += Json(key).dump() + ": ";
    text += on_one_line(member);
  }
  return text + (value.is_object() ? '}' : ']');
}

// Objects and arrays that fit on a line stand on one; numbers alone fill lines.
std::string pretty(const Json& value, std::size_t indent) {
  std::string flat = on_one_line(value);
  if (!value.is_structured() || flat.size() + indent <= 118) return flat;
  const std::string inner(indent + 2, ' ');
  const bool numbers = value.is_array() && value.front().is_number();
  std::string text(1, value.is_object() ? '{' : '[');
  std::size_t count = 0;
  for (const auto& [key, member] : value.items()) {
    if (count != 0) text += ',';
    text += numbers && count % 16 != 0 ? " " : "\n" + inner;
    if (value.is_object()) text += Json(key).dump() + ": ";
    text += pretty(member, indent + 2);
    ++count;
  }
  return text + "\n" + std::string(indent, ' ') + (value.is_object() ? '}' : ']');
}

}  // namespace

ProfileDraft::ProfileDraft(const KnownDrive& known, std::string origin) : origin_(std::move(origin)) {
  json_["title"] = (known.model + ", from " + base_name(origin_)).substr(0, 120);
  json_["identity"] = {{"model", known.model}, {"serial", known.serial}, {"firmware", known.firmware}};
  json_["capacity_sectors"] = known.capacity_sectors;
  json_["interface"] = {{"generation", known.generation == 0 ? 2 : known.generation},
                        {"queue_depth", known.queue_depth},
                        {"ncq", known.ncq},
                        {"ready_after_reset_ms", 100}};
  add_source("/interface", "not known from " + base_name(origin_), "estimate");
  json_["serial_ata"] = {{"auto_activate", false},    {"buffer_offsets", false},    {"in_order_delivery", false},
                         {"data_phase_sectors", 0},   {"ncq_priority", false},      {"ncq_management", false},
                         {"ncq_send_receive", false}, {"ncq_autosense", false},     {"read_log_dma", false},
                         {"trim_blocks", 0},          {"host_power", false},        {"device_power", false},
                         {"device_sleep", false},     {"partial_after_idle_ms", 0}, {"slumber_after_idle_ms", 0}};
  add_source("/serial_ata", "not known from " + base_name(origin_), "estimate");
  json_["departures"] = Json::array();
  if (known.turns) {
    estimate_mechanics(known);
  } else {
    json_["flash"] = {{"read_access_ms", 0.08}, {"write_access_ms", 0.03}, {"bytes_per_second", 500'000'000}};
    add_source("/flash", "as of a SATA SSD of 2015", "estimate");
  }
  estimate_rest(known);
}

void ProfileDraft::estimate_mechanics(const KnownDrive& known) {
  const double bytes = static_cast<double>(known.capacity_sectors) * 512;
  const DriveClass* drive_class = kClasses;
  while (bytes > drive_class->up_to_bytes) ++drive_class;
  const double rpm = known.rpm == 0 ? 7200 : known.rpm;
  const double revolution_s = 60 / rpm;
  const double heads = std::clamp(std::ceil(bytes / drive_class->surface_bytes), 1.0, 64.0);
  // The skews take a tenth of the time of a stream.
  double outer = drive_class->outer_bytes_per_second * rpm / 7200 * revolution_s * 1.1 / 512;
  outer = std::clamp(std::floor(outer), 8.0,
                     std::max(8.0, std::floor(static_cast<double>(known.capacity_sectors) / heads / 2)));
  const double inner = std::max(8.0, std::floor(outer / 2));
  const double middle = std::round(std::sqrt((outer * outer + inner * inner) / 2));  // half of the LBAs on even tracks
  const double zones = std::clamp(std::floor(static_cast<double>(known.capacity_sectors) / (heads * outer)), 1.0, 24.0);
  const bool slow = rpm < 6500;
  json_["mechanics"] = {{"rpm", rpm},
                        {"heads", static_cast<unsigned>(heads)},
                        {"zones",
                         {{"count", static_cast<unsigned>(zones)},
                          {"outer_sectors_per_track", static_cast<unsigned>(outer)},
                          {"middle_sectors_per_track", static_cast<unsigned>(middle)},
                          {"inner_sectors_per_track", static_cast<unsigned>(inner)}}},
                        {"head_skew_ms", rounded(revolution_s * 120, 0.001)},  // an eighth of a revolution
                        {"cylinder_skew_ms", rounded(revolution_s * 132, 0.001)},
                        {"head_switch_ms", rounded(revolution_s * 120, 0.001)},
                        {"seek",
                         {{"curve", "lee"},
                          {"single_cylinder_ms", slow ? 1.2 : 0.8},
                          {"average_ms", slow ? 12.0 : 8.5},
                          {"full_stroke_ms", slow ? 21.0 : 16.5}}},
                        {"write_settle_ms", 0.5}};
  add_source("/mechanics", "what drives of this capacity and speed are like", "estimate");
}

void ProfileDraft::estimate_rest(const KnownDrive& known) {
  const std::uint64_t buffer = known.buffer_bytes == 0 ? 16'777'216 : known.buffer_bytes;
  json_["queue"] = {{"pick_policy", known.turns ? "shortest-positioning-time" : "fifo"},
                    {"window", known.queue_depth},
                    {"rotational_guard_ms", known.turns ? 0.1 : 0},
                    {"planning_latency_ms", known.turns ? 0.05 : 0}};
  json_["overheads"] = {{"read_command_ms", 0.05},
                        {"write_command_ms", 0.05},
                        {"queued_command_ms", 0.02},
                        {"media_access_ms", known.turns ? 0.2 : 0.005},
                        {"queued_media_access_ms", known.turns ? 0.2 : 0.005},
                        {"write_completion_ms", 0}};
  json_["read_ahead"] = {{"hold_bytes", known.turns ? 65'536 : 0},
                         {"limit_bytes", 1'048'576},
                         {"segments", 16},
                         {"segment_bytes", buffer / 16},
                         {"last_sectors_limit", 0}};
  json_["write_cache"] = {
      {"enabled", true}, {"limit_bytes", buffer / 4 * 3}, {"limit_entries", 0}, {"destage_after_idle_ms", 50}};
  for (const char* of : {"/queue", "/overheads", "/read_ahead", "/write_cache"}) {
    add_source(of, "what drives of this class are like", "estimate");
  }
}

void ProfileDraft::add_source(const std::string& of, const std::string& text, const std::string& standing) {
  sources_.push_back({{"of", of}, {"source", text}, {"standing", standing}});
}

void ProfileDraft::add_fitted_source(const std::string& of, const std::string& text, const std::string& table) {
  sources_.push_back({{"of", of}, {"source", text}, {"standing", "fitted"}, {"fitted_to", {table}}});
}

std::string ProfileDraft::text() const {
  Json whole = json_;
  whole["sources"] = sources_;
  std::string text = pretty(whole, 0) + "\n";
  config::read_drive_profile(config::Document::parse(text, origin_ + " (as a profile)"), base_name(origin_));
  return text;
}

// ---- reading

std::string base_name(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

std::vector<std::string> read_lines(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<std::string> lines;
  constexpr std::size_t kMostLines = 10'000;
  for (std::string line; lines.size() < kMostLines && std::getline(file, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    lines.push_back(line);
  }
  if (!file.is_open() || lines.empty()) {
    throw config::ConfigError({path + ": cannot be read, or is empty; expected a text file"});
  }
  return lines;
}

void wrong_line(const std::string& path, std::size_t line, const std::string& found, const std::string& expected) {
  throw config::ConfigError({path + ":" + std::to_string(line) + ": " + found + ", expected " + expected});
}

}  // namespace ncqlab::cli
