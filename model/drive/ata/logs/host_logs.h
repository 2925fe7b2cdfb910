// Logs 80h to 9Fh: 16 pages each that hosts write and read as they like. They outlive power cycles.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>

#include "model/drive/ata/logs/addresses.h"

namespace ncqlab::drive {

class HostLogs {
 public:
  Bytes read(std::uint8_t address) const {
    const auto log = logs_.find(address);
    return log == logs_.end() ? empty_pages(kHostLogPages) : log->second;
  }
  // page + the pages of `bytes` <= kHostLogPages.
  void write(std::uint8_t address, std::uint32_t page, const Bytes& bytes) {
    Bytes& log = logs_.try_emplace(address, empty_pages(kHostLogPages)).first->second;
    std::copy(bytes.begin(), bytes.end(), log.begin() + static_cast<std::ptrdiff_t>(page * kSector_bytes));
  }

 private:
  std::map<std::uint8_t, Bytes> logs_;  // those that were ever written
};

}  // namespace ncqlab::drive
