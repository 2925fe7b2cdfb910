#include <algorithm>

#include "testbench/tests/tidy/rules.h"

namespace ncqlab::tidy {
namespace {

bool is_external(std::string_view target) {
  return target.find("://") != std::string_view::npos || starts_with(target, "mailto:") || starts_with(target, "#");
}

// A path of this project: plain characters and a first folder that is one of ours. Others, such as /dev/sda or
// read/write, are none; build/ comes and goes.
bool is_project_path(const Tree& tree, std::string_view text) {
  static constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/";
  const auto slash = text.find('/');
  if (slash == std::string_view::npos || slash == 0 || text.find_first_not_of(kPlain) != std::string_view::npos) {
    return false;
  }
  const auto folder = text.substr(0, slash);
  return folder != "build" && folder != ".." && folder != "." && tree.exists(folder);
}

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? std::string{} : path.substr(0, slash + 1);
}

void check_links(const Tree& tree, const File& file, std::size_t line, Violations& result) {
  const std::string& text = file.lines[line];
  for (auto at = text.find("]("); at != std::string::npos; at = text.find("](", at + 2)) {
    const auto end = text.find(')', at);
    if (end == std::string::npos) return;
    std::string target = text.substr(at + 2, end - at - 2);
    if (target.empty() || is_external(target)) continue;
    target = target.substr(0, target.find('#'));
    if (!tree.exists(folder_of(file.path) + target)) {
      result.push_back({file.path, line + 1, "links to " + target + ", which does not exist"});
    }
  }
}

void check_paths(const Tree& tree, const File& file, std::size_t line, Violations& result) {
  const std::string& text = file.lines[line];
  for (auto open = text.find('`'); open != std::string::npos;) {
    const auto close = text.find('`', open + 1);
    if (close == std::string::npos) return;
    // Only the first word: `testbench/check --all`.
    std::string path = text.substr(open + 1, close - open - 1);
    path = path.substr(0, path.find(' '));
    if (is_project_path(tree, path) && !tree.exists(path)) {
      result.push_back({file.path, line + 1, "names " + path + ", which does not exist"});
    }
    open = text.find('`', close + 1);
  }
}

}  // namespace

Violations dead_paths_in_docs(const Tree& tree) {
  Violations result;
  for (const auto& file : tree.files()) {
    if (!ends_with(file.path, ".md")) continue;
    bool fenced = false;
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      if (starts_with(file.lines[i], "```")) {
        fenced = !fenced;
      } else if (!fenced) {
        check_links(tree, file, i, result);
        check_paths(tree, file, i, result);
      }
    }
  }
  return result;
}

}  // namespace ncqlab::tidy
