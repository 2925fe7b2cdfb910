// QEMU's option strings: items separated by commas, "key=value" each; ",," stands for a comma inside a value. The first
// item may be a value alone, of the key that the option implies ("-device ide-hd,drive=d0").
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ncqlab::qtest {

// The command line can't be understood or done: exit status 1, as QEMU's.
class ArgumentError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class OptionString {
 public:
  // `option` stands in errors: "-device". Throws ArgumentError for an item without a key where none is implied. An item
  // without a value means on, as "readonly" does; with "no" before it, off.
  OptionString(std::string option, std::string_view text, std::string_view implied_key = "");

  // The value of the last item of that key; it then counts as understood.
  std::optional<std::string> take(std::string_view key);
  // The same, when there must be one.
  std::string require(std::string_view key);
  // on or off (also yes, no, true, false).
  std::optional<bool> take_flag(std::string_view key);
  // Understood, and nothing comes of it.
  void ignore(std::string_view key) { take(key); }
  // Throws ArgumentError when an item was not taken.
  void check_all_taken() const;

  [[noreturn]] void fail(const std::string& what) const;

 private:
  std::string option_;
  std::string text_;
  std::vector<std::pair<std::string, std::string>> items_;
};

// A size in bytes with k, M, G or T behind it; a bare number counts `unit` bytes. Nothing for anything else.
std::optional<std::uint64_t> parse_size(std::string_view text, std::uint64_t unit);

}  // namespace ncqlab::qtest
