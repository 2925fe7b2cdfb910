// Inside the library: what makes a drive impossible although each of its numbers is allowed by the schema.
#pragma once

#include "model/config/error.h"
#include "model/drive/profile.h"

namespace ncqlab::config {

void check_identity(const drive::Identity& identity, Findings& errors);
void check_drive(const drive::Profile& profile, Findings& errors, Findings& odd);

}  // namespace ncqlab::config
