// From what was asked for to what a machine is made of: profiles are loaded, images opened, disks made as large as
// their images.
#pragma once

#include <memory>

#include "model/drive/media/image_contents.h"
#include "model/drive/profile.h"
#include "testbench/frontend/qtest/machine.h"
#include "testbench/frontend/qtest/system_options.h"

namespace ncqlab::qtest {

// Throws ArgumentError and config::ConfigError.
MachineSpec assemble(const SystemOptions& options);

// A raw image, for reading only where it can't be written. Throws ArgumentError when it can't be opened, or begins as a
// qcow2 file does.
std::shared_ptr<drive::ImageContents> open_image(const std::string& path, bool read_only);

// Gives a drive another capacity. Tracks and zones stay as they are where the capacity allows; else there are fewer
// zones, then fewer heads, then shorter tracks, so that two cylinders remain. Throws ArgumentError under 16 sectors.
void fit_capacity(drive::Profile& profile, std::uint64_t sectors);

}  // namespace ncqlab::qtest
