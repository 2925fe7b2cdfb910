// `ncqlab profile list|show|check`, and what makes a profile.
#include <cstdio>
#include <fstream>
#include <iterator>

#include "model/config/controller_profile.h"
#include "model/config/drive_profile.h"
#include "model/config/error.h"
#include "model/config/files.h"
#include "model/config/optical_profile.h"
#include "testbench/cli/commands.h"
#include "testbench/cli/profile_draft.h"
#include "testbench/report/table.h"

namespace ncqlab::cli {

namespace {

constexpr config::FileKind kKinds[] = {config::kDriveFiles, config::kControllerFiles, config::kOpticalFiles};

int list() {
  int status = 0;
  for (const config::FileKind& kind : kKinds) {
    std::printf("%ss\n", std::string(kind.noun).c_str());
    for (const config::Listed& listed : config::list_profiles(kind)) {
      std::printf("  %-16s %s\n", listed.name.c_str(), listed.title.c_str());
      for (const std::string& error : listed.errors) std::fprintf(stderr, "%s\n", error.c_str());
      if (!listed.errors.empty()) status = 2;
    }
  }
  return status;
}

// A name that several folders could hold is looked for among the drives first.
config::FileKind kind_of(const std::string& name_or_path) {
  for (const config::FileKind& kind : {config::kControllerFiles, config::kOpticalFiles}) {
    const std::string folder = std::string(kind.folder.substr(kind.folder.find('/') + 1)) + "/";
    if (name_or_path.find(folder) != std::string::npos) return kind;
    for (const std::string& name : config::file_names(kind)) {
      if (name == name_or_path) return kind;
    }
  }
  return config::kDriveFiles;
}

std::vector<std::string> load(const config::FileKind& kind, const std::string& name) {
  std::vector<std::string> warnings;
  if (kind.noun == config::kDriveFiles.noun) {
    config::load_drive_profile(name, &warnings);
  } else if (kind.noun == config::kOpticalFiles.noun) {
    config::load_optical_profile(name);
  } else {
    config::load_controller_profile(name);
  }
  return warnings;
}

int print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  return 0;
}

int show(const std::string& name) {
  const config::FileKind kind = kind_of(name);
  load(kind, name);
  std::ifstream file(config::find_file(kind, name), std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return print(text);
}

int check(const std::string& name) {
  const config::FileKind kind = kind_of(name);
  const std::vector<std::string> warnings = load(kind, name);
  for (const std::string& warning : warnings) std::printf("warning: %s\n", warning.c_str());
  std::printf("%s: a valid %s\n", name.c_str(), std::string(kind.noun).c_str());
  return 0;
}

}  // namespace

int profile(const ProfileOptions& options) {
  switch (options.action) {
    case ProfileOptions::Action::list:
      return list();
    case ProfileOptions::Action::show:
      return show(options.name);
    case ProfileOptions::Action::check:
      return check(options.name);
    case ProfileOptions::Action::from_hdparm:
      return print(profile_from_hdparm(options.name));
    case ProfileOptions::Action::from_diskinfo:
      return print(profile_from_diskinfo(options.name));
  }
  return 4;
}

}  // namespace ncqlab::cli
