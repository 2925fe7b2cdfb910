// The project's files as the tidy rules see them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ncqlab::tidy {

struct File {
  std::string path;  // relative to the project's root, with slashes
  std::uintmax_t bytes = 0;
  std::vector<std::string> lines;  // as they are
  std::vector<std::string> code;   // C++ only: the same lines, comments and the insides of literals blanked
};

// A place that breaks a rule. Line 0: the whole file.
struct Violation {
  std::string path;
  std::size_t line = 0;
  std::string what;  // what was found, and what to do instead

  std::string text() const;
};

class Tree {
 public:
  // Reads everything below `root` but .git, build folders and other hidden folders (.ci is read).
  explicit Tree(std::filesystem::path root);

  const std::filesystem::path& root() const { return root_; }
  const std::vector<File>& files() const { return files_; }
  const File* find(std::string_view path) const;
  bool exists(std::string_view path) const;  // a file or a folder

 private:
  std::filesystem::path root_;
  std::vector<File> files_;  // sorted by path
};

bool starts_with(std::string_view text, std::string_view start);
bool ends_with(std::string_view text, std::string_view end);
bool is_cpp(std::string_view path);    // .cpp or .h
bool is_cmake(std::string_view path);  // CMakeLists.txt, .cmake, CMakePresets.json
bool is_word_character(char c);        // of an identifier

// Blanks comments and the insides of string and character literals; the number and length of lines stay.
std::vector<std::string> code_of(const std::vector<std::string>& lines);

}  // namespace ncqlab::tidy
