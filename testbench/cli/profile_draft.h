// A drive profile on its way from what was got off a real drive to a file: what is known is put in, what nobody said is
// estimated from the class of the drive, and every number gets its source.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ncqlab::cli {

struct KnownDrive {
  std::string model = "UNKNOWN";
  std::string serial = "NONE";
  std::string firmware = "0";
  std::uint64_t capacity_sectors = 0;  // of 512 bytes
  double rpm = 0;                      // 0: not known
  bool turns = true;
  unsigned generation = 0;  // of the link; 0: not known
  unsigned queue_depth = 32;
  bool ncq = true;
  std::uint64_t buffer_bytes = 0;  // 0: not known
};

class ProfileDraft {
 public:
  // Every section that a profile must have, from the drive's class; `origin` is the file that the known facts are from.
  ProfileDraft(const KnownDrive& known, std::string origin);

  nlohmann::ordered_json& json() { return json_; }
  // `of` is a JSON pointer. A closer pointer counts before a wider one.
  void add_source(const std::string& of, const std::string& text, const std::string& standing);
  void add_fitted_source(const std::string& of, const std::string& text, const std::string& table);
  // The file, checked as `ncqlab profile check` does. Throws config::ConfigError, which names the origin.
  std::string text() const;

 private:
  void estimate_mechanics(const KnownDrive& known);
  void estimate_rest(const KnownDrive& known);

  std::string origin_;
  nlohmann::ordered_json json_;
  nlohmann::ordered_json sources_ = nlohmann::ordered_json::array();
};

// The file's last component: paths of somebody's machine do not belong into a profile.
std::string base_name(const std::string& path);
// The lines of a text file. Throws config::ConfigError.
std::vector<std::string> read_lines(const std::string& path);
// `FILE:LINE: found, expected ...` as a config::ConfigError.
[[noreturn]] void wrong_line(const std::string& path, std::size_t line, const std::string& found,
                             const std::string& expected);

// profile_from_hdparm.cpp, profile_from_diskinfo.cpp: a whole profile from the file at `path`. Throw
// config::ConfigError.
std::string profile_from_hdparm(const std::string& path);
std::string profile_from_diskinfo(const std::string& path);

}  // namespace ncqlab::cli
