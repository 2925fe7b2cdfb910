// Loads disks/bugs/*.json (schema: disks/schema/fault.schema.json, described in docs/FAULTS.md).
#pragma once

#include <string_view>

#include "model/config/document.h"
#include "model/faults/program.h"

namespace ncqlab::config {

// Throws ConfigError with everything wrong in the file: against the schema first, then names that the directory does
// not have, wrong types, and rules that can never fire.
faults::Program load_fault_program(std::string_view name_or_path);

// The same for a document that is there already; `name` becomes the program's.
faults::Program read_fault_program(const Document& document, std::string_view name);

}  // namespace ncqlab::config
