// A client drives a disk: data come back, files are written at the end, the same lines give the same run.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "testbench/tests/qtest/client.h"

namespace ncqlab::qtest {
namespace {

constexpr const char* kPattern = "0x00112233445566778899aabbccddeeff";

class QtestDisk : public testing::Test {
 protected:
  void SetUp() override {
    path_ = std::filesystem::temp_directory_path() / ("ncqlab_qtest_" + std::to_string(getpid()) + ".img");
    std::ofstream(path_, std::ios::binary) << std::string(1U << 20, 'x');
  }
  void TearDown() override { std::filesystem::remove(path_); }

  SystemOptions with_image(bool read_only = false) const {
    SystemOptions options = Client::one_disk();
    options.disks[0].node.file = path_;
    options.disks[0].node.read_only = read_only;
    return options;
  }
  std::string file_bytes(std::size_t offset, std::size_t count) const {
    std::ifstream file(path_, std::ios::binary);
    file.seekg(static_cast<std::streamoff>(offset));
    std::string bytes(count, '\0');
    file.read(bytes.data(), static_cast<std::streamsize>(count));
    return bytes;
  }
  static bool write_pattern(Client& client, std::uint64_t lba) {
    client.ask("write 0x200000 16 " + std::string(kPattern));
    return client.command(0x35, lba, 1, 512, true);
  }

  std::filesystem::path path_;
};

TEST_F(QtestDisk, WhatWasWrittenIsReadBack) {
  Client client(Client::one_disk());
  client.enable();
  ASSERT_TRUE(write_pattern(client, 7));
  client.ask("memset 0x200000 512 0");
  ASSERT_TRUE(client.command(0x25, 7, 1, 512));
  EXPECT_EQ(client.ask("read 0x200000 16"), "OK " + std::string(kPattern) + "\n");
}

TEST_F(QtestDisk, QueuedCommandsMoveTheSameData) {
  Client client(Client::one_disk());
  client.enable();
  client.ask("write 0x200000 16 " + std::string(kPattern));
  ASSERT_TRUE(client.command(0x61, 9, 1, 512, true));
  client.ask("memset 0x200000 512 0");
  ASSERT_TRUE(client.command(0x60, 9, 1, 512));
  EXPECT_EQ(client.ask("read 0x200000 16"), "OK " + std::string(kPattern) + "\n");
}

TEST_F(QtestDisk, TheDiskIsAsLargeAsItsImageAndHoldsIt) {
  Client client(with_image());
  client.enable();
  ASSERT_TRUE(client.command(0xEC, 0, 0, 512));
  EXPECT_EQ(client.readl(Client::kBuffer + 120), 2048U);  // words 60 and 61
  ASSERT_TRUE(client.command(0x25, 2047, 1, 512));
  EXPECT_EQ(client.readl(Client::kBuffer + 508), 0x78787878U);
}

TEST_F(QtestDisk, TheFileChangesAtTheEndAndNotBefore) {
  {
    Client client(with_image());
    client.enable();
    ASSERT_TRUE(write_pattern(client, 3));
    ASSERT_TRUE(client.command(0xE7, 0, 0, 0));
    EXPECT_EQ(file_bytes(3 * 512, 2), "xx");
    client.session().write_back();
  }
  EXPECT_EQ(file_bytes(3 * 512, 4), std::string("\x00\x11\x22\x33", 4));
  EXPECT_EQ(file_bytes(2 * 512, 2), "xx");
  EXPECT_EQ(std::filesystem::file_size(path_), 1U << 20);
}

TEST_F(QtestDisk, AReadOnlyImageStaysAsItIs) {
  Client client(with_image(true));
  client.enable();
  ASSERT_TRUE(write_pattern(client, 3));
  client.session().write_back();
  EXPECT_EQ(file_bytes(3 * 512, 2), "xx");
}

TEST_F(QtestDisk, AQcow2FileIsRefusedByItsMagic) {
  std::ofstream(path_, std::ios::binary) << "QFI\xFB" << std::string(8192, '\0');
  EXPECT_THROW(Client client(with_image()), ArgumentError);
}

TEST_F(QtestDisk, AFileThatIsNotThereIsRefused) {
  std::filesystem::remove(path_);
  EXPECT_THROW(Client client(with_image()), ArgumentError);
}

TEST_F(QtestDisk, TheSameLinesGiveTheSameFingerprint) {
  const auto run = [](sim::Time step) {
    SystemOptions options = Client::one_disk();
    options.step = step;
    Client client(options);
    client.enable();
    EXPECT_TRUE(write_pattern(client, 7));
    return client.machine().fingerprint();
  };
  EXPECT_EQ(run(kDefaultStep), run(kDefaultStep));
  EXPECT_NE(run(kDefaultStep), run(2 * kDefaultStep));
}

TEST_F(QtestDisk, AStoppedMachineAnswersAndDoesNotGoOn) {
  Client client(Client::one_disk());
  client.enable();
  client.session().stop();
  const sim::Time stopped_at = client.machine().now();
  client.issue(0xEC, 0, 0, 512);
  EXPECT_EQ(client.readl(Client::kPort + 0x38), 1U);
  EXPECT_EQ(client.machine().now(), stopped_at);
  client.session().resume();
  EXPECT_TRUE(client.finish());
}

// ---- capacities

drive::Profile fitted(std::uint64_t sectors) {
  drive::Profile profile;
  profile.mechanics.heads = 64;
  profile.mechanics.zones = {16, 1024, 1024, 1024};
  fit_capacity(profile, sectors);
  return profile;
}

TEST(QtestCapacity, ALargeDiskKeepsItsTracks) {
  const drive::Profile profile = fitted(1ULL << 30);
  EXPECT_EQ(profile.capacity_sectors, 1ULL << 30);
  EXPECT_EQ(profile.mechanics.heads, 64U);
  EXPECT_EQ(profile.mechanics.zones.count, 16U);
}

TEST(QtestCapacity, ZonesGoFirst) {
  EXPECT_EQ(fitted(4 * 65536).mechanics.zones.count, 4U);
  EXPECT_EQ(fitted(4 * 65536).mechanics.heads, 64U);
}

TEST(QtestCapacity, HeadsAndThenTracksGoSoThatTwoCylindersRemain) {
  EXPECT_EQ(fitted(65536).mechanics.heads, 32U);
  EXPECT_EQ(fitted(2048).mechanics.heads, 1U);
  EXPECT_EQ(fitted(2048).mechanics.zones.outer_sectors_per_track, 1024U);
  EXPECT_EQ(fitted(17).mechanics.zones.outer_sectors_per_track, 8U);
}

TEST(QtestCapacity, FewerThan16SectorsAreRefused) {
  EXPECT_EQ(fitted(16).capacity_sectors, 16U);
  EXPECT_THROW(fitted(15), ArgumentError);
}

}  // namespace
}  // namespace ncqlab::qtest
