#include "model/sata/crc.h"

namespace ncqlab::sata {

std::uint32_t crc(const Frame& frame) {
  constexpr std::uint32_t kSeed = 0x52325032;
  constexpr std::uint32_t kPolynomial = 0x04C11DB7;
  std::uint32_t remainder = kSeed;
  for (std::uint32_t at = 0; at < frame.size(); at += 4) {
    for (std::uint32_t byte = 0; byte < 4 && at + byte < frame.size(); ++byte) {
      remainder ^= std::uint32_t{frame.data()[at + byte]} << (8 * byte);
    }
    for (unsigned bit = 0; bit < 32; ++bit) {
      remainder = (remainder << 1) ^ ((remainder >> 31) != 0 ? kPolynomial : 0);
    }
  }
  return remainder;
}

}  // namespace ncqlab::sata
