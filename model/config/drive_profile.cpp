#include "model/config/drive_profile.h"

#include "model/config/drive_checks.h"
#include "model/config/files.h"
#include "model/config/sources.h"

namespace ncqlab::config {
namespace {

unsigned small_count(const Value& parent, std::string_view key) {
  return static_cast<unsigned>(parent.at(key).count());  // the schema keeps it in range
}

drive::Identity read_identity(const Value& v) {
  return {v.at("model").text(), v.at("serial").text(), v.at("firmware").text()};
}

drive::Interface read_interface(const Value& v) {
  drive::Interface result;
  result.generation = small_count(v, "generation");
  result.queue_depth = small_count(v, "queue_depth");
  result.ncq = v.at("ncq").flag();
  result.ready_after_reset = v.at("ready_after_reset_ms").time();
  return result;
}

drive::SerialAta read_serial_ata(const Value& v) {
  drive::SerialAta result;
  result.auto_activate = v.at("auto_activate").flag();
  result.buffer_offsets = v.at("buffer_offsets").flag();
  result.in_order_delivery = v.at("in_order_delivery").flag();
  result.data_phase_sectors = small_count(v, "data_phase_sectors");
  result.ncq_priority = v.at("ncq_priority").flag();
  result.ncq_management = v.at("ncq_management").flag();
  result.ncq_send_receive = v.at("ncq_send_receive").flag();
  result.ncq_autosense = v.at("ncq_autosense").flag();
  result.read_log_dma = v.at("read_log_dma").flag();
  result.trim_blocks = small_count(v, "trim_blocks");
  result.host_power = v.at("host_power").flag();
  result.device_power = v.at("device_power").flag();
  result.device_sleep = v.at("device_sleep").flag();
  result.partial_after_idle = v.at("partial_after_idle_ms").time();
  result.slumber_after_idle = v.at("slumber_after_idle_ms").time();
  return result;
}

drive::Departures read_departures(const Value& list) {
  drive::Departures result;
  for (const Value& item : list.items()) {
    if (item.text() == "register_fis_after_pio_in") result.register_fis_after_pio_in = true;
    if (item.text() == "long_28_bit_counts") result.long_28_bit_counts = true;
    if (item.text() == "sector_bytes_in_word_5") result.sector_bytes_in_word_5 = true;
  }
  return result;
}

drive::Zones read_zones(const Value& v) {
  drive::Zones result;
  result.count = small_count(v, "count");
  result.outer_sectors_per_track = small_count(v, "outer_sectors_per_track");
  result.middle_sectors_per_track = small_count(v, "middle_sectors_per_track");
  result.inner_sectors_per_track = small_count(v, "inner_sectors_per_track");
  return result;
}

drive::SeekCurve read_seek(const Value& v) {
  drive::SeekCurve result;
  result.single_cylinder = v.at("single_cylinder_ms").time();
  result.exponent = v.at("exponent").number();
  result.knee_fraction = v.at("knee_fraction").number();
  result.knee = v.at("knee_ms").time();
  result.full_stroke = v.at("full_stroke_ms").time();
  return result;
}

drive::Mechanics read_mechanics(const Value& v) {
  drive::Mechanics result;
  result.rpm = v.at("rpm").number();
  result.heads = small_count(v, "heads");
  result.zones = read_zones(v.at("zones"));
  result.head_skew = v.at("head_skew_ms").time();
  result.cylinder_skew = v.at("cylinder_skew_ms").time();
  result.head_switch = v.at("head_switch_ms").time();
  result.seek = read_seek(v.at("seek"));
  result.write_settle = v.at("write_settle_ms").time();
  return result;
}

drive::Queue read_queue(const Value& v) {
  drive::Queue result;
  result.pick_policy = v.at("pick_policy").text();
  result.window = small_count(v, "window");
  result.rotational_guard = v.at("rotational_guard_ms").time();
  result.planning_latency = v.at("planning_latency_ms").time();
  return result;
}

drive::Overheads read_overheads(const Value& v) {
  drive::Overheads result;
  result.read_command = v.at("read_command_ms").time();
  result.write_command = v.at("write_command_ms").time();
  result.queued_command = v.at("queued_command_ms").time();
  result.media_access = v.at("media_access_ms").time();
  result.queued_media_access = v.at("queued_media_access_ms").time();
  result.write_completion = v.at("write_completion_ms").time();
  return result;
}

drive::ReadAhead read_read_ahead(const Value& v) {
  drive::ReadAhead result;
  result.hold_bytes = v.at("hold_bytes").count();
  result.limit_bytes = v.at("limit_bytes").count();
  result.segments = small_count(v, "segments");
  result.segment_bytes = v.at("segment_bytes").count();
  result.last_sectors_limit = v.at("last_sectors_limit").count();
  return result;
}

drive::WriteCache read_write_cache(const Value& v) {
  drive::WriteCache result;
  result.enabled = v.at("enabled").flag();
  result.limit_bytes = v.at("limit_bytes").count();
  result.limit_entries = small_count(v, "limit_entries");
  result.destage_after_idle = v.at("destage_after_idle_ms").time();
  return result;
}

}  // namespace

drive::Profile read_drive_profile(const Document& document, std::string_view name, std::vector<std::string>* warnings) {
  document.validate(data_folder() / kDriveFiles.schema);
  const Value root = document.root();
  drive::Profile profile;
  profile.name = name;
  profile.title = root.at("title").text();
  profile.identity = read_identity(root.at("identity"));
  profile.capacity_sectors = root.at("capacity_sectors").count();
  profile.interface = read_interface(root.at("interface"));
  profile.serial_ata = read_serial_ata(root.at("serial_ata"));
  profile.departures = read_departures(root.at("departures"));
  profile.mechanics = read_mechanics(root.at("mechanics"));
  profile.queue = read_queue(root.at("queue"));
  profile.overheads = read_overheads(root.at("overheads"));
  profile.read_ahead = read_read_ahead(root.at("read_ahead"));
  profile.write_cache = read_write_cache(root.at("write_cache"));

  Findings errors(document.file());
  Findings odd(document.file());
  check_drive(profile, errors, odd);
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
