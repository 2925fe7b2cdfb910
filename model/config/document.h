// A typed reader of a JSON file, for everything that is configured: profiles here, presets and scenarios in testbench.
//
//   const auto preset = config::Document::load("presets/b.json");
//   preset.validate("schema/preset.schema.json");                    // throws ConfigError with every error of the file
//   const auto depth = preset.root().at("/host/queue_depth").count();
//   const auto overhead = preset.root().at("/host/overhead_us").time();
//
// JSON with // and /* */ comments. Integers have up to 63 bits. Values are views that keep their document alive.
// Every getter throws ConfigError (file, pointer, found, expected) when the value is missing or of another kind, so a
// reader needs no checks of its own where the schema has none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/config/error.h"
#include "model/sim/time.h"

namespace ncqlab::config {

struct Node;
struct DocumentData;

class Value {
 public:
  // RFC 6901 pointer of this value in its file; empty for the whole file.
  const std::string& pointer() const { return pointer_; }
  const std::string& file() const;

  bool is_null() const;
  bool is_bool() const;
  bool is_number() const;
  bool is_string() const;
  bool is_array() const;
  bool is_object() const;

  double number() const;
  std::int64_t integer() const;
  std::uint64_t count() const;  // an integer that is not negative
  bool flag() const;
  const std::string& text() const;
  // The number in the unit that ends the value's key: _s, _ms, _us or _ns (an array's items take the array's key).
  sim::Time time() const;

  std::vector<Value> items() const;                            // of an array
  std::vector<std::pair<std::string, Value>> members() const;  // of an object, in the order of the file

  // By pointer relative to this value, with or without the leading slash.
  std::optional<Value> find(std::string_view relative_pointer) const;
  Value at(std::string_view relative_pointer) const;
  bool has(std::string_view relative_pointer) const { return find(relative_pointer).has_value(); }

  double number_or(std::string_view relative_pointer, double otherwise) const;
  std::int64_t integer_or(std::string_view relative_pointer, std::int64_t otherwise) const;
  std::uint64_t count_or(std::string_view relative_pointer, std::uint64_t otherwise) const;
  bool flag_or(std::string_view relative_pointer, bool otherwise) const;
  std::string text_or(std::string_view relative_pointer, std::string_view otherwise) const;
  sim::Time time_or(std::string_view relative_pointer, sim::Time otherwise) const;

 private:
  friend class Document;
  Value(std::shared_ptr<const DocumentData> document, const Node* node, std::string pointer)
      : document_(std::move(document)), node_(node), pointer_(std::move(pointer)) {}
  [[noreturn]] void wrong(std::string_view expected) const;

  std::shared_ptr<const DocumentData> document_;
  const Node* node_;
  std::string pointer_;
};

class Document {
 public:
  // Throws ConfigError: no such file, a directory, not readable, over 16 MiB, no JSON, a key given twice.
  static Document load(const std::filesystem::path& file);
  // `name` stands for the file in errors.
  static Document parse(std::string_view text, std::string name);

  const std::string& file() const;
  Value root() const;

  // Checks against a JSON Schema (draft 7; $ref within the file only) and throws ConfigError with every error at once.
  void validate(const std::filesystem::path& schema_file) const;
  void validate(const Document& schema) const;

 private:
  explicit Document(std::shared_ptr<const DocumentData> data) : data_(std::move(data)) {}

  std::shared_ptr<const DocumentData> data_;
};

}  // namespace ncqlab::config
