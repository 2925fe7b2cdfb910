#include "model/drive/mechanics/power.h"

#include <cmath>

namespace ncqlab::drive {

namespace {

constexpr double kLn2High = 0x1.62e42fefa3800p-1;  // ln 2 in two parts: the first has trailing zeros, so that its
constexpr double kLn2Low = 0x1.ef35793c76730p-45;  // product with a small whole number is exact

// 2 artanh(s) with s = (m - 1) / (m + 1), for m in [1/sqrt 2, sqrt 2): the series ends below 1e-18.
double logarithm(double x) {
  int exponent = 0;
  double m = std::frexp(x, &exponent);  // [0.5, 1)
  if (m < 0.70710678118654752) {
    m *= 2;
    --exponent;
  }
  const double s = (m - 1) / (m + 1);
  const double square = s * s;
  double sum = 0;
  for (int k = 23; k >= 1; k -= 2) sum = sum * square + 1.0 / k;
  return exponent * kLn2High + (exponent * kLn2Low + 2 * s * sum);
}

double exponential(double y) {
  const double whole = std::floor(y / kLn2High + 0.5);
  const double r = (y - whole * kLn2High) - whole * kLn2Low;  // |r| <= ln 2 / 2
  double sum = 1;
  for (int k = 15; k >= 1; --k) sum = 1 + sum * r / k;
  return std::ldexp(sum, static_cast<int>(whole));
}

}  // namespace

double power(double x, double e) { return exponential(e * logarithm(x)); }

}  // namespace ncqlab::drive
