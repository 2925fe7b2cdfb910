#include "model/drive/ata/logs/phy_events.h"

#include <algorithm>

namespace ncqlab::drive {

Bytes phy_events_log(const LiveCounts& counts, const LiveCounts& base) {
  constexpr std::uint16_t kTwoWords = 0x2000;  // identifier(14:12): the counter's words
  Bytes page = empty_pages(1);
  std::size_t at = 4;
  const auto entry = [&](std::uint16_t event, std::uint64_t value) {
    put(page, at, kTwoWords | event, 2);
    put(page, at + 2, std::min<std::uint64_t>(value, 0xFFFFFFFF), 4);
    at += 6;
  };
  const auto since = [&](std::uint64_t LiveCounts::*member) { return counts.*member - base.*member; };
  const std::uint64_t to_host_data = since(&LiveCounts::device_data_refused);
  const std::uint64_t to_device_data = since(&LiveCounts::host_data_damaged);
  const std::uint64_t to_host_other = since(&LiveCounts::device_non_data_refused);
  const std::uint64_t to_device_other = since(&LiveCounts::host_non_data_damaged);
  entry(0x001, since(&LiveCounts::commands_failed_by_crc));
  entry(0x002, to_host_data + to_device_data);
  entry(0x003, to_host_data);
  entry(0x004, to_device_data);
  entry(0x005, to_host_other + to_device_other);
  entry(0x006, to_host_other);
  entry(0x007, to_device_other);
  entry(0x008, to_host_other);  // each was sent again
  entry(0x009, since(&LiveCounts::phy_losses));
  entry(0x00A, since(&LiveCounts::signatures_after_comreset));
  entry(0x00B, to_device_data + to_device_other);
  set_page_checksum(page);
  return page;
}

}  // namespace ncqlab::drive
