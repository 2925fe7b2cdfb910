// The rules of the house (docs/HACKING.md) as functions from the tree to the places that break them.
#pragma once

#include <vector>

#include "testbench/tests/tidy/tree.h"

namespace ncqlab::tidy {

using Violations = std::vector<Violation>;

// include_rules.cpp
Violations wrong_project_includes(
    const Tree& tree);  // model into testbench, upwards in the model, driver out of driver/
Violations wrong_library_includes(const Tree& tree);  // SystemC, spdlog, JSON, CLI11 outside their wrappers
Violations wrong_driver_includes(const Tree& tree);   // more than freestanding headers in the driver core

// word_rules.cpp
Violations banned_words(const Tree& tree);          // in code, each with its replacement
Violations banned_build_options(const Tree& tree);  // in CMake files
Violations unfinished_work(const Tree& tree);       // marks of things still to do
Violations namespace_scope_sc_time(const Tree& tree);

// file_rules.cpp
Violations long_files(const Tree& tree);
Violations long_lines(const Tree& tree);
Violations large_files(const Tree& tree);
Violations headers_without_a_comment(const Tree& tree);
Violations unbuilt_sources(const Tree& tree);  // a .cpp that no CMakeLists.txt names, tests included
Violations malformed_json(const Tree& tree);

// doc_rules.cpp
Violations dead_paths_in_docs(const Tree& tree);  // `paths` and [links](to) files that do not exist

}  // namespace ncqlab::tidy
