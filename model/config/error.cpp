#include "model/config/error.h"

#include <utility>

namespace ncqlab::config {
namespace {

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) {
    if (!text.empty()) text += '\n';
    text += line;
  }
  return text;
}

}  // namespace

ConfigError::ConfigError(std::vector<std::string> lines)
    : std::runtime_error(joined(lines)), lines_(std::move(lines)) {}

void Findings::add(std::string_view pointer, std::string_view found, std::string_view expected,
                   std::string_view nearest) {
  std::string line = file_ + ": ";
  line += pointer.empty() ? "/" : pointer;
  line += ": ";
  line += found;
  line += ", expected ";
  line += expected;
  if (!nearest.empty()) {
    line += " (nearest known name: \"";
    line += nearest;
    line += "\")";
  }
  // A name from the file may hold anything; what is said about it stays one line.
  for (char& character : line) {
    if (static_cast<unsigned char>(character) < 0x20) character = '?';
  }
  lines_.push_back(std::move(line));
}

void Findings::throw_if_any() const {
  if (!lines_.empty()) throw ConfigError(lines_);
}

}  // namespace ncqlab::config
