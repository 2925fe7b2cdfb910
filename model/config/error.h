// What is wrong with a configuration file, one line each, all of a file in one pass:
//
//   disks/drives/x.json: /interface/queue_depth: found 33, expected an integer from 1 to 32
//   disks/drives/x.json: /mechanics/rmp: unknown key, expected one of heads, rpm, ... (nearest known name: "rpm")
//   disks/drives/x.json:12:5: unexpected '}', expected '[', '{', or a literal
//
// that is file, JSON pointer (RFC 6901) of the place inside it, what was found, what was expected, and the nearest
// known name where a name is wrong. Text that is no JSON has line:column instead of a pointer.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ncqlab::config {

// what() is all lines joined by newlines, without a last one. The command prints it and exits with 2.
class ConfigError : public std::runtime_error {
 public:
  explicit ConfigError(std::vector<std::string> lines);
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  std::vector<std::string> lines_;
};

// Collects the lines of one file. Loaders outside this folder use it for checks that no schema can express.
class Findings {
 public:
  explicit Findings(std::string file) : file_(std::move(file)) {}

  // `pointer` is empty for the whole file; `nearest` may be empty.
  void add(std::string_view pointer, std::string_view found, std::string_view expected, std::string_view nearest = {});
  bool empty() const { return lines_.empty(); }
  const std::vector<std::string>& lines() const { return lines_; }
  // Throws ConfigError with all lines if there is any.
  void throw_if_any() const;

 private:
  std::string file_;
  std::vector<std::string> lines_;
};

}  // namespace ncqlab::config
