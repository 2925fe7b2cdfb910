#include "testbench/workload/spread.h"

#include <algorithm>
#include <cmath>

namespace ncqlab::workload {

Spread spread_of(const std::vector<double>& values) {
  Spread spread;
  if (values.empty()) return spread;
  spread.count = values.size();
  spread.min = *std::min_element(values.begin(), values.end());
  spread.max = *std::max_element(values.begin(), values.end());
  double sum = 0;
  for (const double value : values) sum += value;
  spread.mean = sum / static_cast<double>(values.size());
  if (values.size() > 1) {
    double squares = 0;
    for (const double value : values) squares += (value - spread.mean) * (value - spread.mean);
    spread.standard_deviation = std::sqrt(squares / static_cast<double>(values.size() - 1));
  }
  return spread;
}

}  // namespace ncqlab::workload
