#include "model/config/files.h"

#include <algorithm>
#include <cstdlib>
#include <system_error>

#include "model/config/document.h"
#include "model/config/error.h"
#include "model/config/nearest_name.h"

namespace ncqlab::config {
namespace {

constexpr std::string_view kExtension = ".json";

bool is_path(std::string_view text) {
  return text.find('/') != std::string_view::npos || std::filesystem::path(text).extension() == kExtension;
}

}  // namespace

std::filesystem::path data_folder() {
  if (const char* chosen = std::getenv("NCQLAB_DATA"); chosen != nullptr && *chosen != '\0') return chosen;
  std::error_code error;
  const auto executable = std::filesystem::read_symlink("/proc/self/exe", error);
  const auto beside = executable.parent_path().parent_path() / "share" / "ncqlab";
  for (const std::filesystem::path& folder : {beside, std::filesystem::path(NCQLAB_SOURCE_FOLDER)}) {
    if (std::filesystem::is_directory(folder / "disks", error)) return folder;
  }
  return NCQLAB_INSTALLED_DATA;
}

std::vector<std::string> file_names(const FileKind& kind) {
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(data_folder() / kind.folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().extension() == kExtension) names.push_back(entry->path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::filesystem::path find_file(const FileKind& kind, std::string_view name_or_path) {
  std::filesystem::path file = name_or_path;
  const bool by_name = !is_path(name_or_path);
  if (by_name) file = data_folder() / kind.folder / (std::string(name_or_path) + std::string(kExtension));
  std::error_code error;
  if (!name_or_path.empty() && std::filesystem::exists(file, error)) return file;

  const std::string word = std::filesystem::path(name_or_path).stem().string();
  const auto names = file_names(kind);
  const std::string noun(kind.noun);
  std::string line = by_name ? std::string(name_or_path) + ": no such " + noun + ", expected a .json file or "
                             : file.string() + ": no such file, expected a " + noun + " or ";
  if (names.empty()) {
    line += "a name, but " + (data_folder() / kind.folder).string() + " has none (is NCQLAB_DATA right?)";
  } else {
    line += names.size() > 1 ? "one of " : "";
    for (std::size_t i = 0; i < names.size(); ++i) line += (i == 0 ? "" : ", ") + names[i];
  }
  if (const auto nearest = nearest_name(word, names); !nearest.empty()) {
    line += " (nearest known name: \"" + nearest + "\")";
  }
  throw ConfigError({line});
}

std::vector<Listed> list_profiles(const FileKind& kind) {
  std::vector<Listed> result;
  for (const auto& name : file_names(kind)) {
    Listed listed{name, {}, {}};
    try {
      listed.title = Document::load(find_file(kind, name)).root().at("/title").text();
    } catch (const ConfigError& e) {
      listed.errors = e.lines();
    }
    result.push_back(std::move(listed));
  }
  return result;
}

}  // namespace ncqlab::config
