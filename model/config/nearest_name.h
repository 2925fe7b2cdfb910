// "Did you mean": the known name that a mistyped one is closest to.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ncqlab::config {

// Insertions, deletions, replacements and swaps of neighbours (optimal string alignment, Damerau 1964) that turn one
// word into the other, upper and lower case being the same.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The candidate at the smallest distance, the first of equals; empty when none is near: more than half of the longer
// word would have to change, and neither is the beginning of the other.
std::string nearest_name(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace ncqlab::config
