#include "testbench/report/table.h"

#include <algorithm>
#include <cstdio>
#include <stdexcept>

namespace ncqlab::report {

TextTable::TextTable(std::vector<std::string> headers, std::vector<Align> alignments)
    : headers_(std::move(headers)), alignments_(std::move(alignments)) {
  alignments_.resize(headers_.size(), Align::right);
}

void TextTable::add_row(std::vector<std::string> cells) {
  if (cells.size() != headers_.size()) {
    throw std::invalid_argument("a table of " + std::to_string(headers_.size()) + " columns was given a row of " +
                                std::to_string(cells.size()));
  }
  rows_.push_back(std::move(cells));
}

void TextTable::add_rule() { rows_.emplace_back(); }

std::string TextTable::text() const {
  std::vector<std::size_t> widths;
  for (const std::string& header : headers_) widths.push_back(header.size());
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }

  std::string text;
  const auto add_line = [&](const std::vector<std::string>& cells) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (i != 0) line += "  ";
      const std::string padding(widths[i] - cells[i].size(), ' ');
      line += alignments_[i] == Align::right ? padding + cells[i] : cells[i] + padding;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  };
  std::vector<std::string> dashes;
  for (const std::size_t width : widths) dashes.emplace_back(width, '-');

  add_line(headers_);
  add_line(dashes);
  for (const auto& row : rows_) add_line(row.empty() ? dashes : row);
  return text;
}

std::string fixed(double value, int decimals) {
  char text[400];  // a double has at most 309 digits before the point
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  const std::string printed = text;
  const bool is_negative_zero = printed[0] == '-' && printed.find_first_not_of("-0.") == std::string::npos;
  return is_negative_zero ? printed.substr(1) : printed;
}

std::string signed_percent(double value) {
  const std::string number = fixed(value, 1);
  const bool positive = number[0] != '-' && number != "0.0";
  return (positive ? "+" : "") + number + " %";
}

}  // namespace ncqlab::report
