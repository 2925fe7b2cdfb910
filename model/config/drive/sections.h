// Inside the library: the sections of a drive profile, each read and checked in its own file.
#pragma once

#include "model/config/document.h"
#include "model/config/error.h"
#include "model/drive/profile.h"

namespace ncqlab::config {

// ata.cpp: identity, interface, serial_ata, departures
void read_ata(const Value& root, drive::Profile& profile);
void check_identity(const drive::Identity& identity, Findings& errors);

// mechanics.cpp
void read_mechanics(const Value& section, drive::Mechanics& mechanics);
void check_mechanics(const drive::Profile& profile, Findings& errors, Findings& odd);

// disk.cpp: queue, overheads, read_ahead, write_cache
void read_disk(const Value& root, drive::Profile& profile);
void check_disk(const drive::Profile& profile, Findings& odd);

}  // namespace ncqlab::config
