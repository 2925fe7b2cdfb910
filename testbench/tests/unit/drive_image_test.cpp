// A raw file behind a disk: what is read from it, what goes back and when.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "model/config/drive_profile.h"
#include "model/drive/media/image_contents.h"
#include "testbench/tests/unit/drive_ata_host.h"

namespace ncqlab::drive {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::uint8_t>;
using Access = ImageContents::Access;

class DriveImage : public testing::Test {
 protected:
  void SetUp() override {
    path_ = (fs::path(testing::TempDir()) /
             (std::string("ncqlab_image_") + testing::UnitTest::GetInstance()->current_test_info()->name()))
                .string();
  }
  void TearDown() override { fs::remove(path_); }
  // Sector n is full of n + 1.
  void make(std::size_t bytes) const {
    std::ofstream file(path_, std::ios::binary);
    for (std::size_t i = 0; i < bytes; ++i) file.put(static_cast<char>(i / kSector_bytes + 1));
  }
  Bytes file() const {
    std::ifstream stream(path_, std::ios::binary);
    return Bytes(std::istreambuf_iterator<char>(stream), {});
  }
  static Bytes read(const FactoryContents& image, std::uint64_t lba, std::uint32_t sectors) {
    Bytes bytes(std::size_t{sectors} * kSector_bytes, 0xEE);
    image.fill(lba, sectors, bytes.data());
    return bytes;
  }

  std::string path_;
};

TEST_F(DriveImage, ItsSectorsAreThoseOfTheFile) {
  make(4 * kSector_bytes);
  const ImageContents image(path_, Access::read_only);
  EXPECT_EQ(image.sectors(), 4U);
  EXPECT_EQ(read(image, 2, 1), Bytes(kSector_bytes, 3));
}

TEST_F(DriveImage, ThePartOfALastSectorIsFilledUpWithZeros) {
  make(kSector_bytes + 100);
  const ImageContents image(path_, Access::read_only);
  EXPECT_EQ(image.sectors(), 2U);
  Bytes expected(kSector_bytes);
  std::fill(expected.begin(), expected.begin() + 100, std::uint8_t{2});
  EXPECT_EQ(read(image, 1, 1), expected);
}

TEST_F(DriveImage, BehindTheFileAreZeros) {
  make(kSector_bytes);
  const ImageContents image(path_, Access::read_only);
  EXPECT_EQ(read(image, 7, 1), Bytes(kSector_bytes, 0));
}

TEST_F(DriveImage, AnEmptyFileHasNoSectors) {
  make(0);
  EXPECT_EQ(ImageContents(path_, Access::read_only).sectors(), 0U);
}

TEST_F(DriveImage, AFileThatIsNotThereIsNamed) {
  try {
    const ImageContents image(path_, Access::read_only);
    FAIL() << "opened";
  } catch (const std::runtime_error& e) {
    EXPECT_EQ(e.what(), "image " + path_ + " cannot be opened");
  }
}

TEST_F(DriveImage, AFileThatShrankIsNamed) {
  make(4 * kSector_bytes);
  const ImageContents image(path_, Access::read_only);
  fs::resize_file(path_, 2 * kSector_bytes);
  EXPECT_EQ(read(image, 1, 1), Bytes(kSector_bytes, 2));
  try {
    read(image, 2, 1);
    FAIL() << "read";
  } catch (const std::runtime_error& e) {
    EXPECT_EQ(e.what(), "image " + path_ + " is shorter than it was, or cannot be read");
  }
}

TEST_F(DriveImage, WhatWasWrittenGoesToTheFileWithAFlush) {
  make(4 * kSector_bytes);
  ImageContents image(path_, Access::read_write);
  Contents contents(&image);
  contents.write(2, 1, Bytes(kSector_bytes, 0x77).data());
  Bytes expected = file();
  image.flushed(contents);
  std::fill(expected.begin() + 2 * kSector_bytes, expected.begin() + 3 * kSector_bytes, std::uint8_t{0x77});
  EXPECT_EQ(file(), expected);
}

TEST_F(DriveImage, AReadOnlyFileIsNotTouched) {
  make(4 * kSector_bytes);
  const Bytes before = file();
  ImageContents image(path_, Access::read_only);
  Contents contents(&image);
  contents.write(2, 1, Bytes(kSector_bytes, 0x77).data());
  image.flushed(contents);
  EXPECT_EQ(file(), before);
}

TEST_F(DriveImage, AWriteOfThePartOfALastSectorMakesItWhole) {
  make(kSector_bytes + 100);
  ImageContents image(path_, Access::read_write);
  Contents contents(&image);
  contents.write(1, 1, Bytes(kSector_bytes, 0x77).data());
  image.flushed(contents);
  EXPECT_EQ(read(image, 1, 1), Bytes(kSector_bytes, 0x77));
}

// ---- in a drive

class CountingListener final : public FlushListener {
 public:
  void flushed(const Contents&) override { ++count; }
  int count = 0;
};

TEST_F(DriveImage, EachFlushCacheIsToldBeforeItsStatus) {
  CountingListener listener;
  AtaHost host(small_profile(), &listener);
  host.start();
  host.command(0xE7);
  host.run();
  host.command(0xEA);
  host.run();
  EXPECT_EQ(listener.count, 2);
  host.command(0xEF, 0, 0, 0x82);
  host.run();
  EXPECT_EQ(listener.count, 2);
}

TEST_F(DriveImage, TheProfileForImagesTakesAnyCapacity) {
  for (const std::uint64_t sectors : {std::uint64_t{16}, std::uint64_t{131'072}, std::uint64_t{1} << 32}) {
    Profile profile = config::load_drive_profile("image");
    profile.capacity_sectors = sectors;
    AtaHost host(profile);
    host.start();
    host.command(0x25, sectors - 8, 8);
    host.run();
    EXPECT_EQ(host.data(), AtaHost::factory(sectors - 8, 8)) << sectors;
  }
}

}  // namespace
}  // namespace ncqlab::drive
