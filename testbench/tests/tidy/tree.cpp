#include "testbench/tests/tidy/tree.h"

#include <algorithm>
#include <cctype>
#include <fstream>

namespace ncqlab::tidy {
namespace {

bool is_skipped_folder(const std::string& name) {
  return starts_with(name, "build") || (starts_with(name, ".") && name != ".ci");
}

File read(const std::filesystem::path& path, std::string relative) {
  File file;
  file.path = std::move(relative);
  file.bytes = std::filesystem::file_size(path);
  std::ifstream stream(path, std::ios::binary);
  for (std::string line; std::getline(stream, line);) file.lines.push_back(line);
  if (is_cpp(file.path)) file.code = code_of(file.lines);
  return file;
}

// Walks the characters of a C++ file and blanks what is not code.
class Blanker {
 public:
  void line(std::string& text) {
    for (i_ = 0; i_ < text.size(); ++i_) character(text);
    if (state_ == State::line_comment || state_ == State::character || state_ == State::string) state_ = State::code;
  }

 private:
  enum class State { code, line_comment, block_comment, string, character, raw_string };

  void character(std::string& text) {
    switch (state_) {
      case State::code:
        code(text);
        return;
      case State::block_comment:
        if (text.compare(i_, 2, "*/") == 0) {
          state_ = State::code;
          text[i_++] = ' ';
        }
        break;
      case State::string:
      case State::character:
        if (text[i_] == '\\' && i_ + 1 < text.size()) {
          text[i_++] = ' ';
        } else if (text[i_] == (state_ == State::string ? '"' : '\'')) {
          state_ = State::code;
          return;
        }
        break;
      case State::raw_string:
        if (text.compare(i_, raw_end_.size(), raw_end_) == 0) {
          i_ += raw_end_.size() - 1;
          state_ = State::code;
          return;
        }
        break;
      case State::line_comment:
        break;
    }
    text[i_] = ' ';
  }

  void code(std::string& text) {
    const char before = i_ > 0 ? text[i_ - 1] : ' ';
    if (text.compare(i_, 2, "//") == 0) {
      state_ = State::line_comment;
      text[i_] = ' ';
    } else if (text.compare(i_, 2, "/*") == 0) {
      state_ = State::block_comment;
      text[i_++] = ' ';
      text[i_] = ' ';
    } else if (text[i_] == '"' && before == 'R') {
      const auto open = text.find('(', i_);
      raw_end_ = ")" + (open == std::string::npos ? "" : text.substr(i_ + 1, open - i_ - 1)) + "\"";
      state_ = State::raw_string;
    } else if (text[i_] == '"') {
      state_ = State::string;
    } else if (text[i_] == '\'' && !is_word_character(before)) {  // 1'000 has none
      state_ = State::character;
    }
  }

  State state_ = State::code;
  std::string raw_end_;
  std::size_t i_ = 0;
};

}  // namespace

std::string Violation::text() const { return path + (line == 0 ? "" : ":" + std::to_string(line)) + ": " + what; }

bool starts_with(std::string_view text, std::string_view start) { return text.substr(0, start.size()) == start; }

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

bool is_cpp(std::string_view path) { return ends_with(path, ".cpp") || ends_with(path, ".h"); }

bool is_cmake(std::string_view path) {
  return ends_with(path, "CMakeLists.txt") || ends_with(path, ".cmake") || ends_with(path, "CMakePresets.json");
}

bool is_word_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::vector<std::string> code_of(const std::vector<std::string>& lines) {
  std::vector<std::string> code = lines;
  Blanker blanker;
  for (auto& line : code) blanker.line(line);
  return code;
}

Tree::Tree(std::filesystem::path root) : root_(std::move(root)) {
  for (std::filesystem::recursive_directory_iterator entry(root_), end; entry != end; ++entry) {
    if (entry->is_directory() && is_skipped_folder(entry->path().filename().string())) {
      entry.disable_recursion_pending();
    } else if (entry->is_regular_file()) {
      files_.push_back(read(entry->path(), entry->path().lexically_relative(root_).generic_string()));
    }
  }
  std::sort(files_.begin(), files_.end(), [](const File& a, const File& b) { return a.path < b.path; });
}

const File* Tree::find(std::string_view path) const {
  const auto at = std::lower_bound(files_.begin(), files_.end(), path,
                                   [](const File& file, std::string_view wanted) { return file.path < wanted; });
  return at != files_.end() && at->path == path ? &*at : nullptr;
}

bool Tree::exists(std::string_view path) const {
  while (ends_with(path, "/")) path.remove_suffix(1);
  return std::filesystem::exists(root_ / path);
}

}  // namespace ncqlab::tidy
