#include "model/drive/ata/microcode/microcode.h"

#include <cstring>
#include <numeric>

namespace ncqlab::drive {

namespace {

// Modes, in the features field.
constexpr std::uint8_t kSegments = 0x03;
constexpr std::uint8_t kWhole = 0x07;
constexpr std::uint8_t kDeferred = 0x0E;
constexpr std::uint8_t kActivate = 0x0F;

// The count field of the answer.
constexpr std::uint16_t kMoreWanted = 0x01;
constexpr std::uint16_t kApplied = 0x02;
constexpr std::uint16_t kWaitsForActivation = 0x03;

constexpr char kSignature[] = "NCQLABFW";

}  // namespace

void Microcode::power_on() {
  if (!deferred_.empty()) revision_ = std::exchange(deferred_, "");
  segments_.clear();
}

// The pages that come are count(7:0), above them LBA(7:0); where they belong is LBA(23:8).
Answer Microcode::answer(const sata::RegisterH2D& fis) {
  if (!profile_.features.download_microcode) return refused();
  const auto mode = static_cast<std::uint8_t>(fis.features);
  if (mode == kActivate) {
    if (deferred_.empty()) return refused();
    revision_ = std::exchange(deferred_, "");
    return done_with(kApplied, 0);
  }
  const std::size_t pages = (fis.count & 0xFF) | (fis.lba & 0xFF) << 8;
  const bool known = mode == kSegments || mode == kWhole || mode == kDeferred;
  if (!known || pages == 0 || pages > kMostPages) return refused();
  return from_host(pages);
}

Answer Microcode::received(const sata::RegisterH2D& fis, const Bytes& bytes) {
  const auto mode = static_cast<std::uint8_t>(fis.features);
  if (mode != kWhole) return segment_received(mode, fis.lba >> 8 & 0xFFFF, bytes);
  segments_.clear();
  if (!valid(bytes)) return refused();
  revision_ = revision_of(bytes);
  return done();
}

// Segments come in order, the first at 0; a segment out of order ends the download.
Answer Microcode::segment_received(std::uint8_t mode, std::size_t offset_pages, const Bytes& bytes) {
  if (offset_pages == 0) segments_.clear();
  const bool next = offset_pages * kSector_bytes == segments_.size();
  if (!next || segments_.size() + bytes.size() > kMostPages * kSector_bytes) {
    segments_.clear();
    return refused();
  }
  segments_.insert(segments_.end(), bytes.begin(), bytes.end());
  const bool complete = segments_.size() >= get(segments_, 16, 4) * kSector_bytes;
  if (!complete) return done_with(kMoreWanted, 0);
  const Bytes image = std::exchange(segments_, Bytes());
  if (!valid(image)) return refused();
  (mode == kDeferred ? deferred_ : revision_) = revision_of(image);
  return done_with(mode == kDeferred ? kWaitsForActivation : kApplied, 0);
}

bool Microcode::valid(const Bytes& image) {
  return std::memcmp(image.data(), kSignature, 8) == 0 && get(image, 16, 4) * kSector_bytes == image.size() &&
         image[8] != ' ' && (std::accumulate(image.begin(), image.end(), 0U) & 0xFF) == 0;
}

std::string Microcode::revision_of(const Bytes& image) {
  std::string revision(image.begin() + 8, image.begin() + 16);
  revision.erase(revision.find_last_not_of(' ') + 1);
  return revision;
}

void Microcode::identify(IdentifyWords& words) const {
  put_string(words, 23, 4, revision_);
  if (!profile_.features.download_microcode) return;
  set_bits(words[83], {0});
  set_bits(words[86], {0});
  set_bits(words[69], {8});  // DOWNLOAD MICROCODE DMA
  set_bits(words[119], {4});
  set_bits(words[120], {4});
  words[234] = 1;  // pages of a segment: the fewest and the most
  words[235] = kMostPages;
}

}  // namespace ncqlab::drive
