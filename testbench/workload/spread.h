// Mean and spread of one figure over several runs (disk layouts, seeds). One layout can lock in phase with the disk's
// rotation, so a figure is the mean over at least four.
#pragma once

#include <cstddef>
#include <vector>

namespace ncqlab::workload {

struct Spread {
  std::size_t count = 0;
  double mean = 0;
  double min = 0;
  double max = 0;
  double standard_deviation = 0;  // of the sample (n - 1); 0 for a single value
};

// All zero for no value.
Spread spread_of(const std::vector<double>& values);

}  // namespace ncqlab::workload
