// A table in plain text that can be pasted into a mail: columns padded with spaces, no colour, ASCII only.
//
//   TextTable table({"processes", "published", "simulated", "error"});
//   table.add_row({"1", "133", "131", "-1.5 %"});
//   std::fputs(table.text().c_str(), stdout);
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ncqlab::report {

class TextTable {
 public:
  enum class Align : std::uint8_t { left, right };

  // Columns are aligned to the right unless `alignments` says otherwise for the first of them.
  explicit TextTable(std::vector<std::string> headers, std::vector<Align> alignments = {});

  // Throws std::invalid_argument unless there is one cell a column.
  void add_row(std::vector<std::string> cells);
  // A line of dashes between the rows before and after.
  void add_rule();

  // Header, a line of dashes, rows; each line ends in a newline and has no blanks before it.
  std::string text() const;

 private:
  std::vector<std::string> headers_;
  std::vector<Align> alignments_;
  std::vector<std::vector<std::string>> rows_;  // an empty one is a rule
};

// "12.30"; never "-0.00".
std::string fixed(double value, int decimals);
// "+1.2 %"; "0.0 %" has no sign.
std::string signed_percent(double value);

}  // namespace ncqlab::report
