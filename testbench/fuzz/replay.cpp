// replay [--records] FILE...: runs inputs that are kept, each twice: the same input gives the same fingerprint. Prints
// their number; aborts at the first that breaks something, having named it. --records prints the trace of first runs.
//
// A file *.txt holds an input in base64 on each line; a line that begins with # says what the next one was found for.
// Any other file is one input, as libFuzzer leaves it.
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "testbench/fuzz/torment.h"
#include "testbench/oracle/record_text.h"

namespace {

struct Printer final : ncqlab::sim::Observer {
  void on_record(const ncqlab::sim::Record& record) override {
    std::printf("%s\n", ncqlab::oracle::text_of(record).c_str());
    std::fflush(stdout);  // an input that breaks something ends the program
  }
};

struct Kept {
  std::string name;
  std::vector<std::uint8_t> bytes;
};

std::vector<std::uint8_t> decode_base64(std::string_view text) {
  static constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<std::uint8_t> bytes;
  std::uint32_t bits = 0;
  unsigned count = 0;
  for (const char c : text) {
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) break;  // padding
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes.push_back(static_cast<std::uint8_t>(bits >> count));
  }
  return bytes;
}

std::vector<Kept> kept_in(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string_view view(path);
  if (view.size() < 4 || view.substr(view.size() - 4) != ".txt") {
    return {{path, {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()}}};
  }
  std::vector<Kept> kept;
  std::string line;
  std::string comment;
  for (unsigned number = 1; std::getline(in, line); ++number) {
    if (!line.empty() && line[0] == '#') {
      comment = ' ' + line.substr(1);
      continue;
    }
    kept.push_back({path + ':' + std::to_string(number) + comment, decode_base64(line)});
    comment.clear();
  }
  return kept;
}

}  // namespace

int main(int argc, char** argv) {
  Printer printer;
  ncqlab::sim::Observer* observer = nullptr;
  std::size_t count = 0;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--records") == 0) {
      observer = &printer;
      continue;
    }
    for (const Kept& kept : kept_in(argv[i])) {
      std::fprintf(stderr, "%s\n", kept.name.c_str());
      const std::uint64_t first = ncqlab::fuzz::torment(kept.bytes.data(), kept.bytes.size(), observer);
      if (ncqlab::fuzz::torment(kept.bytes.data(), kept.bytes.size()) != first) {
        std::fprintf(stderr, "two runs have two fingerprints\n");
        return 1;
      }
      ++count;
    }
  }
  std::printf("%zu inputs\n", count);
  return count == 0 ? 1 : 0;
}
