// Names of shipped files, the data folder, and "did you mean".
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "model/config/controller_profile.h"
#include "model/config/drive_profile.h"
#include "model/config/files.h"
#include "model/config/nearest_name.h"

namespace ncqlab::config {
namespace {

using testing::Contains;
using testing::ElementsAre;

class DataFolder : public testing::Test {
 protected:
  void SetUp() override { setenv("NCQLAB_DATA", "testbench/tests/unit/data/folder", 1); }
  void TearDown() override { unsetenv("NCQLAB_DATA"); }

  static std::vector<std::string> errors_of(std::string_view name) {
    try {
      find_file(kDriveFiles, name);
    } catch (const ConfigError& e) {
      return e.lines();
    }
    return {};
  }
};

TEST_F(DataFolder, IsTheOneOfTheEnvironment) { EXPECT_EQ(data_folder(), "testbench/tests/unit/data/folder"); }

TEST_F(DataFolder, IsTheSourceTreeOtherwise) {
  unsetenv("NCQLAB_DATA");
  EXPECT_TRUE(std::filesystem::exists(data_folder() / kDriveFiles.schema));
}

TEST_F(DataFolder, ANameIsAFileOfTheKindsFolder) {
  EXPECT_EQ(find_file(kDriveFiles, "alpha"), "testbench/tests/unit/data/folder/disks/drives/alpha.json");
}

TEST_F(DataFolder, AWordWithASlashOrJsonIsAPath) {
  EXPECT_EQ(find_file(kDriveFiles, "testbench/tests/unit/data/drive.json"), "testbench/tests/unit/data/drive.json");
  EXPECT_THAT(errors_of("alpha.json"),
              ElementsAre("alpha.json: no such file, expected a drive profile or one of alpha, beta (nearest known "
                          "name: \"alpha\")"));
}

TEST_F(DataFolder, AnUnknownNameIsToldTheNearest) {
  EXPECT_THAT(errors_of("apha"), ElementsAre("apha: no such drive profile, expected a .json file or one of alpha, beta "
                                             "(nearest known name: \"alpha\")"));
}

TEST_F(DataFolder, AnUnknownNameNearNoneIsToldAll) {
  EXPECT_THAT(errors_of("st31000340as"),
              ElementsAre("st31000340as: no such drive profile, expected a .json file or one of alpha, beta"));
  EXPECT_THAT(errors_of(""), ElementsAre(": no such drive profile, expected a .json file or one of alpha, beta"));
}

TEST_F(DataFolder, AnEmptyDataFolderIsSaid) {
  setenv("NCQLAB_DATA", "no/such/folder", 1);
  EXPECT_THAT(errors_of("alpha"), ElementsAre("alpha: no such drive profile, expected a .json file or a name, but "
                                              "no/such/folder/disks/drives has none (is NCQLAB_DATA right?)"));
}

TEST_F(DataFolder, TheListHasTitlesAndSaysWhatCannotBeRead) {
  const auto listed = list_profiles(kDriveFiles);
  ASSERT_EQ(listed.size(), 2U);
  EXPECT_EQ(listed[0].name, "alpha");
  EXPECT_EQ(listed[0].title, "The first");
  EXPECT_TRUE(listed[0].errors.empty());
  EXPECT_EQ(listed[1].name, "beta");
  EXPECT_EQ(listed[1].title, "");
  EXPECT_THAT(
      listed[1].errors,
      ElementsAre("testbench/tests/unit/data/folder/disks/drives/beta.json: /title: missing, expected a value"));
}

TEST(ShippedFiles, TheDriveOfTheDemoIsThere) { EXPECT_THAT(file_names(kDriveFiles), Contains("st31000340as")); }

TEST(NearestName, CountsInsertionsDeletionsReplacementsAndSwaps) {
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("depth", "depth"), 0U);
  EXPECT_EQ(edit_distance("DEPTH", "depth"), 0U);
  EXPECT_EQ(edit_distance("deph", "depth"), 1U);
  EXPECT_EQ(edit_distance("dpeth", "depth"), 1U);
  EXPECT_EQ(edit_distance("dexth", "depth"), 1U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
}

TEST(NearestName, OfEqualsTheFirstIsTaken) { EXPECT_EQ(nearest_name("axb", {"ayb", "azb"}), "ayb"); }

TEST(NearestName, ABeginningIsNearWhateverItsLength) {
  EXPECT_EQ(nearest_name("seek", {"seem", "seek_track_to_track_ms"}), "seem");
  EXPECT_EQ(nearest_name("seek", {"other", "seek_track_to_track_ms"}), "seek_track_to_track_ms");
}

TEST(NearestName, AWordLikeNoneHasNone) {
  EXPECT_EQ(nearest_name("zzzz", {"alpha", "beta"}), "");
  EXPECT_EQ(nearest_name("", {"alpha"}), "");
  EXPECT_EQ(nearest_name("alpha", {}), "");
}

}  // namespace
}  // namespace ncqlab::config
