// Inside the pick policies: the candidate of the lowest cost, the oldest of equal ones.
#pragma once

#include <cstddef>

namespace ncqlab::drive {

// `count` > 0; cost(index) gives something that can be compared.
template <class Cost>
std::size_t lowest_cost(std::size_t count, Cost cost) {
  std::size_t best = 0;
  auto best_cost = cost(0);
  for (std::size_t i = 1; i < count; ++i) {
    const auto this_cost = cost(i);
    if (this_cost < best_cost) {
      best_cost = this_cost;
      best = i;
    }
  }
  return best;
}

}  // namespace ncqlab::drive
