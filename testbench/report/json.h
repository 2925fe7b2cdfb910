// The JSON of `ncqlab demo` and `ncqlab reproduce`:
//
//   {"version": "0.1.0", "seed": 1, "fingerprint": "0123456789abcdef",
//    "tables": [{"id": "000/raidtest/ada0",
//                "cells": [{"row": "P=1", "cell": "req/s", "unit": "1/s", "published": 129, "simulated": 128,
//                           "error_percent": -0.78, "fitted": true}, ...],
//                "median_error_percent": 1.2, "worst_error_percent": 3.4}, ...]}
//
// The fingerprint is text, since a number of 64 bits is more than most readers of JSON keep. What has not been
// simulated is null.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "testbench/report/published_cells.h"

namespace ncqlab::report {

struct Comparison {
  std::string version;
  std::uint64_t seed = 0;
  std::uint64_t fingerprint = 0;
  std::vector<Table> tables;
};

// Keys in the order above, indented by two, a newline at the end.
std::string to_json(const Comparison& comparison);

// 16 hexadecimal digits.
std::string fingerprint_text(std::uint64_t fingerprint);

}  // namespace ncqlab::report
