// Where a profile's numbers come from. Every number of a profile must be covered by one of its sources: a model is no
// better than what it was told, and whoever reads a result must be able to ask where it came from.
#pragma once

#include <string>
#include <vector>

#include "model/config/document.h"
#include "model/config/files.h"

namespace ncqlab::config {

struct Source {
  std::string of;                      // JSON pointer of a value or of an object or array; covers all numbers inside
  std::string text;                    // the document, where a reader finds it
  std::string standing;                // datasheet, measured, published, fitted or estimate
  std::vector<std::string> fitted_to;  // fitted: ids of the tables (000/raidtest/ada0) whose cells were used
};

// The "sources" of a profile that has passed its schema.
std::vector<Source> read_sources(const Value& profile);

// Adds a line for every number outside /sources that no source covers, for every source of nothing, and for a fitted
// one that does not say to what.
void check_sources(const Value& profile, Findings& findings);

// The sources of a shipped profile or a file, for `ncqlab profile show` and for telling fitted cells from predictions.
std::vector<Source> load_sources(const FileKind& kind, std::string_view name_or_path);

}  // namespace ncqlab::config
