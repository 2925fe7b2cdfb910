// Output is written wholly or not at all.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "testbench/report/output_file.h"

namespace ncqlab::report {
namespace {

namespace fs = std::filesystem;

class OutputFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              (std::string("ncqlab_output_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const char* name) const { return (folder_ / name).string(); }
  static std::string contents(const std::string& file) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

TEST_F(OutputFile, IsWrittenAndNothingElseIsLeft) {
  EXPECT_FALSE(write_output(path("r.json"), "{}\n"));
  EXPECT_EQ(contents(path("r.json")), "{}\n");
  EXPECT_EQ(files(), 1U);
}

TEST_F(OutputFile, ReplacesAnOlderOne) {
  EXPECT_FALSE(write_output(path("r.json"), "a longer text"));
  EXPECT_FALSE(write_output(path("r.json"), "short"));
  EXPECT_EQ(contents(path("r.json")), "short");
}

TEST_F(OutputFile, AMissingFolderIsAnErrorThatNamesThePath) {
  const auto error = write_output(path("no/such/r.json"), "{}");
  ASSERT_TRUE(error);
  EXPECT_NE(error->find(path("no/such/r.json")), std::string::npos) << *error;
  EXPECT_NE(error->find("No such file or directory"), std::string::npos) << *error;
  EXPECT_EQ(files(), 0U);
}

TEST_F(OutputFile, AFolderIsAnErrorAndStays) {
  fs::create_directories(path("r.json"));
  const auto error = write_output(path("r.json"), "{}");
  ASSERT_TRUE(error);
  EXPECT_NE(error->find("directory"), std::string::npos) << *error;
  EXPECT_TRUE(fs::is_directory(path("r.json")));
  EXPECT_EQ(files(), 1U);
}

TEST_F(OutputFile, WhatIsNoRegularFileIsWrittenInPlace) {
  EXPECT_FALSE(write_output("/dev/null", "{}"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(OutputFile, AFullDeviceIsAnError) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  const auto error = write_output("/dev/full", "{}");
  ASSERT_TRUE(error);
  EXPECT_EQ(*error, "/dev/full: cannot write: No space left on device");
}

TEST_F(OutputFile, ADashIsStandardOutput) {
  testing::internal::CaptureStdout();
  EXPECT_FALSE(write_output("-", "{}\n"));
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "{}\n");
}

}  // namespace
}  // namespace ncqlab::report
