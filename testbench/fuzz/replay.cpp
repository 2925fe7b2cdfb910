// replay FILE|FOLDER...: runs inputs that are kept, each twice: the same input gives the same fingerprint. Prints their
// number; aborts at the first that breaks something, having named it.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "testbench/fuzz/torment.h"

namespace {

std::vector<std::uint8_t> contents(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::vector<std::filesystem::path> files_of(const std::filesystem::path& path) {
  std::vector<std::filesystem::path> files;
  if (!std::filesystem::is_directory(path)) return {path};
  for (const auto& entry : std::filesystem::directory_iterator(path)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t count = 0;
  for (int i = 1; i < argc; ++i) {
    for (const auto& file : files_of(argv[i])) {
      std::fprintf(stderr, "%s\n", file.c_str());
      const auto bytes = contents(file);
      const std::uint64_t first = ncqlab::fuzz::torment(bytes.data(), bytes.size());
      if (ncqlab::fuzz::torment(bytes.data(), bytes.size()) != first) {
        std::fprintf(stderr, "two runs have two fingerprints\n");
        return 1;
      }
      ++count;
    }
  }
  std::printf("%zu inputs\n", count);
  return count == 0 ? 1 : 0;
}
