#include <algorithm>

#include "testbench/tests/tidy/rules.h"

namespace ncqlab::tidy {
namespace {

constexpr std::string_view kOwnFolder = "testbench/tests/tidy/";  // names all of them

struct BannedWord {
  std::string_view word;  // as code; a letter at either end must be the end of an identifier
  std::string_view instead;
  std::vector<std::string_view> allowed;  // files or folders, each with its reason here in the table
};

const std::vector<BannedWord>& words() {
  // Benchmarks measure the wall clock; the paced front end is the one host that lives by it.
  static const std::vector<std::string_view> kWallClock = {"testbench/bench/", "testbench/frontend/"};
  static const std::string_view kQueueTime = "simulated time: EventQueue::now() (model/sim/event_queue.h)";
  static const std::string_view kStream = "a named sim::Stream (model/sim/random.h)";
  static const std::string_view kOrdered = "std::map or a sorted vector: the order of a hash is no order";
  static const std::vector<BannedWord> kWords = {
      {"std::chrono", kQueueTime, kWallClock},
      {"std::this_thread", kQueueTime, kWallClock},
      {"std::clock", kQueueTime, kWallClock},
      {"std::time", kQueueTime, kWallClock},
      {"time(nullptr)", kQueueTime, kWallClock},
      {"time(NULL)", kQueueTime, kWallClock},
      {"time(0)", kQueueTime, kWallClock},
      {"clock_gettime", kQueueTime, kWallClock},
      {"gettimeofday", kQueueTime, kWallClock},
      {"usleep", kQueueTime, kWallClock},
      {"nanosleep", kQueueTime, kWallClock},
      {"rand(", kStream, {}},
      {"srand", kStream, {}},
      {"drand48", kStream, {}},
      {"std::random_device", kStream, {}},
      {"std::mt19937", kStream, {}},
      {"std::mt19937_64", kStream, {}},
      {"std::minstd_rand", kStream, {}},
      {"std::default_random_engine", kStream, {}},
      {"_distribution<", kStream, {}},
      {"std::uniform_int_distribution", kStream, {}},
      {"std::uniform_real_distribution", kStream, {}},
      {"std::shuffle", "a Fisher-Yates loop over sim::Stream::below()", {}},
      {"std::random_shuffle", "a Fisher-Yates loop over sim::Stream::below()", {}},
      {"unordered_map", kOrdered, {}},
      {"unordered_set", kOrdered, {}},
      {"std::hash", "mix64 (model/sim/random.h): std::hash differs between libraries", {}},
      {"sc_set_time_resolution", "nothing: the resolution stays 1 ps, and sc_time::from_value() converts", {}},
      {"std::regex", "hand-written parsing: libstdc++'s recursion overflows the stack on long input", {}},
      {"using namespace std", "std:: where it is used", {}},
      {"DISABLED_", "a test that runs, or none", {}},
  };
  return kWords;
}

const std::vector<BannedWord>& model_words() {
  static const std::string_view kTrace = "the hooks of model/sim/trace.h: model and driver print nothing";
  static const std::string_view kOneThread = "events: model and driver have one thread, the host's";
  static const std::vector<BannedWord> kWords = {
      {"std::cout", kTrace, {}},       {"std::cerr", kTrace, {}},      {"printf(", kTrace, {}},
      {"std::thread", kOneThread, {}}, {"std::async", kOneThread, {}}, {"std::mutex", kOneThread, {}},
  };
  return kWords;
}

// The word stands in the line on its own: not inside a longer identifier.
bool has_word(const std::string& line, std::string_view word) {
  for (auto at = line.find(word); at != std::string::npos; at = line.find(word, at + 1)) {
    const bool starts =
        at == 0 || word.front() == '_' || !is_word_character(word.front()) || !is_word_character(line[at - 1]);
    const auto end = at + word.size();
    const bool ends =
        end == line.size() || word.back() == '_' || !is_word_character(word.back()) || !is_word_character(line[end]);
    if (starts && ends) return true;
  }
  return false;
}

bool allowed(const BannedWord& banned, std::string_view path) {
  return std::any_of(banned.allowed.begin(), banned.allowed.end(),
                     [path](std::string_view place) { return starts_with(path, place); });
}

void look_for(const std::vector<BannedWord>& banned_words, const File& file, Violations& result) {
  for (std::size_t i = 0; i < file.code.size(); ++i) {
    for (const auto& banned : banned_words) {
      if (!has_word(file.code[i], banned.word) || allowed(banned, file.path)) continue;
      result.push_back({file.path, i + 1, std::string(banned.word) + ": use " + std::string(banned.instead)});
    }
  }
}

}  // namespace

Violations banned_words(const Tree& tree) {
  Violations result;
  for (const auto& file : tree.files()) {
    if (starts_with(file.path, kOwnFolder)) continue;
    look_for(words(), file, result);
    if (starts_with(file.path, "model/") || starts_with(file.path, "driver/")) look_for(model_words(), file, result);
  }
  return result;
}

Violations banned_build_options(const Tree& tree) {
  static const std::vector<BannedWord> kOptions = {
      {"-march=native", "nothing: results must be the same on every machine", {}},
      {"-mtune=native", "nothing: builds must be the same on every machine", {}},
      {"-ffast-math", "nothing: it changes the bits of a seek time", {}},
      {"-Ofast", "-O2: it changes the bits of a seek time", {}},
      {"FetchContent", "a Debian package and find_package()", {}},
      {"ExternalProject", "a Debian package and find_package()", {}},
  };
  Violations result;
  for (const auto& file : tree.files()) {
    if (!is_cmake(file.path)) continue;
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      for (const auto& option : kOptions) {
        if (file.lines[i].find(option.word) == std::string::npos) continue;
        result.push_back({file.path, i + 1, std::string(option.word) + ": use " + std::string(option.instead)});
      }
    }
  }
  return result;
}

Violations unfinished_work(const Tree& tree) {
  Violations result;
  for (const auto& file : tree.files()) {
    if (starts_with(file.path, kOwnFolder) || file.path == "LICENSE") continue;
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      for (const std::string_view mark : {"TODO", "FIXME", "XXX", "HACK"}) {
        if (!has_word(file.lines[i], mark)) continue;
        result.push_back({file.path, i + 1, std::string(mark) + ": finish it, or file an issue and leave no mark"});
      }
    }
  }
  return result;
}

Violations namespace_scope_sc_time(const Tree& tree) {
  Violations result;
  for (const auto& file : tree.files()) {
    for (std::size_t i = 0; i < file.code.size(); ++i) {
      const std::string& line = file.code[i];
      // The house style does not indent what stands in a namespace. A function's declaration has a type as the first
      // thing between its parentheses, an object has a number or an equals sign.
      if (line.empty() || line[0] == ' ' || !has_word(line, "sc_time")) continue;
      const auto after = line.find_first_of("=({", line.find("sc_time"));
      if (after == std::string::npos) continue;
      const auto next = line.find_first_not_of(" ({", after);
      const bool number = next != std::string::npos && line[next] >= '0' && line[next] <= '9';
      if (line[after] == '=' || number) {
        result.push_back({file.path, i + 1,
                          "an sc_time at namespace scope: keep sim::Time there (model/sim/time.h); after a reset of "
                          "the kernel it silently means another time"});
      }
    }
  }
  return result;
}

}  // namespace ncqlab::tidy
