#include "testbench/report/output_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace ncqlab::report {

namespace {

std::string failure(const std::string& path, const std::string& cause) { return path + ": cannot write: " + cause; }

// The cause, when it fails.
std::optional<std::string> write_to(std::FILE* file, const std::string& text) {
  errno = 0;
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if (written && std::fflush(file) == 0) return std::nullopt;
  return std::strerror(errno);
}

std::optional<std::string> write_file(const std::string& path, const std::string& text) {
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return std::strerror(errno);
  std::optional<std::string> cause = write_to(file, text);
  if (std::fclose(file) != 0 && !cause) cause = std::strerror(errno);
  return cause;
}

}  // namespace

std::optional<std::string> write_output(const std::string& path, const std::string& text) {
  namespace fs = std::filesystem;
  if (path == "-") {
    const auto cause = write_to(stdout, text);
    return cause ? std::optional(failure("standard output", *cause)) : std::nullopt;
  }

  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::is_directory(status)) return failure(path, "it is a directory");
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    const auto cause = write_file(path, text);
    return cause ? std::optional(failure(path, *cause)) : std::nullopt;
  }

  const std::string beside = path + ".partial";
  if (const auto cause = write_file(beside, text)) {
    fs::remove(beside, error);
    return failure(path, *cause);
  }
  fs::rename(beside, path, error);
  if (!error) return std::nullopt;
  const std::string cause = error.message();
  fs::remove(beside, error);
  return failure(path, cause);
}

}  // namespace ncqlab::report
