// The typed directory of names: which hooks there are, which objects of the model an event at each of them shows, and
// what a fault program may read and set there. A name that is not here is an error when a program is loaded.
//
// An object's names stand in a file of their own in names/; a new object or hook adds one and a line in directory.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ncqlab::faults {

enum class Type : std::uint8_t { integer, flag, state };

struct Field {
  const char* name;  // within the object
  Type type;
  std::int64_t least;  // of an integer; 0 and the last state of a state; 0 and 1 of a flag
  std::int64_t most;
  std::vector<const char*> states;  // by value
  std::int64_t (*get)(const void* object);
  void (*set)(void* object, std::int64_t value);  // null: it cannot be set
  std::vector<const char*> settable_at;           // hooks
  const char* meaning;
};

Field integer(const char* name, std::int64_t least, std::int64_t most, std::int64_t (*get)(const void*),
              const char* meaning);
Field flag(const char* name, std::int64_t (*get)(const void*), const char* meaning);
Field state(const char* name, std::vector<const char*> states, std::int64_t (*get)(const void*), const char* meaning);
// The same field, which can be set at these hooks too.
Field settable(Field field, void (*set)(void*, std::int64_t), std::vector<const char*> hooks);

struct Object {
  const char* name;
  const char* meaning;
  std::vector<Field> fields;
};

struct Hook {
  const char* name;
  const char* meaning;
  std::vector<const char*> objects;  // that an event there shows
  std::vector<const char*> actions;  // that can be done there
  std::vector<const char*> skips;    // what the action "skip" can leave out there
  std::vector<const char*> fails;    // the arguments of the action "fail" there
};

class Directory {
 public:
  static const Directory& get();

  const std::vector<Object>& objects() const { return objects_; }
  const std::vector<Hook>& hooks() const { return hooks_; }

  // Null, or kNone, when there is no such name.
  static constexpr std::size_t kNone = ~std::size_t{0};
  const Hook* find_hook(std::string_view name) const;
  std::size_t find_object(std::string_view name) const;
  static const Field* find_field(const Object& object, std::string_view name);
  // What can be read at a hook, as "object.field".
  std::vector<std::string> names_at(const Hook& hook) const;

 private:
  Directory();

  std::vector<Object> objects_;
  std::vector<Hook> hooks_;
};

// names/
Object command_names();
Object drive_names();
Object cache_names();
Object media_names();
std::vector<Hook> command_hooks();
std::vector<Hook> media_hooks();

// As text: "from 0 to 255", "true or false", "one of a, b".
std::string values_of(const Field& field);
bool is_settable_at(const Field& field, const Hook& hook);

}  // namespace ncqlab::faults
