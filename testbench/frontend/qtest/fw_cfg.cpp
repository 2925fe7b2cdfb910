#include "testbench/frontend/qtest/fw_cfg.h"

namespace ncqlab::qtest {

namespace {

constexpr std::uint16_t kSignature = 0x00;
constexpr std::uint16_t kId = 0x01;
constexpr std::uint16_t kRamSize = 0x03;
constexpr std::uint16_t kProcessors = 0x05;
constexpr std::uint16_t kMostProcessors = 0x0F;
constexpr std::uint32_t kTraditionalInterface = 1;  // no DMA interface

std::string little_endian(std::uint64_t value, unsigned bytes) {
  std::string text;
  for (unsigned i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 0xFF);
  return text;
}

}  // namespace

std::string FwCfg::contents_of(std::uint16_t key) const {
  switch (key) {
    case kSignature:
      return "QEMU";
    case kId:
      return little_endian(kTraditionalInterface, 4);
    case kRamSize:
      return little_endian(ram_bytes_, 8);
    case kProcessors:
    case kMostProcessors:
      return little_endian(1, 2);
    default:
      return {};
  }
}

}  // namespace ncqlab::qtest
