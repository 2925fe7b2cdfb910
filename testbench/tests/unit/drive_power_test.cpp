// power(): close to the C library's pow(), and the same bits everywhere.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>

#include "model/drive/mechanics/power.h"

namespace ncqlab::drive {
namespace {

TEST(Power, AgreesWithTheCLibraryToThirteenDigits) {
  for (double x = 1; x < 1e6; x *= 1.37) {
    for (double e = 0.1; e < 1.3; e += 0.07) EXPECT_NEAR(power(x, e) / std::pow(x, e), 1.0, 1e-13) << x << "^" << e;
  }
}

TEST(Power, OneToAnyPowerIsExactlyOne) { EXPECT_EQ(power(1, 0.458), 1.0); }

TEST(Power, BitsAreFixed) {
  const auto bits = [](double value) {
    std::uint64_t raw;
    std::memcpy(&raw, &value, sizeof raw);
    return raw;
  };
  // Written down once; any other value would change fingerprints.
  EXPECT_EQ(bits(power(2, 0.5)), 0x3ff6a09e667f3bccU);
  EXPECT_EQ(bits(power(150000, 0.458)), 0x406d58c3b5cf0f0bU);
  EXPECT_EQ(bits(power(3, 0.21)), 0x3ff426e13c6acf6cU);
}

}  // namespace
}  // namespace ncqlab::drive
