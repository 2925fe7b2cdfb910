// The rules themselves: each is shown a small tree with a violation, which it must find, and a like one without.
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "testbench/tests/tidy/rules.h"

namespace ncqlab::tidy {
namespace {

class TidyRules : public testing::Test {
 protected:
  void SetUp() override {
    root_ = std::filesystem::temp_directory_path() / ("ncqlab_tidy_" + std::to_string(getpid()));
    std::filesystem::remove_all(root_);
    std::filesystem::create_directories(root_);
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  void write(const std::string& path, const std::string& text) {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path, std::ios::binary) << text;
  }
  // Where a rule finds violations, as "path:line path:line".
  template <class Rule>
  std::string found(Rule rule) {
    std::string places;
    for (const auto& violation : rule(Tree(root_))) {
      places += (places.empty() ? "" : " ") + violation.path;
      if (violation.line != 0) places += ":" + std::to_string(violation.line);
    }
    return places;
  }

  std::filesystem::path root_;
};

TEST_F(TidyRules, BuildFoldersAndHiddenOnesAreNotRead) {
  for (const auto* path : {"build/x.cpp", "build-2/x.cpp", ".git/x.cpp", ".ci/run", "model/x.cpp"}) write(path, "");
  std::string paths;
  const Tree tree(root_);
  for (const auto& file : tree.files()) paths += file.path + " ";
  EXPECT_EQ(paths, ".ci/run model/x.cpp ");
}

TEST_F(TidyRules, IncludesUpwardsAreFound) {
  write("driver/a.cpp", "#include \"driver/b.h\"\n#include \"model/sim/time.h\"\n");
  write("model/sim/a.h", "#include \"model/sim/b.h\"\n#  include \"model/hba/b.h\"\n");
  write("model/hba/a.h", "#include \"model/sata/fis.h\"\n#include \"model/drive/x.h\"\n");
  write("model/drive/a.h", "#include \"testbench/lab/x.h\"\n");
  write("model/new/a.h", "#include \"model/sim/time.h\"\n");
  write("testbench/lab/a.h", "#include \"model/sim/time.h\"\n#include \"driver/b.h\"\n#include \"near.h\"\n");
  EXPECT_EQ(found(wrong_project_includes),
            "driver/a.cpp:2 model/drive/a.h:1 model/hba/a.h:2 model/new/a.h:1 model/sim/a.h:2 testbench/lab/a.h:3");
}

TEST_F(TidyRules, SystemCOutsideItsFoldersIsFound) {
  write("model/sim/systemc/a.cpp", "#include <systemc>\n");
  write("model/hba/tlm/a.cpp", "#include <tlm_utils/simple_target_socket.h>\n");
  write("testbench/lab/systemc_fabric.cpp", "#include <systemc>\n");
  write("testbench/lab/fabric.cpp", "#include <systemc>\n");
  write("model/hba/a.cpp", "#include <tlm>\n");
  EXPECT_EQ(found(wrong_library_includes), "model/hba/a.cpp:1 testbench/lab/fabric.cpp:1");
}

TEST_F(TidyRules, LibrariesOutsideTheirWrappersAreFound) {
  write("testbench/lab/log.cpp", "#include <spdlog/spdlog.h>\n");
  write("testbench/lab/a.cpp", "#include <spdlog/spdlog.h>\n#include <nlohmann/json.hpp>\n#include <CLI/CLI.hpp>\n");
  write("model/config/json_backend.cpp", "#include <nlohmann/json.hpp>\n#include <valijson/schema.hpp>\n");
  write("model/drive/a.cpp", "#include <gtest/gtest.h>\n");
  EXPECT_EQ(found(wrong_library_includes),
            "model/drive/a.cpp:1 testbench/lab/a.cpp:1 testbench/lab/a.cpp:2 testbench/lab/a.cpp:3");
}

TEST_F(TidyRules, HostedHeadersInTheDriverAreFound) {
  write("driver/a.cpp", "#include <cstdint>\n#include <vector>\n");
  write("driver/platform/vfio.cpp", "#include <vector>\n");
  EXPECT_EQ(found(wrong_driver_includes), "driver/a.cpp:2");
}

TEST_F(TidyRules, EachBannedWordIsFound) {
  const std::vector<std::string> lines = {"auto t = std::chrono::seconds(1);",
                                          "clock_gettime(CLOCK_MONOTONIC, &t);",
                                          "gettimeofday(&t, nullptr);",
                                          "auto t = time(nullptr);",
                                          "auto t = std::time(0);",
                                          "usleep(1);",
                                          "int r = rand();",
                                          "std::random_device device;",
                                          "std::mt19937 engine;",
                                          "std::uniform_int_distribution d;",
                                          "std::normal_distribution<double> d;",
                                          "std::shuffle(a, b, c);",
                                          "std::unordered_map<int, int> m;",
                                          "std::unordered_set<int> s;",
                                          "std::hash<int> h;",
                                          "sc_set_time_resolution(1, SC_NS);",
                                          "std::regex r;",
                                          "using namespace std;",
                                          "TEST(A, DISABLED_b) {}"};
  for (const auto& line : lines) {
    write("testbench/lab/a.cpp", "\n" + line + "\n");
    EXPECT_NE(found(banned_words), "") << line;
  }
}

TEST_F(TidyRules, WordsLikeBannedOnesAreNotFound) {
  write("testbench/lab/a.cpp",
        "// std::chrono is not used here\n/* rand()\n rand() */\nauto s = \"std::regex\";\nint my_rand(int);\n"
        "auto t = value.time();\nstrand(1);\nauto r = R\"(rand() \")\";\nint million = 1'000'000; char c = '\"';\n");
  EXPECT_EQ(found(banned_words), "");
}

TEST_F(TidyRules, TheWallClockIsAllowedInBenchmarksAndThePacedFrontEnd) {
  for (const auto* path : {"testbench/bench/a.cpp", "testbench/frontend/a.cpp"})
    write(path, "std::chrono::seconds s;\n");
  EXPECT_EQ(found(banned_words), "");
}

TEST_F(TidyRules, PrintingAndThreadsInModelAndDriverAreFound) {
  write("driver/a.cpp", "printf(1);\nsnprintf(1);\n");
  write("model/drive/a.cpp", "std::cout << 1;\nstd::thread t;\n");
  write("testbench/lab/a.cpp", "std::cout << 1;\nstd::thread t;\n");
  EXPECT_EQ(found(banned_words), "driver/a.cpp:1 model/drive/a.cpp:1 model/drive/a.cpp:2");
}

TEST_F(TidyRules, BannedBuildOptionsAreFound) {
  write("CMakeLists.txt", "add_compile_options(-O2)\nadd_compile_options(-march=native)\n");
  write("cmake/a.cmake", "include(FetchContent)\n");
  write("CMakePresets.json", "{\"CMAKE_CXX_FLAGS\": \"-ffast-math\"}\n");
  EXPECT_EQ(found(banned_build_options), "CMakeLists.txt:2 CMakePresets.json:1 cmake/a.cmake:1");
}

TEST_F(TidyRules, MarksOfUnfinishedWorkAreFound) {
  write("docs/A.md", "fine\nTODO: more\n");
  write("model/a.cpp", "// FIXME later\nint fixme;\n");
  write("testbench/run.sh", "# XXX\n");
  EXPECT_EQ(found(unfinished_work), "docs/A.md:2 model/a.cpp:1 testbench/run.sh:1");
}

TEST_F(TidyRules, AnScTimeAtNamespaceScopeIsFound) {
  write("testbench/tests/a.cpp",
        "const sc_core::sc_time kStep(1, sc_core::SC_US);\nstatic sc_time step = sc_time(1, SC_US);\n"
        "sc_core::sc_time converted(sim::Time time);\nvoid f() {\n  sc_time t(1, SC_US);\n}\n");
  EXPECT_EQ(found(namespace_scope_sc_time), "testbench/tests/a.cpp:1 testbench/tests/a.cpp:2");
}

TEST_F(TidyRules, FilesOfMoreThan400LinesAreFound) {
  std::string text;
  for (int i = 0; i < 400; ++i) text += "int x;\n";
  write("model/fits.cpp", text);
  write("model/long.cpp", text + "int x;\n");
  EXPECT_EQ(found(long_files), "model/long.cpp");
}

TEST_F(TidyRules, LinesOfMoreThan120ColumnsAreFound) {
  write("model/a.cpp", std::string(120, 'x') + "\n" + std::string(121, 'x') + "\n");
  EXPECT_EQ(found(long_lines), "model/a.cpp:2");
}

TEST_F(TidyRules, FilesOfMoreThanAMebibyteAreFound) {
  write("traces/fits.bin", std::string(1048576, 'x'));
  write("traces/large.bin", std::string(1048577, 'x'));
  EXPECT_EQ(found(large_files), "traces/large.bin");
}

TEST_F(TidyRules, HeadersWithoutACommentAreFound) {
  write("model/good.h", "// What it is for.\n#pragma once\n");
  write("model/bad.h", "#pragma once\n");
  write("model/empty.h", "");
  EXPECT_EQ(found(headers_without_a_comment), "model/bad.h:1 model/empty.h:1");
}

TEST_F(TidyRules, SourcesThatAreNotBuiltAreFound) {
  write("testbench/tests/unit/CMakeLists.txt", "ncqlab_tests(unit SOURCES a_test.cpp sub/c_test.cpp) # d_test.cpp\n");
  write("testbench/tests/model/CMakeLists.txt", "ncqlab_tests(model SOURCES ../unit/shared.cpp)\n");
  for (const auto* name : {"a_test", "a", "sub/c_test", "d_test", "other_a_test", "shared"}) {
    write(std::string("testbench/tests/unit/") + name + ".cpp", "");
  }
  EXPECT_EQ(found(unbuilt_sources),
            "testbench/tests/unit/a.cpp testbench/tests/unit/d_test.cpp testbench/tests/unit/other_a_test.cpp");
}

TEST_F(TidyRules, MalformedJsonIsFound) {
  write("disks/drives/good.json", "{} // fine\n");
  write("disks/drives/bad.json", "{\n");
  write("testbench/tests/unit/data/bad.json", "{\n");
  EXPECT_EQ(found(malformed_json), "disks/drives/bad.json");
}

TEST_F(TidyRules, DeadPathsInDocsAreFound) {
  write("model/sim/time.h", "");
  write("docs/B.md", "");
  write("docs/A.md",
        "see `model/sim/time.h`, `model/sim/`, `model/gone.h`\n[b](B.md#part) [c](C.md) [web](https://x.y/z)\n"
        "`read/write` `/dev/sda` `build/release` `model/sim/time.h now`\n```\n`model/gone.h`\n```\n");
  write("README.md", "[a](docs/A.md) [d](docs/D.md)\n");
  EXPECT_EQ(found(dead_paths_in_docs), "README.md:1 docs/A.md:1 docs/A.md:2");
}

}  // namespace
}  // namespace ncqlab::tidy
