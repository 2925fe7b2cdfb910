#include "testbench/report/published_cells.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>

namespace ncqlab::report {

namespace {

struct RaidtestRow {
  unsigned processes;
  std::uint32_t bytes_per_second;
  std::uint32_t requests_per_second;
};

Table raidtest_table(const char* id, const std::vector<RaidtestRow>& rows) {
  Table table{id, {}};
  for (const RaidtestRow& row : rows) {
    const std::string name = "P=" + std::to_string(row.processes);
    table.cells.push_back({name, "bytes/s", "B/s", static_cast<double>(row.bytes_per_second), {}, false});
    table.cells.push_back({name, "req/s", "1/s", static_cast<double>(row.requests_per_second), {}, false});
  }
  return table;
}

std::vector<double> absolute_errors(const std::vector<Cell>& cells) {
  std::vector<double> errors;
  for (const Cell& cell : cells) {
    if (const auto error = cell.error_percent()) errors.push_back(std::fabs(*error));
  }
  std::sort(errors.begin(), errors.end());
  return errors;
}

}  // namespace

std::optional<double> Cell::error_percent() const {
  if (!simulated) return std::nullopt;
  return 100 * (*simulated - published) / published;
}

Cell& Table::at(std::string_view row, std::string_view cell) {
  for (Cell& candidate : cells) {
    if (candidate.row == row && candidate.cell == cell) return candidate;
  }
  throw std::out_of_range("table " + id + " has no cell \"" + std::string(row) + "\", \"" + std::string(cell) + "\"");
}

std::optional<double> Table::median_error_percent() const { return report::median_error_percent(cells); }
std::optional<double> Table::worst_error_percent() const { return report::worst_error_percent(cells); }

std::optional<double> median_error_percent(const std::vector<Cell>& cells) {
  const std::vector<double> errors = absolute_errors(cells);
  if (errors.empty()) return std::nullopt;
  const std::size_t middle = errors.size() / 2;
  return errors.size() % 2 == 1 ? errors[middle] : (errors[middle - 1] + errors[middle]) / 2;
}

std::optional<double> worst_error_percent(const std::vector<Cell>& cells) {
  const std::vector<double> errors = absolute_errors(cells);
  if (errors.empty()) return std::nullopt;
  return errors.back();
}

// raidtest prints both rates rounded down to whole numbers.
Table published_raidtest_ad4() {
  return raidtest_table("000/raidtest/ad4", {{1, 8708462, 133},
                                             {2, 8698291, 132},
                                             {5, 8791501, 134},
                                             {10, 8840052, 135},
                                             {20, 8942725, 136},
                                             {50, 9021465, 137},
                                             {100, 9080795, 138},
                                             {200, 9125459, 139},
                                             {500, 9142287, 139}});
}

Table published_raidtest_ada0() {
  return raidtest_table("000/raidtest/ada0", {{1, 8452955, 129},
                                              {2, 10020275, 153},
                                              {5, 12606027, 192},
                                              {10, 14038579, 214},
                                              {20, 14600856, 223},
                                              {50, 13430015, 205},
                                              {100, 13684512, 209},
                                              {200, 14657450, 224},
                                              {500, 14443617, 220}});
}

Table published_diskinfo_ada0() {
  return {"000/diskinfo/ada0",
          {{"Full stroke", "per op", "ms", 20.540, {}, false},
           {"Half stroke", "per op", "ms", 14.176, {}, false},
           {"Quarter stroke", "per op", "ms", 11.948, {}, false},
           {"Short forward", "per op", "ms", 4.844, {}, false},
           {"Short backward", "per op", "ms", 5.500, {}, false},
           {"Seq outer", "per op", "ms", 0.098, {}, false},
           {"Seq inner", "per op", "ms", 0.251, {}, false},
           {"outside", "rate", "kB/s", 112452, {}, false},
           {"middle", "rate", "kB/s", 91011, {}, false},
           {"inside", "rate", "kB/s", 50368, {}, false}}};
}

}  // namespace ncqlab::report
