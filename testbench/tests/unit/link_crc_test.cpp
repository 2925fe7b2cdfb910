// The CRC of a frame.
#include <gtest/gtest.h>

#include <cstring>

#include "model/sata/crc.h"

namespace ncqlab::sata {
namespace {

// The sample that the standard prints beside its program (SATA 3.x, annex on CRC calculation), with the running value
// after each dword.
TEST(LinkCrc, FollowsTheStandardsSample) {
  FramePool pool;
  const std::uint32_t dwords[] = {0x00308027, 0xE1234567, 0x00000000, 0x00000002, 0x00000000};
  const std::uint32_t running[] = {0x11E353FD, 0x0F656DA7, 0x3D14369C, 0x92D0D681, 0x319FFF6F};
  for (std::uint32_t count = 1; count <= 5; ++count) {
    Frame frame = pool.make(4 * count);
    for (std::uint32_t i = 0; i < 4 * count; ++i) {
      frame.data()[i] = static_cast<std::uint8_t>(dwords[i / 4] >> (8 * (i % 4)));
    }
    EXPECT_EQ(crc(frame), running[count - 1]);
  }
}

TEST(LinkCrc, FillsAPartOfADwordWithZeros) {
  FramePool pool;
  Frame part = pool.make(6);
  Frame whole = pool.make(8);
  for (std::uint32_t i = 0; i < 8; ++i) whole.data()[i] = static_cast<std::uint8_t>(i < 6 ? 0xA0 + i : 0);
  std::memcpy(part.data(), whole.data(), 6);
  EXPECT_EQ(crc(part), crc(whole));
}

}  // namespace
}  // namespace ncqlab::sata
