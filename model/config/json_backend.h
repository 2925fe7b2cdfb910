// Inside the library: the only two things asked of nlohmann-json and valijson. Their headers take 19 s to compile
// together; json_backend.cpp is the one source file that includes them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/config/node.h"

namespace ncqlab::config {

// JSON with // and /* */ comments. Throws ConfigError when the text is no JSON, nests deeper than 64 levels, or gives
// a key twice in one object (JSON leaves that open, RFC 8259 section 4; most parsers silently take the last).
Node parse_json(std::string_view text, const std::string& file);

struct Complaint {
  std::string pointer;      // of the value that a rule of the schema does not allow
  std::string description;  // the validator's words
  bool container = false;   // only says that something inside is wrong
};

// Every way in which `instance` breaks `schema` (JSON Schema draft 7). Throws std::runtime_error when the schema itself
// can't be used.
std::vector<Complaint> check_schema(const Node& schema, const Node& instance);

}  // namespace ncqlab::config
