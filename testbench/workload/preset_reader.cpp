#include "testbench/workload/preset_reader.h"

namespace ncqlab::workload {

RaidtestPreset read_raidtest_preset(const config::Document& document, std::string_view name) {
  document.validate(config::data_folder() / kRaidtestPresets.schema);
  const config::Value root = document.root();
  RaidtestPreset preset;
  preset.name = name;
  preset.comment = root.at("comment").text();
  preset.write_fraction = root.at("write_fraction").number();
  preset.region_sectors = root.at("region_sectors").count();
  preset.requests = static_cast<std::uint32_t>(root.at("requests").count());
  parse_elevator(root.at("elevator").text(), preset.elevator);  // the schema lists the names
  preset.split_bytes = static_cast<std::uint32_t>(root.at("split_bytes_without_ncq").count());
  preset.host_overhead = root.at("host_overhead_ms").time();
  preset.host_jitter = root.at("host_jitter_fraction").number();
  preset.repetitions = static_cast<std::uint32_t>(root.at("repetitions").count());
  return preset;
}

RaidtestPreset load_raidtest_preset(std::string_view name_or_path) {
  const auto file = config::find_file(kRaidtestPresets, name_or_path);
  return read_raidtest_preset(config::Document::load(file), file.stem().string());
}

}  // namespace ncqlab::workload
