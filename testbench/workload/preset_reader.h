// Loads presets/*.json (schema: presets/schema/raidtest.schema.json).
#pragma once

#include <string_view>

#include "model/config/document.h"
#include "model/config/files.h"
#include "testbench/workload/raidtest.h"

namespace ncqlab::workload {

inline constexpr config::FileKind kRaidtestPresets{
    "testbench/workload/presets", "testbench/workload/presets/schema/raidtest.schema.json", "raidtest preset"};

// By name ("raidtest_a") or path. Throws config::ConfigError with everything that is wrong in the file.
RaidtestPreset load_raidtest_preset(std::string_view name_or_path);

// The same for a document that is there already; `name` becomes the preset's.
RaidtestPreset read_raidtest_preset(const config::Document& document, std::string_view name);

}  // namespace ncqlab::workload
