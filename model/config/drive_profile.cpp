#include "model/config/drive_profile.h"

#include "model/config/drive/sections.h"
#include "model/config/files.h"
#include "model/config/sources.h"

namespace ncqlab::config {

drive::Profile read_drive_profile(const Document& document, std::string_view name, std::vector<std::string>* warnings) {
  document.validate(data_folder() / kDriveFiles.schema);
  const Value root = document.root();
  drive::Profile profile;
  profile.name = name;
  profile.title = root.at("title").text();
  profile.capacity_sectors = root.at("capacity_sectors").count();
  read_ata(root, profile);
  Findings errors(document.file());
  read_mechanics(root, profile, errors);
  read_disk(root, profile);

  Findings odd(document.file());
  check_identity(profile.identity, errors);
  check_mechanics(profile, errors, odd);
  check_disk(profile, odd);
  check_sources(root, errors);
  errors.throw_if_any();
  if (warnings != nullptr) warnings->insert(warnings->end(), odd.lines().begin(), odd.lines().end());
  return profile;
}

drive::Profile load_drive_profile(std::string_view name_or_path, std::vector<std::string>* warnings) {
  const auto file = find_file(kDriveFiles, name_or_path);
  return read_drive_profile(Document::load(file), file.stem().string(), warnings);
}

}  // namespace ncqlab::config
