// Inside the library: says in plain words what a value breaks of its schema. valijson decides whether a value is right;
// its messages give neither the value nor the range, so they serve only where there are no words here.
#pragma once

#include <string>

#include "model/config/error.h"
#include "model/config/node.h"

namespace ncqlab::config {

// Checks `instance` (read from `file`) against `schema` and throws ConfigError with a line for everything wrong, in the
// order of the file.
void check_document(const Node& schema, const std::string& schema_file, const Node& instance, const std::string& file);

}  // namespace ncqlab::config
