// Why a text is no expression: where, what was found, what was expected, and for a wrong name the ones there are.
#pragma once

#include <cstddef>
#include <exception>
#include <string>
#include <utility>
#include <vector>

namespace ncqlab::faults {

struct ExpressionError final : std::exception {
  ExpressionError(std::size_t at, std::string what_found, std::string what_expected,
                  std::vector<std::string> known = {}, std::string unknown = {})
      : column(at),
        found(std::move(what_found)),
        expected(std::move(what_expected)),
        candidates(std::move(known)),
        word(std::move(unknown)) {}
  const char* what() const noexcept override { return found.c_str(); }

  std::size_t column;  // from 1
  std::string found;
  std::string expected;
  std::vector<std::string> candidates;
  std::string word;  // that none of them is
};

}  // namespace ncqlab::faults
