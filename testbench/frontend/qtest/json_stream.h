// Finds the JSON objects in a stream of bytes, as they come over a monitor connection: with or without newlines between
// them. Only braces, brackets and strings are looked at; whether an object is well-formed is the parser's to say.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace ncqlab::qtest {

class JsonStream {
 public:
  void append(std::string_view bytes) { pending_.append(bytes); }

  struct Object {
    std::string text;
    bool refused = false;  // bytes that begin no object, or one beyond the limits; they have been skipped
  };
  // The next complete object.
  std::optional<Object> next();

 private:
  Object take(std::size_t end, bool refused);

  std::string pending_;
  std::size_t scanned_ = 0;
  unsigned depth_ = 0;
  bool in_string_ = false;
  bool escaped_ = false;
};

}  // namespace ncqlab::qtest
