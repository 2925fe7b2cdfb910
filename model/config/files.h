// Where profiles are, and by which names they are known.
//
// A name with neither a slash nor ".json" is that of a shipped file, <data folder>/<folder>/<name>.json; everything
// else is a path. The data folder is the first of
//   1. $NCQLAB_DATA,
//   2. share/ncqlab beside the folder of the executable, as in an installed tree,
//   3. the source tree this was built from, if it is still there,
//   4. share/ncqlab of the prefix that was configured.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ncqlab::config {

std::filesystem::path data_folder();

// A kind of file: where its shipped ones are, the schema of all, and what to call one.
struct FileKind {
  std::string_view folder;  // relative to the data folder, as is the schema
  std::string_view schema;
  std::string_view noun;  // "drive profile"
};

inline constexpr FileKind kDriveFiles{"disks/drives", "disks/schema/drive.schema.json", "drive profile"};
inline constexpr FileKind kControllerFiles{"disks/controllers", "disks/schema/controller.schema.json",
                                           "controller profile"};
inline constexpr FileKind kFaultFiles{"disks/bugs", "disks/schema/fault.schema.json", "fault program"};
inline constexpr FileKind kOpticalFiles{"disks/optical", "disks/schema/optical.schema.json", "optical drive profile"};

// Throws ConfigError with the nearest shipped name when there is no such file.
std::filesystem::path find_file(const FileKind& kind, std::string_view name_or_path);

// The names of the shipped files, sorted.
std::vector<std::string> file_names(const FileKind& kind);

struct Listed {
  std::string name;
  std::string title;                // the file's "title"; empty when the file can't be read
  std::vector<std::string> errors;  // why it can't
};
// Every shipped file of the kind, sorted by name, for `ncqlab profile list`.
std::vector<Listed> list_profiles(const FileKind& kind);

}  // namespace ncqlab::config
