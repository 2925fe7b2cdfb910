#include "model/faults/directory.h"

#include <algorithm>
#include <utility>

namespace ncqlab::faults {

Field integer(const char* name, std::int64_t least, std::int64_t most, std::int64_t (*get)(const void*),
              const char* meaning) {
  return {name, Type::integer, least, most, {}, get, nullptr, {}, meaning};
}

Field flag(const char* name, std::int64_t (*get)(const void*), const char* meaning) {
  return {name, Type::flag, 0, 1, {}, get, nullptr, {}, meaning};
}

Field state(const char* name, std::vector<const char*> states, std::int64_t (*get)(const void*), const char* meaning) {
  const auto last = static_cast<std::int64_t>(states.size()) - 1;
  return {name, Type::state, 0, last, std::move(states), get, nullptr, {}, meaning};
}

Field settable(Field field, void (*set)(void*, std::int64_t), std::vector<const char*> hooks) {
  field.set = set;
  field.settable_at = std::move(hooks);
  return field;
}

Directory::Directory() : objects_{command_names(), drive_names(), cache_names(), media_names()} {
  for (const std::vector<Hook>& some : {command_hooks(), media_hooks()})
    hooks_.insert(hooks_.end(), some.begin(), some.end());
}

const Directory& Directory::get() {
  static const Directory kDirectory;
  return kDirectory;
}

const Hook* Directory::find_hook(std::string_view name) const {
  const auto found = std::find_if(hooks_.begin(), hooks_.end(), [name](const Hook& hook) { return hook.name == name; });
  return found == hooks_.end() ? nullptr : &*found;
}

std::size_t Directory::find_object(std::string_view name) const {
  for (std::size_t i = 0; i < objects_.size(); ++i) {
    if (objects_[i].name == name) return i;
  }
  return kNone;
}

const Field* Directory::find_field(const Object& object, std::string_view name) {
  for (const Field& field : object.fields) {
    if (field.name == name) return &field;
  }
  return nullptr;
}

std::vector<std::string> Directory::names_at(const Hook& hook) const {
  std::vector<std::string> names;
  for (const char* name : hook.objects) {
    for (const Field& field : objects_[find_object(name)].fields) names.push_back(std::string(name) + '.' + field.name);
  }
  return names;
}

std::string values_of(const Field& field) {
  if (field.type == Type::flag) return "true or false";
  if (field.type == Type::integer) {
    return "from " + std::to_string(field.least) + " to " + std::to_string(field.most);
  }
  std::string text = "one of ";
  for (std::size_t i = 0; i < field.states.size(); ++i) text += (i == 0 ? "" : ", ") + std::string(field.states[i]);
  return text;
}

bool is_settable_at(const Field& field, const Hook& hook) {
  return std::any_of(field.settable_at.begin(), field.settable_at.end(),
                     [&hook](const char* name) { return std::string_view(name) == hook.name; });
}

}  // namespace ncqlab::faults
