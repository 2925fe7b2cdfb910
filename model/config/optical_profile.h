// Loads disks/optical/*.json (schema: disks/schema/optical.schema.json, described in docs/FORMATS.md).
#pragma once

#include <string_view>

#include "model/config/document.h"
#include "model/drive/optical/profile.h"

namespace ncqlab::config {

// Throws ConfigError with everything wrong in the file.
drive::OpticalProfile load_optical_profile(std::string_view name_or_path);

// The same for a document that is there already; `name` becomes the profile's.
drive::OpticalProfile read_optical_profile(const Document& document, std::string_view name);

}  // namespace ncqlab::config
