#include "model/sata/fis_record.h"

namespace ncqlab::sata {

namespace {

constexpr std::uint32_t kHead_bytes = 8;
constexpr std::uint32_t kDword_bytes = 4;

std::uint32_t load16(const std::uint8_t* b) { return b[0] | std::uint32_t{b[1]} << 8; }
std::uint32_t load32(const std::uint8_t* b) { return load16(b) | load16(b + 2) << 16; }
std::uint64_t load64(const std::uint8_t* b) { return load32(b) | std::uint64_t{load32(b + 4)} << 32; }

std::uint32_t detail_of(const Frame& frame) {
  const std::uint8_t* b = frame.data();
  const std::uint32_t bytes = frame.size();
  switch (static_cast<FisType>(frame.type())) {
    case FisType::register_h2d:
      if (bytes < 16) return 0;
      return load16(b + 12) | std::uint32_t{b[11]} << 16 | std::uint32_t{b[15]} << 24;
    case FisType::register_d2h:
      return bytes < 14 ? 0 : load16(b + 12);
    case FisType::dma_setup:
      return bytes < 24 ? 0 : load32(b + 20);
    case FisType::pio_setup:
      return bytes < 18 ? 0 : load16(b + 16) | std::uint32_t{b[15]} << 24;
    default:
      return 0;
  }
}

// Contents of data are the oracle's business.
std::uint64_t head_of(const Frame& frame) {
  const std::uint32_t bytes = frame.size();
  if (bytes >= kHead_bytes) {
    return frame.type() == static_cast<std::uint8_t>(FisType::data) ? load32(frame.data()) : load64(frame.data());
  }
  if (bytes == kDword_bytes) return load32(frame.data());
  std::uint64_t head = 0;
  for (std::uint32_t i = 0; i < bytes; ++i) head |= std::uint64_t{frame.data()[i]} << (8 * i);
  return head;
}

}  // namespace

sim::Record make_fis_record(sim::Time time, sim::Kind kind, std::uint32_t port, const Frame& frame) {
  return {time, kind, port, frame.type(), std::uint64_t{detail_of(frame)} << 32 | frame.size(), head_of(frame)};
}

}  // namespace ncqlab::sata
