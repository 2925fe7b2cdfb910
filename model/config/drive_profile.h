// Loads disks/drives/*.json (schema: disks/schema/drive.schema.json, described in docs/FORMATS.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/config/document.h"
#include "model/drive/profile.h"

namespace ncqlab::config {

// Throws ConfigError with everything wrong in the file: against the schema first, then what the schema can't express
// (geometry, seek curve, characters of the identity, sources). What is odd but possible goes to `warnings`, in lines of
// the same form.
drive::Profile load_drive_profile(std::string_view name_or_path, std::vector<std::string>* warnings = nullptr);

// The same for a document that is there already; `name` becomes the profile's.
drive::Profile read_drive_profile(const Document& document, std::string_view name,
                                  std::vector<std::string>* warnings = nullptr);

}  // namespace ncqlab::config
