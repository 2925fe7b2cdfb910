// What names mean within one expression: those that the hook shows, the program's variables, and constants of the
// place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/faults/directory.h"

namespace ncqlab::faults {

struct Scope {
  const Hook* hook;
  const std::vector<std::string>* variables;
  std::vector<std::pair<std::string, std::int64_t>> constants = {};
};

// A field of an object, or a variable.
struct Reference {
  const Field* field = nullptr;
  std::size_t place = 0;  // of the object in the directory, or of the variable
};

// Of a path such as cmd.opcode or var.seen. Throws ExpressionError with the names that there are.
Reference resolve(const Scope& scope, std::size_t column, const std::string& path);

// All paths that the scope has.
std::vector<std::string> paths_of(const Scope& scope);

}  // namespace ncqlab::faults
