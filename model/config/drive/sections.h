// Inside the library: the sections of a drive profile, each read and checked in its own file.
#pragma once

#include "model/config/document.h"
#include "model/config/error.h"
#include "model/drive/profile.h"

namespace ncqlab::config {

// ata.cpp: identity, interface, serial_ata, departures
void read_ata(const Value& root, drive::Profile& profile);
void check_identity(const drive::Identity& identity, Findings& errors);

// mechanics.cpp: mechanics or flash. Throws what it finds: the checks need all of it.
void read_mechanics(const Value& root, drive::Profile& profile, Findings& errors);
void check_mechanics(const drive::Profile& profile, Findings& errors, Findings& odd);

// zones.cpp: zones, layout, spare sectors
void check_zones(const drive::Profile& profile, Findings& errors, Findings& odd);

// seek.cpp
drive::SeekCurve read_seek(const Value& section, Findings& errors);

// disk.cpp: queue, overheads, read_ahead, write_cache
void read_disk(const Value& root, drive::Profile& profile);
void check_disk(const drive::Profile& profile, Findings& odd);

}  // namespace ncqlab::config
