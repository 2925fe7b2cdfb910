#include "testbench/frontend/qtest/ram.h"

#include <algorithm>

namespace ncqlab::qtest {

namespace {
constexpr std::uint64_t k4GiB = 0x1'0000'0000;
// As QEMU's q35: small memory reaches up to the hole, large memory leaves it larger.
constexpr std::uint64_t kHole = 0xB000'0000;
constexpr std::uint64_t kBelowHoleOfLarge = 0x8000'0000;
}  // namespace

Ram::Ram(std::uint64_t bytes) : memory_(bytes), below_4gib_(bytes < kHole ? bytes : kBelowHoleOfLarge) {}

std::uint64_t Ram::run(std::uint64_t address, std::uint64_t bytes) const {
  if (address < below_4gib_) return std::min(bytes, below_4gib_ - address);
  const std::uint64_t above = memory_.size_bytes() - below_4gib_;
  if (address < k4GiB || address - k4GiB >= above) return 0;
  return std::min(bytes, above - (address - k4GiB));
}

std::uint64_t Ram::place(std::uint64_t address) const {
  return address < below_4gib_ ? address : address - k4GiB + below_4gib_;
}

}  // namespace ncqlab::qtest
