// Published figures and what the simulation says beside them.
//
// Seed 000 is a mail of 2009 to a FreeBSD list, in which one 1 TB disk was measured under FreeBSD 7.1's ata(4), without
// NCQ (ad4), and under 8.0-RC1's ahci(4), with NCQ (ada0), by raidtest with 1 to 500 processes and by `diskinfo -t`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ncqlab::report {

struct Cell {
  std::string row;   // "P=20", "Full stroke"
  std::string cell;  // "req/s", "per op"
  std::string unit;  // "1/s", "B/s", "ms", "kB/s"
  double published = 0;
  std::optional<double> simulated;
  bool fitted = false;  // a parameter was fitted to this cell: a reproduction, not a prediction

  // 100 * (simulated - published) / published; none without a simulated value.
  std::optional<double> error_percent() const;
};

struct Table {
  std::string id;  // seed/tool/drive, as "000/raidtest/ada0"
  std::vector<Cell> cells;

  // Throws std::out_of_range when there is no such cell.
  Cell& at(std::string_view row, std::string_view cell);
  void set_simulated(std::string_view row, std::string_view cell, double value) { at(row, cell).simulated = value; }

  std::optional<double> median_error_percent() const;
  std::optional<double> worst_error_percent() const;
};

// Over the absolute errors of the cells that have a simulated value; none when no cell has one. The median of an even
// number is the mean of the middle two.
std::optional<double> median_error_percent(const std::vector<Cell>& cells);
std::optional<double> worst_error_percent(const std::vector<Cell>& cells);

// Rows P=1, 2, 5, 10, 20, 50, 100, 200, 500, each with "bytes/s" and "req/s".
Table published_raidtest_ad4();
Table published_raidtest_ada0();
// "Full stroke" .. "Seq inner" with "per op" in ms, "outside", "middle", "inside" with "rate" in kB/s of 1024 bytes.
Table published_diskinfo_ada0();

}  // namespace ncqlab::report
