#include "model/drive/media/image_contents.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace ncqlab::drive {

ImageContents::ImageContents(const std::string& path, Access access) : path_(path), access_(access) {
  const auto mode = std::ios::in | std::ios::binary;
  file_.open(path, access == Access::read_write ? mode | std::ios::out : mode);
  if (!file_) fail("cannot be opened");
  file_.seekg(0, std::ios::end);
  const std::streamoff size = file_.tellg();
  if (size < 0) fail("has no size");
  bytes_ = static_cast<std::uint64_t>(size);
  sectors_ = (bytes_ + kSector_bytes - 1) / kSector_bytes;
}

void ImageContents::fill(std::uint64_t lba, std::uint32_t sectors, std::uint8_t* buffer) const {
  const std::uint64_t wanted = std::uint64_t{sectors} * kSector_bytes;
  const std::uint64_t from = std::min(lba * kSector_bytes, bytes_);
  const std::uint64_t there = std::min(wanted, bytes_ - from);
  if (there > 0) {
    file_.seekg(static_cast<std::streamoff>(from));
    file_.read(reinterpret_cast<char*>(buffer), static_cast<std::streamsize>(there));
    if (!file_) fail("is shorter than it was, or cannot be read");
  }
  std::memset(buffer + there, 0, wanted - there);
}

void ImageContents::flushed(const Contents& contents) {
  if (access_ == Access::read_only) return;
  contents.visit_written([this](std::uint64_t lba, const std::uint8_t* bytes) {
    file_.seekp(static_cast<std::streamoff>(lba * kSector_bytes));
    file_.write(reinterpret_cast<const char*>(bytes), kSector_bytes);
    bytes_ = std::max(bytes_, (lba + 1) * kSector_bytes);
  });
  file_.flush();
  if (!file_) fail("cannot be written");
}

void ImageContents::fail(const char* what) const { throw std::runtime_error("image " + path_ + " " + what); }

}  // namespace ncqlab::drive
