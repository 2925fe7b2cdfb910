#include "model/config/sources.h"

#include <algorithm>

#include "model/config/nearest_name.h"

namespace ncqlab::config {
namespace {

// A pointer covers itself and everything inside: /mechanics covers /mechanics/rpm, not /mechanics_2.
bool covers(const std::string& of, const std::string& pointer) {
  return pointer.compare(0, of.size(), of) == 0 && (pointer.size() == of.size() || pointer[of.size()] == '/');
}

void check_covered(const Value& value, const std::vector<Source>& sources, Findings& findings) {
  if (value.is_object()) {
    for (const auto& [key, member] : value.members()) {
      if (member.pointer() != "/sources") check_covered(member, sources, findings);
    }
  } else if (value.is_array()) {
    for (const auto& item : value.items()) check_covered(item, sources, findings);
  } else if (value.is_number() && std::none_of(sources.begin(), sources.end(), [&value](const Source& source) {
               return covers(source.of, value.pointer());
             })) {
    findings.add(value.pointer(), "a number without a source", "an entry in /sources that covers it");
  }
}

void collect_pointers(const Value& value, std::vector<std::string>& pointers) {
  if (!value.is_object()) return;
  for (const auto& [key, member] : value.members()) {
    if (member.pointer() == "/sources") continue;
    pointers.push_back(member.pointer());
    collect_pointers(member, pointers);
  }
}

}  // namespace

std::vector<Source> read_sources(const Value& profile) {
  std::vector<Source> result;
  for (const auto& entry : profile.at("/sources").items()) {
    Source source{entry.at("/of").text(), entry.at("/source").text(), entry.at("/standing").text(), {}};
    if (const auto tables = entry.find("/fitted_to")) {
      for (const auto& table : tables->items()) source.fitted_to.push_back(table.text());
    }
    result.push_back(std::move(source));
  }
  return result;
}

void check_sources(const Value& profile, Findings& findings) {
  const auto sources = read_sources(profile);
  check_covered(profile, sources, findings);
  std::vector<std::string> pointers;
  collect_pointers(profile, pointers);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const std::string at = "/sources/" + std::to_string(i);
    if (std::find(pointers.begin(), pointers.end(), sources[i].of) == pointers.end()) {
      findings.add(at + "/of", "found \"" + sources[i].of + "\"", "the pointer of a value of this file",
                   nearest_name(sources[i].of, pointers));
    }
    const bool fitted = sources[i].standing == "fitted";
    if (fitted && sources[i].fitted_to.empty()) {
      findings.add(at + "/fitted_to", "missing", "the ids of the tables that it was fitted to");
    } else if (!fitted && !sources[i].fitted_to.empty()) {
      findings.add(at + "/standing", "found \"" + sources[i].standing + "\" beside fitted_to", "\"fitted\"");
    }
  }
}

std::vector<Source> load_sources(const FileKind& kind, std::string_view name_or_path) {
  const auto document = Document::load(find_file(kind, name_or_path));
  document.validate(data_folder() / kind.schema);
  return read_sources(document.root());
}

}  // namespace ncqlab::config
