#include "testbench/report/json.h"

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace ncqlab::report {

namespace {

using Json = nlohmann::ordered_json;

// Whole numbers without a decimal point: 129, not 129.0.
Json number(double value) {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  if (std::floor(value) == value && std::fabs(value) < kExact) return static_cast<std::int64_t>(value);
  return value;
}

Json number(const std::optional<double>& value) { return value ? number(*value) : Json(nullptr); }

Json cell_json(const Cell& cell) {
  return {{"row", cell.row},
          {"cell", cell.cell},
          {"unit", cell.unit},
          {"published", number(cell.published)},
          {"simulated", number(cell.simulated)},
          {"error_percent", number(cell.error_percent())},
          {"fitted", cell.fitted}};
}

Json table_json(const Table& table) {
  Json cells = Json::array();
  for (const Cell& cell : table.cells) cells.push_back(cell_json(cell));
  return {{"id", table.id},
          {"cells", std::move(cells)},
          {"median_error_percent", number(table.median_error_percent())},
          {"worst_error_percent", number(table.worst_error_percent())}};
}

}  // namespace

std::string fingerprint_text(std::uint64_t fingerprint) {
  char text[20];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(fingerprint));
  return text;
}

std::string to_json(const Comparison& comparison) {
  Json tables = Json::array();
  for (const Table& table : comparison.tables) tables.push_back(table_json(table));
  const Json json = {{"version", comparison.version},
                     {"seed", comparison.seed},
                     {"fingerprint", fingerprint_text(comparison.fingerprint)},
                     {"tables", std::move(tables)}};
  return json.dump(2) + "\n";
}

}  // namespace ncqlab::report
