// Writing a result where the user said, wholly or not at all.
#pragma once

#include <optional>
#include <string>

namespace ncqlab::report {

// Writes `text` to the file `path`, or to standard output for "-". A regular file is written beside (path + ".partial")
// and renamed, so that nobody ever sees half of it and an old one stays when the new one can't be written. What exists
// and isn't a regular file (a pipe, /dev/null) is written directly.
// Returns nothing on success, otherwise one line that names the path and the cause.
std::optional<std::string> write_output(const std::string& path, const std::string& text);

}  // namespace ncqlab::report
