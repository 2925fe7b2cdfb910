// DOWNLOAD MICROCODE (ACS-3, 7.7): whole, in segments, deferred. A new image gives the drive another firmware revision.
//
// The makers' formats are their own, so is this one. An image is whole pages of 512 bytes:
//   bytes 0-7    NCQLABFW
//   bytes 8-15   the firmware revision that it brings, padded with spaces
//   bytes 16-19  pages of the image, little-endian
//   last byte    makes the sum of all bytes zero
// Anything else is refused, as a damaged image would be.
#pragma once

#include <cstdint>
#include <string>

#include "model/drive/ata/answer.h"
#include "model/drive/ata/identify_words.h"
#include "model/drive/profile.h"
#include "model/sata/fis.h"

namespace ncqlab::drive {

class Microcode {
 public:
  static constexpr std::size_t kMostPages = 4096;  // 2 MiB

  explicit Microcode(const Profile& profile) : profile_(profile), revision_(profile.identity.firmware) {}

  // The revision that runs.
  const std::string& revision() const { return revision_; }
  // A deferred image runs from the next power-on, too.
  void power_on();

  Answer answer(const sata::RegisterH2D& fis);
  Answer received(const sata::RegisterH2D& fis, const Bytes& bytes);

  void identify(IdentifyWords& words) const;

 private:
  Answer segment_received(std::uint8_t mode, std::size_t offset_pages, const Bytes& bytes);
  static bool valid(const Bytes& image);
  static std::string revision_of(const Bytes& image);

  const Profile& profile_;
  std::string revision_;
  Bytes segments_;        // of a download under way
  std::string deferred_;  // a revision that waits for its activation; empty: none
};

}  // namespace ncqlab::drive
