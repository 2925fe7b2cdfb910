#include "model/config/json_backend.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "model/config/error.h"

namespace ncqlab::config {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kDeepest = 64;
constexpr std::size_t kLongestMessage = 200;

// Builds the tree from the parser's events.
class TreeBuilder : public nlohmann::json_sax<Json> {
 public:
  TreeBuilder(std::string_view text, const std::string& file) : text_(text), file_(file), duplicates_(file) {}

  Node take() {
    duplicates_.throw_if_any();
    return std::move(root_);
  }

  bool null() override { return add(Node::Kind::null); }
  bool boolean(bool value) override {
    add(Node::Kind::boolean)->boolean = value;
    return true;
  }
  bool number_integer(number_integer_t value) override {
    Node* node = add(Node::Kind::integer);
    node->integer = value;
    node->real = static_cast<double>(value);
    return true;
  }
  bool number_unsigned(number_unsigned_t value) override {
    if (value <= static_cast<number_unsigned_t>(INT64_MAX)) return number_integer(static_cast<std::int64_t>(value));
    return number_float(static_cast<double>(value), std::to_string(value));
  }
  bool number_float(number_float_t value, const string_t& text) override {
    Node* node = add(Node::Kind::real);
    node->real = value;
    node->string = text;
    return true;
  }
  bool string(string_t& value) override {
    add(Node::Kind::string)->string = std::move(value);
    return true;
  }
  bool binary(binary_t& /*value*/) override { return false; }  // never in text
  bool start_object(std::size_t /*elements*/) override { return open(Node::Kind::object); }
  bool start_array(std::size_t /*elements*/) override { return open(Node::Kind::array); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& value) override {
    if (stack_.back()->member(value) != nullptr) {
      duplicates_.add(pointer() + pointer_step(value), "key given twice", "it once");
    }
    stack_.back()->members.emplace_back(std::move(value), Node{});
    return true;
  }

  bool parse_error(std::size_t position, const std::string& /*token*/, const nlohmann::detail::exception& e) override {
    fail(position, e.what());
  }

 private:
  // The tree's nodes stay where they are while they are open: only the last member or item of each grows.
  Node* add(Node::Kind kind) {
    Node* node = &root_;
    if (!stack_.empty()) {
      Node& parent = *stack_.back();
      node = parent.kind == Node::Kind::object ? &parent.members.back().second : &parent.items.emplace_back();
    }
    node->kind = kind;
    node->position = ++values_;
    return node;
  }

  bool open(Node::Kind kind) {
    if (stack_.size() == kDeepest) {
      throw ConfigError(
          {file_ + ": " + pointer() + ": nested deeper than " + std::to_string(kDeepest) + " levels, expected fewer"});
    }
    stack_.push_back(add(kind));
    return true;
  }

  bool close() {
    stack_.pop_back();
    return true;
  }

  std::string pointer() const {
    std::string result;
    for (std::size_t i = 0; i + 1 < stack_.size(); ++i) {
      const Node& node = *stack_[i];
      result += node.kind == Node::Kind::object ? pointer_step(node.members.back().first)
                                                : pointer_step(std::to_string(node.items.size() - 1));
    }
    return result;
  }

  // The library's message, "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error while
  // parsing value - unexpected '}'; expected '[', '{', or a literal", with its place in front and no more than what was
  // found and expected.
  [[noreturn]] void fail(std::size_t position, std::string message) const {
    for (const std::string_view start : {"] ", " - "}) {
      const auto at = message.find(start);
      if (at != std::string::npos) message.erase(0, at + start.size());
    }
    for (auto at = message.find("; expected"); at != std::string::npos; at = message.find("; expected")) {
      message.replace(at, 1, ",");
    }
    for (char& c : message) {
      if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7F) c = '?';
    }
    if (message.size() > kLongestMessage) message = message.substr(0, kLongestMessage) + "...";
    const auto before = text_.substr(0, position == 0 ? 0 : std::min(position, text_.size() + 1) - 1);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const auto last_newline = before.rfind('\n');
    const auto column = before.size() - (last_newline == std::string_view::npos ? 0 : last_newline + 1) + 1;
    throw ConfigError({file_ + ":" + std::to_string(line) + ":" + std::to_string(column) + ": " + message});
  }

  std::string_view text_;
  const std::string& file_;
  Findings duplicates_;
  Node root_;
  std::vector<Node*> stack_;
  std::size_t values_ = 0;
};

Json to_json(const Node& node) {
  switch (node.kind) {
    case Node::Kind::null:
      break;
    case Node::Kind::boolean:
      return node.boolean;
    case Node::Kind::integer:
      return node.integer;
    case Node::Kind::real:
      return node.real;
    case Node::Kind::string:
      return node.string;
    case Node::Kind::array: {
      Json array = Json::array();
      for (const auto& item : node.items) array.push_back(to_json(item));
      return array;
    }
    case Node::Kind::object: {
      Json object = Json::object();
      for (const auto& [key, value] : node.members) object[key] = to_json(value);
      return object;
    }
  }
  return nullptr;
}

bool starts_with(const std::string& text, std::string_view start) { return text.compare(0, start.size(), start) == 0; }

}  // namespace

Node parse_json(std::string_view text, const std::string& file) {
  TreeBuilder builder(text, file);
  constexpr bool kNothingAfter = true;
  constexpr bool kIgnoreComments = true;
  Json::sax_parse(text.begin(), text.end(), &builder, Json::input_format_t::json, kNothingAfter, kIgnoreComments);
  return builder.take();
}

std::vector<Complaint> check_schema(const Node& schema, const Node& instance) {
  const Json schema_json = to_json(schema);
  const Json instance_json = to_json(instance);
  valijson::Schema parsed;
  valijson::SchemaParser parser(valijson::SchemaParser::kDraft7);
  parser.populateSchema(valijson::adapters::NlohmannJsonAdapter(schema_json), parsed);
  valijson::Validator validator(valijson::Validator::kStrongTypes);
  valijson::ValidationResults results;
  validator.validate(parsed, valijson::adapters::NlohmannJsonAdapter(instance_json), &results);

  std::vector<Complaint> complaints;
  for (const auto& error : results) {
    Complaint complaint;
    for (std::size_t i = 1; i < error.context.size(); ++i) {  // the first is <root>, the others are [key] or [index]
      const std::string& step = error.context[i];
      complaint.pointer += pointer_step(std::string_view(step).substr(1, step.size() - 2));
    }
    complaint.description = error.description;
    complaint.container = starts_with(error.description, "Failed to validate against schema associated with") ||
                          starts_with(error.description, "Failed to validate against additional properties") ||
                          starts_with(error.description, "Failed to validate item #");
    complaints.push_back(std::move(complaint));
  }
  return complaints;
}

}  // namespace ncqlab::config
