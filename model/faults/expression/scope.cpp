#include "model/faults/expression/scope.h"

#include <algorithm>

#include "model/faults/expression/error.h"

namespace ncqlab::faults {

namespace {
constexpr char kVariables[] = "var.";
}

std::vector<std::string> paths_of(const Scope& scope) {
  std::vector<std::string> names = Directory::get().names_at(*scope.hook);
  for (const std::string& variable : *scope.variables) names.push_back(kVariables + variable);
  return names;
}

Reference resolve(const Scope& scope, std::size_t column, const std::string& path) {
  const Directory& directory = Directory::get();
  if (path.rfind(kVariables, 0) == 0) {
    const auto found = std::find(scope.variables->begin(), scope.variables->end(), path.substr(4));
    if (found != scope.variables->end()) {
      return {nullptr, static_cast<std::size_t>(found - scope.variables->begin())};
    }
    throw ExpressionError(column, "'" + path + "'", "a variable of the program's \"vars\"", paths_of(scope), path);
  }
  const std::size_t dot = std::min(path.find('.'), path.size());
  const std::string object_name = path.substr(0, dot);
  const std::size_t object = directory.find_object(object_name);
  const Field* field = nullptr;
  if (object != Directory::kNone && dot != path.size()) {
    field = Directory::find_field(directory.objects()[object], path.substr(dot + 1));
  }
  if (field == nullptr) {
    throw ExpressionError(column, "unknown name '" + path + "'",
                          "a name that " + std::string(scope.hook->name) + " shows", paths_of(scope), path);
  }
  const auto& shown = scope.hook->objects;
  if (std::none_of(shown.begin(), shown.end(), [&](const char* name) { return object_name == name; })) {
    throw ExpressionError(column, "'" + path + "', which " + scope.hook->name + " does not show",
                          "a name that it shows", paths_of(scope), path);
  }
  return {field, object};
}

}  // namespace ncqlab::faults
