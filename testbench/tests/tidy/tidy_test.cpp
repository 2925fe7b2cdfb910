// The tree keeps the rules of the house. Each failure lists file:line and what to do instead.
#include <gtest/gtest.h>

#include "testbench/tests/tidy/rules.h"

namespace ncqlab::tidy {
namespace {

// CTest runs this program in the project's root.
const Tree& project() {
  static const Tree kTree(std::filesystem::current_path());
  return kTree;
}

std::string listed(const Violations& violations) {
  std::string text;
  for (const auto& violation : violations) text += violation.text() + "\n";
  return text;
}

TEST(Tidy, TheProjectIsHere) {
  ASSERT_NE(project().find("model/sim/time.h"), nullptr) << "run this in the project's root";
  EXPECT_GT(project().files().size(), 50U);
}

TEST(Tidy, IncludesPointDownwards) { EXPECT_EQ(listed(wrong_project_includes(project())), ""); }
TEST(Tidy, LibrariesStayInTheirWrappers) { EXPECT_EQ(listed(wrong_library_includes(project())), ""); }
TEST(Tidy, TheDriverCoreIsFreestanding) { EXPECT_EQ(listed(wrong_driver_includes(project())), ""); }
TEST(Tidy, NoBannedWord) { EXPECT_EQ(listed(banned_words(project())), ""); }
TEST(Tidy, NoBannedBuildOption) { EXPECT_EQ(listed(banned_build_options(project())), ""); }
TEST(Tidy, NoUnfinishedWork) { EXPECT_EQ(listed(unfinished_work(project())), ""); }
TEST(Tidy, NoSystemCTimeAtNamespaceScope) { EXPECT_EQ(listed(namespace_scope_sc_time(project())), ""); }
TEST(Tidy, SourcesHaveAtMost400Lines) { EXPECT_EQ(listed(long_files(project())), ""); }
TEST(Tidy, LinesHaveAtMost120Columns) { EXPECT_EQ(listed(long_lines(project())), ""); }
TEST(Tidy, FilesHaveAtMostAMebibyte) { EXPECT_EQ(listed(large_files(project())), ""); }
TEST(Tidy, HeadersStartWithAComment) { EXPECT_EQ(listed(headers_without_a_comment(project())), ""); }
TEST(Tidy, EverySourceIsBuilt) { EXPECT_EQ(listed(unbuilt_sources(project())), ""); }
TEST(Tidy, EveryJsonFileParses) { EXPECT_EQ(listed(malformed_json(project())), ""); }
TEST(Tidy, DocsNameFilesThatExist) { EXPECT_EQ(listed(dead_paths_in_docs(project())), ""); }

}  // namespace
}  // namespace ncqlab::tidy
