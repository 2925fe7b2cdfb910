// Whatever a file holds, the loader loads it or throws ConfigError; it never crashes, hangs or throws anything else.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "model/config/drive_profile.h"
#include "model/sim/random.h"

namespace ncqlab::config {
namespace {

std::string drive_text() {
  std::ifstream stream("testbench/tests/unit/data/drive.json");
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

enum class Outcome { loaded, refused };

// Every line of a refusal names the file and is one line.
Outcome attempt(const std::string& text, const std::string& what) {
  try {
    read_drive_profile(Document::parse(text, "d.json"), "d");
    return Outcome::loaded;
  } catch (const ConfigError& e) {
    EXPECT_FALSE(e.lines().empty()) << what;
    for (const auto& line : e.lines()) {
      EXPECT_EQ(line.rfind("d.json:", 0), 0U) << what << ": " << line;
      EXPECT_EQ(line.find('\n'), std::string::npos) << what;
    }
    return Outcome::refused;
  }
}

TEST(ConfigMutation, EveryTruncationIsRefused) {
  const std::string text = drive_text();
  const auto end = text.rfind('}');
  for (std::size_t length = 0; length <= end; ++length) {
    EXPECT_EQ(attempt(text.substr(0, length), "cut at " + std::to_string(length)), Outcome::refused);
  }
  EXPECT_EQ(attempt(text.substr(0, end + 1), "cut after the last brace"), Outcome::loaded);
}

TEST(ConfigMutation, AChangedByteLoadsOrIsRefused) {
  const std::string text = drive_text();
  sim::Stream stream(1, "config mutation");
  std::size_t refused = 0;
  constexpr std::size_t kTries = 3000;
  for (std::size_t i = 0; i < kTries; ++i) {
    std::string changed = text;
    const auto at = stream.below(changed.size());
    const auto byte = static_cast<char>(stream.below(256));
    changed[at] = byte;
    if (attempt(changed, "byte " + std::to_string(at)) == Outcome::refused) ++refused;
  }
  EXPECT_GT(refused, kTries / 2);
}

TEST(ConfigMutation, AMovedPieceLoadsOrIsRefused) {
  const std::string text = drive_text();
  sim::Stream stream(2, "config mutation");
  for (int i = 0; i < 1500; ++i) {
    std::string changed = text;
    const auto from = stream.below(text.size());
    const auto length = stream.below(60);
    const auto to = stream.below(text.size());
    changed.insert(to, text.substr(from, length));
    const auto cut = stream.below(changed.size());
    const auto cut_length = stream.below(60);
    changed.erase(cut, cut_length);
    attempt(changed, "piece " + std::to_string(from) + " to " + std::to_string(to));
  }
}

TEST(ConfigMutation, ValuesOfEveryKindInEveryPlaceLoadOrAreRefused) {
  const std::string text = drive_text();
  for (const std::string value :
       {"null", "true", "\"\"", "[]", "{}", "-1", "0", "1e308", "-1e308", "9223372036854775807", "18446744073709551615",
        "0.5", "[[[[1]]]]", "{\"a\": {\"b\": [null]}}"}) {
    for (auto colon = text.find("\": "); colon != std::string::npos; colon = text.find("\": ", colon + 1)) {
      // Up to the next comma or bracket: not always the whole value, which is as good a mutation.
      const auto start = colon + 3;
      const auto end = text.find_first_of(",}]\n", start);
      std::string changed = text;
      changed.replace(start, end - start, value);
      attempt(changed, value + " at " + std::to_string(start));
    }
  }
}

}  // namespace
}  // namespace ncqlab::config
