#include "testbench/frontend/qtest/option_string.h"

#include <algorithm>

#include "testbench/frontend/qtest/text.h"

namespace ncqlab::qtest {

namespace {

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> items(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != ',') {
      items.back() += text[i];
    } else if (i + 1 < text.size() && text[i + 1] == ',') {
      items.back() += ',';
      ++i;
    } else {
      items.emplace_back();
    }
  }
  if (items.size() > 1 && items.back().empty()) items.pop_back();  // QEMU allows a comma at the end
  return items;
}

}  // namespace

OptionString::OptionString(std::string option, std::string_view text, std::string_view implied_key)
    : option_(std::move(option)), text_(text) {
  bool first = true;
  for (const std::string& item : split(text)) {
    const std::size_t equals = item.find('=');
    if (equals != std::string::npos) {
      items_.emplace_back(item.substr(0, equals), item.substr(equals + 1));
    } else if (first && !implied_key.empty()) {
      items_.emplace_back(implied_key, item);
    } else if (item.empty()) {
      fail("an empty item");
    } else if (item.substr(0, 2) == "no") {
      items_.emplace_back(item.substr(2), "off");
    } else {
      items_.emplace_back(item, "on");
    }
    first = false;
  }
}

void OptionString::fail(const std::string& what) const { throw ArgumentError(option_ + " " + text_ + ": " + what); }

std::optional<std::string> OptionString::take(std::string_view key) {
  std::optional<std::string> value;
  for (const auto& [name, text] : items_) {
    if (name == key) value = text;
  }
  items_.erase(std::remove_if(items_.begin(), items_.end(), [&](const auto& item) { return item.first == key; }),
               items_.end());
  return value;
}

std::string OptionString::require(std::string_view key) {
  const auto value = take(key);
  if (!value) fail("'" + std::string(key) + "' is missing");
  return *value;
}

std::optional<bool> OptionString::take_flag(std::string_view key) {
  const auto value = take(key);
  if (!value) return std::nullopt;
  if (*value == "on" || *value == "yes" || *value == "true") return true;
  if (*value == "off" || *value == "no" || *value == "false") return false;
  fail("'" + std::string(key) + "' is on or off");
}

void OptionString::check_all_taken() const {
  if (!items_.empty()) fail("'" + items_.front().first + "' is not known here");
}

std::optional<std::uint64_t> parse_size(std::string_view text, std::uint64_t unit) {
  if (text.empty()) return std::nullopt;
  static constexpr std::string_view kSuffixes = "BKMGT";
  const char last = text.back();
  const std::size_t power = kSuffixes.find(last >= 'a' && last <= 'z' ? static_cast<char>(last - 'a' + 'A') : last);
  if (power != std::string_view::npos) {
    unit = 1ULL << (10 * power);
    text.remove_suffix(1);
  }
  const auto count = parse_number(text);
  if (!count || *count > UINT64_MAX / unit) return std::nullopt;
  return *count * unit;
}

}  // namespace ncqlab::qtest
