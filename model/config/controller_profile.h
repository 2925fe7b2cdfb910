// Loads disks/controllers/*.json (schema: disks/schema/controller.schema.json, described in docs/FORMATS.md).
#pragma once

#include <string_view>

#include "model/config/document.h"
#include "model/hba/profile.h"

namespace ncqlab::config {

// Throws ConfigError with everything wrong in the file: against the schema first, then what the schema can't express
// (ports implemented beyond the number of ports or named twice, sources).
hba::ControllerProfile load_controller_profile(std::string_view name_or_path);

// The same for a document that is there already; `name` becomes the profile's.
hba::ControllerProfile read_controller_profile(const Document& document, std::string_view name);

}  // namespace ncqlab::config
