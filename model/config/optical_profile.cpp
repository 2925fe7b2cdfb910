#include "model/config/optical_profile.h"

#include "model/config/drive/sections.h"
#include "model/config/files.h"
#include "model/config/sources.h"

namespace ncqlab::config {

drive::OpticalProfile read_optical_profile(const Document& document, std::string_view name) {
  document.validate(data_folder() / kOpticalFiles.schema);
  const Value root = document.root();
  drive::OpticalProfile profile;
  profile.name = name;
  profile.title = root.at("title").text();
  const Value identity = root.at("identity");
  profile.identity = {identity.at("model").text(), identity.at("serial").text(), identity.at("firmware").text()};
  profile.generation = static_cast<unsigned>(root.at("generation").count());
  profile.ready_after_reset = root.at("ready_after_reset_ms").time();
  profile.command = root.at("command_ms").time();
  profile.access = root.at("access_ms").time();
  profile.bytes_per_second = root.at("bytes_per_second").count();
  profile.host_power = root.at("host_power").flag();
  profile.dma_direction_required = root.at("dma_direction_required").flag();
  profile.asynchronous_notification = root.at("asynchronous_notification").flag();
  profile.attention_after_reset = root.at("attention_after_reset").flag();
  profile.register_fis_after_identify = root.at("register_fis_after_identify").flag();
  profile.qemu_media_change = root.at("qemu_media_change").flag();

  Findings errors(document.file());
  check_identity(profile.identity, errors);
  check_sources(root, errors);
  errors.throw_if_any();
  return profile;
}

drive::OpticalProfile load_optical_profile(std::string_view name_or_path) {
  const auto file = find_file(kOpticalFiles, name_or_path);
  return read_optical_profile(Document::load(file), file.stem().string());
}

}  // namespace ncqlab::config
