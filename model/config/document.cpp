#include "model/config/document.h"

#include <cerrno>
#include <cmath>
#include <fstream>
#include <stdexcept>
#include <system_error>

#include "model/config/json_backend.h"
#include "model/config/node.h"
#include "model/config/schema_words.h"

namespace ncqlab::config {

struct DocumentData {
  std::string file;
  Node root;
};

namespace {

constexpr std::size_t kLargestFile = 16U << 20U;

[[noreturn]] void unreadable(const std::filesystem::path& file, const std::string& found, const std::string& expected) {
  throw ConfigError({file.string() + ": " + found + ", expected " + expected});
}

std::string read_text(const std::filesystem::path& file) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) unreadable(file, "a directory", "a JSON file");
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) unreadable(file, std::generic_category().message(errno), "a readable JSON file");
  std::string text;
  char block[65536];
  do {
    stream.read(block, sizeof block);
    text.append(block, static_cast<std::size_t>(stream.gcount()));
    if (text.size() > kLargestFile) unreadable(file, "over 16 MiB", "a smaller JSON file");
  } while (stream);
  if (stream.bad()) unreadable(file, "a read error", "a readable JSON file");
  return text;
}

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

// The last step of the pointer that is a key, not an index.
std::string key_of(const std::string& pointer) {
  const auto steps = pointer_steps(pointer);
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    if (step->find_first_not_of("0123456789") != std::string::npos) return *step;
  }
  return {};
}

}  // namespace

const std::string& Value::file() const { return document_->file; }
bool Value::is_null() const { return node_->kind == Node::Kind::null; }
bool Value::is_bool() const { return node_->kind == Node::Kind::boolean; }
bool Value::is_number() const { return node_->is_number(); }
bool Value::is_string() const { return node_->kind == Node::Kind::string; }
bool Value::is_array() const { return node_->kind == Node::Kind::array; }
bool Value::is_object() const { return node_->kind == Node::Kind::object; }

void Value::wrong(std::string_view expected) const {
  Findings findings(file());
  findings.add(pointer_, "found " + shown(*node_), expected);
  throw ConfigError(findings.lines());
}

double Value::number() const {
  if (!is_number()) wrong("a number");
  return node_->real;
}

std::int64_t Value::integer() const {
  if (node_->kind != Node::Kind::integer) wrong("an integer");
  return node_->integer;
}

std::uint64_t Value::count() const {
  if (node_->kind != Node::Kind::integer || node_->integer < 0) wrong("an integer of at least 0");
  return static_cast<std::uint64_t>(node_->integer);
}

bool Value::flag() const {
  if (!is_bool()) wrong("true or false");
  return node_->boolean;
}

const std::string& Value::text() const {
  if (!is_string()) wrong("a string");
  return node_->string;
}

sim::Time Value::time() const {
  const double value = number();
  const std::string key = key_of(pointer_);
  double milliseconds = 0;
  if (ends_with(key, "_ms")) {
    milliseconds = value;
  } else if (ends_with(key, "_us")) {
    milliseconds = value / 1e3;
  } else if (ends_with(key, "_ns")) {
    milliseconds = value / 1e6;
  } else if (ends_with(key, "_s")) {
    milliseconds = value * 1e3;
  } else {
    throw std::logic_error(pointer_ + " is read as a time, but its key names no unit");
  }
  if (std::abs(milliseconds) > sim::to_ms(sim::kTimeLimit)) wrong("a time of at most 2500 h");
  // One rounding each, from the unit of the file.
  if (ends_with(key, "_us")) return sim::from_us(value);
  return ends_with(key, "_ns") ? sim::from_ns(value) : sim::from_ms(milliseconds);
}

std::vector<Value> Value::items() const {
  if (!is_array()) wrong("an array");
  std::vector<Value> result;
  for (std::size_t i = 0; i < node_->items.size(); ++i) {
    result.push_back(Value(document_, &node_->items[i], pointer_ + pointer_step(std::to_string(i))));
  }
  return result;
}

std::vector<std::pair<std::string, Value>> Value::members() const {
  if (!is_object()) wrong("an object");
  std::vector<std::pair<std::string, Value>> result;
  for (const auto& [key, node] : node_->members) {
    result.emplace_back(key, Value(document_, &node, pointer_ + pointer_step(key)));
  }
  return result;
}

std::optional<Value> Value::find(std::string_view relative_pointer) const {
  const Node* node = node_->find(relative_pointer);
  if (node == nullptr) return std::nullopt;
  std::string pointer = pointer_;
  if (!relative_pointer.empty() && relative_pointer[0] != '/') pointer += '/';
  pointer += relative_pointer;
  return Value(document_, node, std::move(pointer));
}

Value Value::at(std::string_view relative_pointer) const {
  if (auto value = find(relative_pointer)) return *value;
  std::string pointer = pointer_;
  if (relative_pointer[0] != '/') pointer += '/';
  pointer += relative_pointer;
  Findings findings(file());
  findings.add(pointer, "missing", "a value");
  throw ConfigError(findings.lines());
}

double Value::number_or(std::string_view relative_pointer, double otherwise) const {
  const auto value = find(relative_pointer);
  return value ? value->number() : otherwise;
}

std::int64_t Value::integer_or(std::string_view relative_pointer, std::int64_t otherwise) const {
  const auto value = find(relative_pointer);
  return value ? value->integer() : otherwise;
}

std::uint64_t Value::count_or(std::string_view relative_pointer, std::uint64_t otherwise) const {
  const auto value = find(relative_pointer);
  return value ? value->count() : otherwise;
}

bool Value::flag_or(std::string_view relative_pointer, bool otherwise) const {
  const auto value = find(relative_pointer);
  return value ? value->flag() : otherwise;
}

std::string Value::text_or(std::string_view relative_pointer, std::string_view otherwise) const {
  const auto value = find(relative_pointer);
  return value ? value->text() : std::string(otherwise);
}

sim::Time Value::time_or(std::string_view relative_pointer, sim::Time otherwise) const {
  const auto value = find(relative_pointer);
  return value ? value->time() : otherwise;
}

Document Document::load(const std::filesystem::path& file) { return parse(read_text(file), file.string()); }

Document Document::parse(std::string_view text, std::string name) {
  auto data = std::make_shared<DocumentData>();
  data->root = parse_json(text, name);
  data->file = std::move(name);
  return Document(std::move(data));
}

const std::string& Document::file() const { return data_->file; }

Value Document::root() const { return Value(data_, &data_->root, ""); }

void Document::validate(const std::filesystem::path& schema_file) const { validate(load(schema_file)); }

void Document::validate(const Document& schema) const {
  check_document(schema.data_->root, schema.file(), data_->root, file());
}

}  // namespace ncqlab::config
