// Published figures, errors, and their JSON.
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "testbench/report/json.h"
#include "testbench/report/published_cells.h"

namespace ncqlab::report {
namespace {

Cell cell_of(double published, std::optional<double> simulated) {
  return {"P=1", "req/s", "1/s", published, simulated, false};
}

TEST(PublishedCells, ErrorIsRelativeToThePublishedFigure) {
  EXPECT_DOUBLE_EQ(*cell_of(200, 190).error_percent(), -5);
  EXPECT_DOUBLE_EQ(*cell_of(200, 210).error_percent(), 5);
  EXPECT_FALSE(cell_of(200, {}).error_percent());
}

TEST(PublishedCells, MedianAndWorstAreOfAbsoluteErrorsOfWhatWasSimulated) {
  const std::vector<Cell> odd{cell_of(100, 90), cell_of(100, 101), cell_of(100, 102), cell_of(100, {})};
  EXPECT_DOUBLE_EQ(*median_error_percent(odd), 2);
  EXPECT_DOUBLE_EQ(*worst_error_percent(odd), 10);
  const std::vector<Cell> even{cell_of(100, 90), cell_of(100, 101), cell_of(100, 102), cell_of(100, 104)};
  EXPECT_DOUBLE_EQ(*median_error_percent(even), 3);
  EXPECT_FALSE(median_error_percent({cell_of(100, {})}));
  EXPECT_FALSE(worst_error_percent({}));
}

TEST(PublishedCells, RaidtestTablesHaveNineRowsOfTwoCells) {
  for (const Table& table : {published_raidtest_ad4(), published_raidtest_ada0()}) {
    ASSERT_EQ(table.cells.size(), 18U);
    EXPECT_EQ(table.cells.front().row, "P=1");
    EXPECT_EQ(table.cells.back().row, "P=500");
  }
  EXPECT_EQ(published_raidtest_ad4().at("P=500", "req/s").published, 139);
  EXPECT_EQ(published_raidtest_ada0().at("P=20", "req/s").published, 223);
}

// The two columns were printed by one run, rounded down: bytes / requests bounds the mean request, and all rows of both
// tables must leave one common interval. A wrong digit in either column breaks this.
TEST(PublishedCells, BothColumnsOfEveryRowShareOneMeanRequestSize) {
  double low = 0;
  double high = 1e9;
  for (Table table : {published_raidtest_ad4(), published_raidtest_ada0()}) {
    for (std::size_t i = 0; i < table.cells.size(); i += 2) {
      const double bytes = table.cells[i].published;
      const double requests = table.cells[i + 1].published;
      low = std::max(low, bytes / (requests + 1));
      high = std::min(high, (bytes + 1) / requests);
    }
  }
  EXPECT_LT(low, 65411.5);
  EXPECT_GT(high, 65429.3);
}

TEST(PublishedCells, DiskinfoHasSevenTimesAndThreeRates) {
  Table table = published_diskinfo_ada0();
  EXPECT_EQ(table.cells.size(), 10U);
  // per op is elapsed / iterations, rate is 102400 kB / elapsed: the elapsed times were printed too.
  EXPECT_NEAR(table.at("Full stroke", "per op").published, 5135.019 / 250, 0.0005);
  EXPECT_NEAR(table.at("Half stroke", "per op").published, 3543.993 / 250, 0.0005);
  EXPECT_NEAR(table.at("Quarter stroke", "per op").published, 5973.815 / 500, 0.0005);
  EXPECT_NEAR(table.at("Short forward", "per op").published, 1937.594 / 400, 0.0005);
  EXPECT_NEAR(table.at("Short backward", "per op").published, 2199.856 / 400, 0.0005);
  EXPECT_NEAR(table.at("Seq outer", "per op").published, 200.447 / 2048, 0.0005);
  EXPECT_NEAR(table.at("Seq inner", "per op").published, 514.109 / 2048, 0.0005);
  EXPECT_NEAR(table.at("outside", "rate").published, 102400 / 0.910613, 0.5);
  EXPECT_NEAR(table.at("middle", "rate").published, 102400 / 1.125141, 0.5);
  EXPECT_NEAR(table.at("inside", "rate").published, 102400 / 2.033038, 0.5);
}

TEST(PublishedCells, AnUnknownCellIsNamed) {
  Table table = published_diskinfo_ada0();
  EXPECT_THROW(table.set_simulated("Seq outer", "rate", 1), std::out_of_range);
}

TEST(Json, HasTheDocumentedShape) {
  Comparison comparison;
  comparison.version = "0.1.0";
  comparison.seed = 7;
  comparison.fingerprint = 0xAB;
  comparison.tables.push_back({"000/raidtest/ada0", {cell_of(200, 190), cell_of(0.5, {})}});
  comparison.tables[0].cells[0].fitted = true;
  EXPECT_EQ(to_json(comparison), R"({
  "version": "0.1.0",
  "seed": 7,
  "fingerprint": "00000000000000ab",
  "tables": [
    {
      "id": "000/raidtest/ada0",
      "cells": [
        {
          "row": "P=1",
          "cell": "req/s",
          "unit": "1/s",
          "published": 200,
          "simulated": 190,
          "error_percent": -5,
          "fitted": true
        },
        {
          "row": "P=1",
          "cell": "req/s",
          "unit": "1/s",
          "published": 0.5,
          "simulated": null,
          "error_percent": null,
          "fitted": false
        }
      ],
      "median_error_percent": 5,
      "worst_error_percent": 5
    }
  ]
}
)");
}

}  // namespace
}  // namespace ncqlab::report
