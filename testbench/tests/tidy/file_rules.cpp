#include <algorithm>

#include "model/config/document.h"
#include "testbench/tests/tidy/rules.h"

namespace ncqlab::tidy {
namespace {

constexpr std::size_t kMostLines = 400;
constexpr std::size_t kMostColumns = 120;
constexpr std::uintmax_t kMostBytes = 1U << 20U;

std::size_t columns(const std::string& line) {
  std::size_t count = 0;
  for (const char c : line) {
    if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) ++count;  // not the rest of a UTF-8 character
  }
  return count;
}

bool is_sources_folder(std::string_view path) {
  return starts_with(path, "driver/") || starts_with(path, "model/") || starts_with(path, "testbench/");
}

// Named as a whole word, comments left out.
bool names(const File& build_file, const std::string& source) {
  for (const auto& whole : build_file.lines) {
    const std::string line = whole.substr(0, whole.find('#'));
    for (auto at = line.find(source); at != std::string::npos; at = line.find(source, at + 1)) {
      const auto end = at + source.size();
      const bool starts = at == 0 || std::string_view(" (/\"").find(line[at - 1]) != std::string_view::npos;
      const bool ends = end == line.size() || std::string_view(" )\"").find(line[end]) != std::string_view::npos;
      if (starts && ends) return true;
    }
  }
  return false;
}

}  // namespace

Violations long_files(const Tree& tree) {
  Violations result;
  for (const auto& file : tree.files()) {
    if (!is_cpp(file.path) || file.lines.size() <= kMostLines) continue;
    result.push_back({file.path, 0,
                      std::to_string(file.lines.size()) + " lines, at most " + std::to_string(kMostLines) +
                          ": split it by its reasons to change"});
  }
  return result;
}

Violations long_lines(const Tree& tree) {
  Violations result;
  for (const auto& file : tree.files()) {
    if (!is_cpp(file.path)) continue;
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      if (columns(file.lines[i]) <= kMostColumns) continue;
      result.push_back(
          {file.path, i + 1, "more than 120 columns: run clang-format, break comments and strings by hand"});
    }
  }
  return result;
}

Violations large_files(const Tree& tree) {
  Violations result;
  for (const auto& file : tree.files()) {
    if (file.bytes <= kMostBytes) continue;
    result.push_back({file.path, 0, std::to_string(file.bytes) + " bytes, at most 1 MiB: generate it in the test"});
  }
  return result;
}

Violations headers_without_a_comment(const Tree& tree) {
  Violations result;
  for (const auto& file : tree.files()) {
    if (!ends_with(file.path, ".h") || (!file.lines.empty() && starts_with(file.lines[0], "//"))) continue;
    result.push_back({file.path, 1, "a header starts with a comment that says what it is for"});
  }
  return result;
}

Violations unbuilt_sources(const Tree& tree) {
  std::vector<const File*> build_files;
  for (const auto& file : tree.files()) {
    if (ends_with(file.path, "CMakeLists.txt")) build_files.push_back(&file);
  }
  Violations result;
  for (const auto& file : tree.files()) {
    if (!ends_with(file.path, ".cpp") || !is_sources_folder(file.path)) continue;
    const bool built = std::any_of(build_files.begin(), build_files.end(), [&file](const File* build_file) {
      const auto folder = std::filesystem::path(build_file->path).parent_path();
      return names(*build_file, std::filesystem::path(file.path).lexically_relative(folder).generic_string());
    });
    if (!built) result.push_back({file.path, 0, "named in no CMakeLists.txt: it is never built"});
  }
  return result;
}

Violations malformed_json(const Tree& tree) {
  Violations result;
  for (const auto& file : tree.files()) {
    const bool test_data = file.path.find("/data/") != std::string::npos;
    if (!ends_with(file.path, ".json") || test_data) continue;
    try {
      config::Document::load(tree.root() / file.path);
    } catch (const config::ConfigError& e) {
      for (const auto& line : e.lines()) result.push_back({file.path, 0, line});
    }
  }
  return result;
}

}  // namespace ncqlab::tidy
