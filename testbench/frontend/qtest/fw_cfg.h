// fw_cfg, the port pair by which QEMU's machines tell firmware what they are (docs/specs/fw_cfg.txt of QEMU): a key is
// written to 510h, then its bytes are read one by one from 511h. Keys without contents, and what lies behind them, are
// 0.
#pragma once

#include <cstdint>
#include <string>

namespace ncqlab::qtest {

class FwCfg {
 public:
  explicit FwCfg(std::uint64_t ram_bytes) : ram_bytes_(ram_bytes) {}

  static constexpr std::uint16_t kSelectorPort = 0x510;
  static constexpr std::uint16_t kDataPort = 0x511;

  void select(std::uint16_t key) {
    key_ = key;
    next_ = 0;
  }
  std::uint8_t read_byte() {
    const std::string contents = contents_of(key_);
    return next_ < contents.size() ? static_cast<std::uint8_t>(contents[next_++]) : std::uint8_t{0};
  }

 private:
  std::string contents_of(std::uint16_t key) const;

  std::uint64_t ram_bytes_;
  std::uint16_t key_ = 0;
  std::size_t next_ = 0;
};

}  // namespace ncqlab::qtest
