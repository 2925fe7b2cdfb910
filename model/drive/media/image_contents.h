// A raw file, sector after sector, as what a disk held when it was plugged in. What hosts write stays in the drive's
// Contents; with Access::read_write a FLUSH CACHE, and the front end when it closes, bring it to the file.
//
// The file is read sector by sector when it is asked for, so it may be larger than memory. A front end gives one object
// as DriveParts::factory and, to write through, as DriveParts::on_flush, with a profile whose capacity is sectors().
#pragma once

#include <cstdint>
#include <fstream>
#include <string>

#include "model/drive/media/contents.h"

namespace ncqlab::drive {

class ImageContents final : public FactoryContents, public FlushListener {
 public:
  enum class Access : std::uint8_t { read_only, read_write };

  // Throws std::runtime_error that names the file when it cannot be opened.
  ImageContents(const std::string& path, Access access);

  // The file's size when it was opened, rounded up: the rest of the last sector reads as zeros.
  std::uint64_t sectors() const { return sectors_; }

  // Throws std::runtime_error that names the file when it has shrunk or cannot be read.
  void fill(std::uint64_t lba, std::uint32_t sectors, std::uint8_t* buffer) const override;

  // Writes every sector that was ever written into the file; nothing when it is read_only. Throws as fill() does.
  void flushed(const Contents& contents) override;

 private:
  [[noreturn]] void fail(const char* what) const;

  std::string path_;
  Access access_;
  mutable std::fstream file_;
  std::uint64_t bytes_ = 0;
  std::uint64_t sectors_ = 0;
};

}  // namespace ncqlab::drive
