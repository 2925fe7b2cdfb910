#include "model/config/node.h"

#include <algorithm>
#include <charconv>

namespace ncqlab::config {
namespace {

constexpr std::size_t kShownCharacters = 60;

std::string quoted(std::string_view text) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string result = "\"";
  std::size_t bytes = std::min(text.size(), kShownCharacters);
  // Not in the middle of a UTF-8 sequence.
  while (bytes < text.size() && bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0U) == 0x80U) --bytes;
  for (const char c : text.substr(0, bytes)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') result += '\\';
    if (byte < 0x20 || byte == 0x7F) {
      result += "\\u00";
      result += kHex[byte >> 4];
      result += kHex[byte & 15];
    } else {
      result += c;
    }
  }
  result += bytes < text.size() ? "...\"" : "\"";
  return result;
}

}  // namespace

const Node* Node::member(std::string_view key) const {
  for (const auto& [name, value] : members) {
    if (name == key) return &value;
  }
  return nullptr;
}

const Node* Node::find(std::string_view pointer) const {
  const Node* node = this;
  for (const auto& step : pointer_steps(pointer)) {
    if (node->kind == Kind::array) {
      std::size_t index = 0;
      const char* end = step.data() + step.size();
      const auto parsed = std::from_chars(step.data(), end, index);
      if (parsed.ec != std::errc{} || parsed.ptr != end || index >= node->items.size()) return nullptr;
      node = &node->items[index];
    } else {
      node = node->member(step);
      if (node == nullptr) return nullptr;
    }
  }
  return node;
}

std::vector<std::string> Node::keys() const {
  std::vector<std::string> result;
  result.reserve(members.size());
  for (const auto& member : members) result.push_back(member.first);
  return result;
}

std::string pointer_step(std::string_view key) {
  std::string result = "/";
  for (const char c : key) {
    if (c == '~') {
      result += "~0";
    } else if (c == '/') {
      result += "~1";
    } else {
      result += c;
    }
  }
  return result;
}

std::vector<std::string> pointer_steps(std::string_view pointer) {
  std::vector<std::string> steps;
  for (std::size_t i = 0; i < pointer.size(); ++i) {
    if (pointer[i] == '/') {
      steps.emplace_back();
    } else if (steps.empty()) {
      steps.emplace_back(1, pointer[i]);  // no leading slash: taken as if there were one
    } else if (pointer[i] == '~' && i + 1 < pointer.size()) {
      ++i;
      steps.back() += pointer[i] == '1' ? '/' : '~';
    } else {
      steps.back() += pointer[i];
    }
  }
  return steps;
}

std::string shown(double number) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, number).ptr;
  return std::string(text, end);
}

std::string shown(const Node& node) {
  switch (node.kind) {
    case Node::Kind::null:
      return "null";
    case Node::Kind::boolean:
      return node.boolean ? "true" : "false";
    case Node::Kind::integer:
      return std::to_string(node.integer);
    case Node::Kind::real:
      return node.string.substr(0, kShownCharacters);
    case Node::Kind::string:
      return quoted(node.string);
    case Node::Kind::array:
      return node.items.empty() ? "[]" : "[...]";
    case Node::Kind::object:
      return node.members.empty() ? "{}" : "{...}";
  }
  return {};
}

}  // namespace ncqlab::config
