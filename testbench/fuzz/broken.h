// How the fuzzer learns that something does not hold: a line that says what, and an end that no sanitizer overlooks.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace ncqlab::fuzz {

[[noreturn]] inline void broken(const char* what) {
  std::fprintf(stderr, "broken: %s\n", what);
  std::abort();
}

inline void expect(bool holds, const char* otherwise) {
  if (!holds) broken(otherwise);
}

}  // namespace ncqlab::fuzz
