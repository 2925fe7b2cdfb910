#include "model/config/schema_words.h"

#include <algorithm>
#include <map>
#include <set>

#include "model/config/json_backend.h"
#include "model/config/nearest_name.h"

namespace ncqlab::config {
namespace {

struct Line {
  std::size_t position;  // of the value, or of the object that lacks it
  std::string pointer, found, expected, nearest;
};

class Words {
 public:
  Words(const Node& schema, const Node& instance) : schema_(schema), instance_(instance) {}

  // What is wrong with the one value at `pointer`, not with those inside it.
  std::vector<Line> about(const std::string& pointer) const;

 private:
  const Node* resolved(const Node* rule) const;
  const Node* rule_at(const std::string& pointer) const;
  std::string expectation(const Node& rule) const;
  static bool type_fits(const Node& value, const std::string& type);
  static bool value_fits(const Node& value, const Node& rule);
  void about_members(const std::string& pointer, const Node& value, const Node& rule, std::vector<Line>& lines) const;

  const Node& schema_;
  const Node& instance_;
};

// Follows "$ref": "#/definitions/...".
const Node* Words::resolved(const Node* rule) const {
  for (int hops = 0; rule != nullptr && hops < 16; ++hops) {
    const Node* reference = rule->member("$ref");
    if (reference == nullptr || reference->string.empty() || reference->string[0] != '#') return rule;
    rule = schema_.find(std::string_view(reference->string).substr(1));
  }
  return rule;
}

const Node* Words::rule_at(const std::string& pointer) const {
  const Node* rule = resolved(&schema_);
  for (const auto& step : pointer_steps(pointer)) {
    if (rule == nullptr) return nullptr;
    const Node* next = nullptr;
    if (const Node* properties = rule->member("properties")) next = properties->member(step);
    if (next == nullptr) next = rule->member("additionalProperties");
    if (next == nullptr) next = rule->member("items");
    rule = resolved(next);
  }
  return rule;
}

std::string one_of(const std::vector<std::string>& names) {
  std::string text = names.size() > 1 ? "one of " : "";
  for (std::size_t i = 0; i < names.size(); ++i) text += (i == 0 ? "" : ", ") + names[i];
  return text;
}

std::string range(const Node& rule, const char* low_key, const char* high_key) {
  const Node* low = rule.member(low_key);
  const Node* high = rule.member(high_key);
  const Node* above = rule.member("exclusiveMinimum");
  if (low != nullptr && high != nullptr) return " from " + shown(low->real) + " to " + shown(high->real);
  if (above != nullptr && high != nullptr) return " above " + shown(above->real) + ", at most " + shown(high->real);
  if (above != nullptr) return " above " + shown(above->real);
  if (low != nullptr) return " of at least " + shown(low->real);
  if (high != nullptr) return " of at most " + shown(high->real);
  return {};
}

std::string Words::expectation(const Node& rule) const {
  if (const Node* allowed = rule.member("enum")) {
    std::vector<std::string> names;
    for (const auto& item : allowed->items) names.push_back(shown(item));
    return one_of(names);
  }
  const Node* type = rule.member("type");
  if (type == nullptr || type->kind != Node::Kind::string) return "another value";
  if (type->string == "integer") return "an integer" + range(rule, "minimum", "maximum");
  if (type->string == "number") return "a number" + range(rule, "minimum", "maximum");
  if (type->string == "boolean") return "true or false";
  if (type->string == "string") {
    const std::string length = range(rule, "minLength", "maxLength");
    return length.empty() ? "a string" : "a string" + length + " characters";
  }
  if (type->string == "array") {
    const std::string length = range(rule, "minItems", "maxItems");
    return length.empty() ? "an array" : "an array" + length + " items";
  }
  return type->string == "object" ? "an object" : type->string;
}

bool Words::type_fits(const Node& value, const std::string& type) {
  switch (value.kind) {
    case Node::Kind::null:
      return type == "null";
    case Node::Kind::boolean:
      return type == "boolean";
    case Node::Kind::integer:
      return type == "integer" || type == "number";
    case Node::Kind::real:
      return type == "number";
    case Node::Kind::string:
      return type == "string";
    case Node::Kind::array:
      return type == "array";
    case Node::Kind::object:
      return type == "object";
  }
  return false;
}

std::size_t utf8_length(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

bool Words::value_fits(const Node& value, const Node& rule) {
  const auto limit = [&rule](const char* key, double otherwise) {
    const Node* node = rule.member(key);
    return node == nullptr ? otherwise : node->real;
  };
  constexpr double kNone = 1e300;
  const auto within = [&limit](double size, const char* low, const char* high) {
    return size >= limit(low, -kNone) && size <= limit(high, kNone);
  };
  if (const Node* type = rule.member("type")) {
    if (!type_fits(value, type->string)) return false;
  }
  if (const Node* allowed = rule.member("enum")) {
    return std::any_of(allowed->items.begin(), allowed->items.end(), [&value](const Node& item) {
      if (item.is_number() && value.is_number()) return item.real == value.real;
      return item.kind == value.kind && item.string == value.string && item.boolean == value.boolean;
    });
  }
  if (value.is_number()) {
    return within(value.real, "minimum", "maximum") && value.real > limit("exclusiveMinimum", -kNone);
  }
  if (value.kind == Node::Kind::string) {
    return within(static_cast<double>(utf8_length(value.string)), "minLength", "maxLength");
  }
  if (value.kind == Node::Kind::array) {
    return within(static_cast<double>(value.items.size()), "minItems", "maxItems");
  }
  return true;
}

void Words::about_members(const std::string& pointer, const Node& value, const Node& rule,
                          std::vector<Line>& lines) const {
  const Node* properties = rule.member("properties");
  const Node* others = rule.member("additionalProperties");
  const std::vector<std::string> known = properties != nullptr ? properties->keys() : std::vector<std::string>{};
  if (others != nullptr && others->kind == Node::Kind::boolean && !others->boolean) {
    for (const auto& [key, member] : value.members) {
      if (std::find(known.begin(), known.end(), key) != known.end()) continue;
      std::vector<std::string> free;  // a key that the object has already is not what was meant
      for (const auto& name : known) {
        if (value.member(name) == nullptr) free.push_back(name);
      }
      std::string nearest = nearest_name(key, free);
      if (nearest.empty()) nearest = nearest_name(key, known);
      lines.push_back({member.position, pointer + pointer_step(key), "unknown key", one_of(known), nearest});
    }
  }
  if (const Node* required = rule.member("required")) {
    for (const auto& key : required->items) {
      if (value.member(key.string) != nullptr) continue;
      const Node* wanted = properties != nullptr ? resolved(properties->member(key.string)) : nullptr;
      lines.push_back({value.position, pointer + pointer_step(key.string), "missing",
                       wanted != nullptr ? expectation(*wanted) : "a value", ""});
    }
  }
}

std::vector<Line> Words::about(const std::string& pointer) const {
  std::vector<Line> lines;
  const Node* value = instance_.find(pointer);
  const Node* rule = rule_at(pointer);
  if (value == nullptr || rule == nullptr) return lines;
  if (!value_fits(*value, *rule)) {
    std::string nearest;
    if (const Node* allowed = rule->member("enum"); allowed != nullptr && value->kind == Node::Kind::string) {
      std::vector<std::string> names;
      for (const auto& item : allowed->items) names.push_back(item.string);
      nearest = nearest_name(value->string, names);
    }
    lines.push_back({value->position, pointer, "found " + shown(*value), expectation(*rule), nearest});
  } else if (value->kind == Node::Kind::object) {
    about_members(pointer, *value, *rule, lines);
  }
  return lines;
}

}  // namespace

void check_document(const Node& schema, const std::string& schema_file, const Node& instance, const std::string& file) {
  std::vector<Complaint> complaints;
  try {
    complaints = check_schema(schema, instance);
  } catch (const std::runtime_error& e) {
    throw ConfigError({schema_file + ": /: " + e.what() + ", expected a JSON Schema of draft 7"});
  }
  const Words words(schema, instance);
  std::vector<Line> lines;
  std::map<std::string, bool> explained;
  for (const auto& complaint : complaints) {
    if (explained.find(complaint.pointer) != explained.end()) continue;
    auto about = words.about(complaint.pointer);
    explained[complaint.pointer] = !about.empty();
    lines.insert(lines.end(), about.begin(), about.end());
  }
  for (const auto& complaint : complaints) {
    if (explained[complaint.pointer] || complaint.container) continue;
    const Node* value = instance.find(complaint.pointer);
    lines.push_back({value != nullptr ? value->position : 0, complaint.pointer,
                     value != nullptr ? "found " + shown(*value) : "a wrong value",
                     "what the schema allows (" + complaint.description + ")", ""});
  }
  std::stable_sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) { return a.position < b.position; });
  Findings findings(file);
  for (const auto& line : lines) findings.add(line.pointer, line.found, line.expected, line.nearest);
  findings.throw_if_any();
  if (!complaints.empty()) throw ConfigError({file + ": /: breaks " + schema_file + ", expected it not to"});
}

}  // namespace ncqlab::config
