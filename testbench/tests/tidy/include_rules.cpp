#include <algorithm>

#include "testbench/tests/tidy/rules.h"

namespace ncqlab::tidy {
namespace {

struct Layer {
  std::string_view folder;
  std::vector<std::string_view> may_include;
};

// The first that fits a file counts. A folder of the model that stands here nowhere may include nothing.
const std::vector<Layer>& layers() {
  static const std::vector<Layer> kLayers = {
      {"driver/", {"driver/"}},
      {"model/sim/", {"model/sim/"}},
      {"model/sata/", {"model/sata/", "model/sim/"}},
      {"model/host/", {"model/host/", "model/sim/"}},
      {"model/drive/", {"model/drive/", "model/sata/", "model/sim/"}},
      {"model/multiplier/", {"model/multiplier/", "model/sata/", "model/sim/"}},
      {"model/hba/", {"model/hba/", "model/sata/", "model/host/", "model/sim/"}},
      {"model/ide/", {"model/ide/", "model/host/", "model/sim/"}},
      {"model/faults/", {"model/faults/", "model/drive/", "model/sata/", "model/sim/"}},
      {"model/config/", {"model/config/", "model/drive/", "model/faults/", "model/hba/", "model/host/", "model/sim/"}},
      {"model/", {}},
      {"testbench/", {"testbench/", "model/", "driver/"}},
  };
  return kLayers;
}

struct Library {
  std::string_view header;  // how the include begins
  std::vector<std::string_view> allowed;
  std::string_view instead;
};

const std::vector<Library>& libraries() {
  static const std::vector<Library> kLibraries = {
      {"spdlog/", {"testbench/lab/log.cpp"}, "log through testbench/lab/log.h"},
      {"fmt/", {}, "log through testbench/lab/log.h"},
      {"CLI/", {"testbench/cli/"}, "only the command has a command line"},
      {"nlohmann/",
       {"model/config/json_backend.cpp", "testbench/report/", "testbench/cli/", "testbench/frontend/"},
       "read through model/config/document.h; only reports, the command and front ends write JSON"},
      {"valijson/", {"model/config/json_backend.cpp"}, "Document::validate in model/config/document.h"},
      {"benchmark/", {"testbench/bench/"}, "benchmarks live in testbench/bench/"},
      {"gtest/", {"testbench/tests/", "testbench/examples/"}, "tests live in testbench/tests/"},
      {"gmock/", {"testbench/tests/", "testbench/examples/"}, "tests live in testbench/tests/"},
      {"rapidcheck", {"testbench/tests/"}, "tests live in testbench/tests/"},
  };
  return kLibraries;
}

// What freestanding C++17 has ([compliance]), and the four memory functions the driver may need.
const std::vector<std::string_view>& freestanding_headers() {
  static const std::vector<std::string_view> kHeaders = {"cstddef", "cstdint", "limits",      "climits", "new",
                                                         "atomic",  "cstdarg", "type_traits", "cstring", "string.h"};
  return kHeaders;
}

// The target of an include with the given quotes; empty when the line is none.
std::string_view included(std::string_view line, char open, char close) {
  const auto hash = line.find_first_not_of(' ');
  if (hash == std::string_view::npos || line[hash] != '#') return {};
  const auto word = line.find_first_not_of(' ', hash + 1);
  if (word == std::string_view::npos || !starts_with(line.substr(word), "include")) return {};
  const auto start = line.find(open, word);
  if (start == std::string_view::npos) return {};
  const auto end = line.find(close, start + 1);
  return end == std::string_view::npos ? std::string_view{} : line.substr(start + 1, end - start - 1);
}

bool under_any(std::string_view path, const std::vector<std::string_view>& folders) {
  return std::any_of(folders.begin(), folders.end(),
                     [path](std::string_view folder) { return starts_with(path, folder); });
}

bool may_know_systemc(std::string_view path) {
  return path.find("systemc") != std::string_view::npos || path.find("tlm") != std::string_view::npos ||
         under_any(path, {"testbench/examples/", "testbench/tests/"});
}

bool is_systemc(std::string_view header) {
  return header == "systemc" || header == "systemc.h" || header == "tlm" || header == "tlm.h" ||
         starts_with(header, "tlm_") || starts_with(header, "sysc/");
}

}  // namespace

Violations wrong_project_includes(const Tree& tree) {
  Violations result;
  for (const auto& file : tree.files()) {
    if (!is_cpp(file.path)) continue;
    const auto layer = std::find_if(layers().begin(), layers().end(),
                                    [&file](const Layer& l) { return starts_with(file.path, l.folder); });
    if (layer == layers().end()) continue;
    // What a user copies stands alone: its files name each other without a path.
    const bool copied = starts_with(file.path, "testbench/examples/");
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      const auto target = included(file.lines[i], '"', '"');
      if (target.empty()) continue;
      const bool bare = target.find('/') == std::string_view::npos;
      if (bare && copied) continue;
      if (bare) {
        result.push_back({file.path, i + 1, "includes \"" + std::string(target) + "\": write its path from the root"});
      } else if (!under_any(target, layer->may_include)) {
        std::string allowed;
        for (const auto folder : layer->may_include) allowed += (allowed.empty() ? "" : ", ") + std::string(folder);
        result.push_back({file.path, i + 1,
                          "includes " + std::string(target) + ", but " + std::string(layer->folder) +
                              " may include only " + (allowed.empty() ? "nothing yet: see layers() here" : allowed)});
      }
    }
  }
  return result;
}

Violations wrong_library_includes(const Tree& tree) {
  Violations result;
  for (const auto& file : tree.files()) {
    if (!is_cpp(file.path)) continue;
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      const auto header = included(file.lines[i], '<', '>');
      if (header.empty()) continue;
      if (is_systemc(header) && !may_know_systemc(file.path)) {
        result.push_back({file.path, i + 1,
                          "includes <" + std::string(header) +
                              ">: only model/sim/systemc/, model/hba/tlm/, examples, tests and files named so know "
                              "SystemC; use model/sim/event_queue.h"});
      }
      for (const auto& library : libraries()) {
        if (starts_with(header, library.header) && !under_any(file.path, library.allowed)) {
          result.push_back(
              {file.path, i + 1, "includes <" + std::string(header) + ">: " + std::string(library.instead)});
        }
      }
    }
  }
  return result;
}

Violations wrong_driver_includes(const Tree& tree) {
  Violations result;
  for (const auto& file : tree.files()) {
    // Ports of the seam to a real system need that system's headers.
    if (!is_cpp(file.path) || !starts_with(file.path, "driver/") || starts_with(file.path, "driver/platform/"))
      continue;
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      const auto header = included(file.lines[i], '<', '>');
      const auto& allowed = freestanding_headers();
      if (header.empty() || std::find(allowed.begin(), allowed.end(), header) != allowed.end()) continue;
      result.push_back({file.path, i + 1,
                        "includes <" + std::string(header) +
                            ">: the driver core is freestanding; what it needs of its "
                            "surroundings goes through driver/platform.h"});
    }
  }
  return result;
}

}  // namespace ncqlab::tidy
