#include "model/drive/ata/smart/attributes.h"

#include <algorithm>

namespace ncqlab::drive {

namespace {

constexpr std::size_t kEntry_bytes = 12;
constexpr std::size_t kFirstEntry = 2;
constexpr std::uint16_t kRevision = 0x0010;
constexpr unsigned kForetellsFailure = 1;  // flags(0): pre-failure, not only age

struct Current {
  unsigned value;
  std::uint64_t raw;
};

Current current(const SmartAttribute& attribute, const Smart& smart, const LiveCounts& counts) {
  const auto worn = [&](std::uint64_t count) {
    const unsigned left = attribute.value - std::min<unsigned>(attribute.value - 1, static_cast<unsigned>(count));
    return Current{left, attribute.raw + count};
  };
  switch (attribute.id) {
    case 0x04:
      return {attribute.value, attribute.raw + counts.spin_ups};
    case 0x05:
      return worn(counts.reallocated);
    case 0x09:
      return {attribute.value, attribute.raw + counts.hours()};
    case 0x0C:
      return {attribute.value, attribute.raw + counts.power_cycles};
    case 0xBB:
      return worn(counts.uncorrectable);
    case 0xC1:
      return {attribute.value, attribute.raw + counts.head_loads};
    case 0xC2:
      return {attribute.value, smart.temperature_celsius};
    case 0xC5:
    case 0xC6:
      return worn(counts.pending);
    case 0xC7:
      return {attribute.value, attribute.raw + counts.crc_errors()};
    default:
      return {attribute.value, attribute.raw};
  }
}

}  // namespace

Bytes attributes_page(const Smart& smart, const LiveCounts& counts) {
  Bytes page = empty_pages(1);
  put(page, 0, kRevision, 2);
  std::size_t at = kFirstEntry;
  for (const SmartAttribute& attribute : smart.attributes) {
    const Current now = current(attribute, smart, counts);
    put(page, at, attribute.id, 1);
    put(page, at + 1, attribute.flags, 2);
    put(page, at + 3, now.value, 1);
    put(page, at + 4, std::min(attribute.worst, now.value), 1);
    put(page, at + 5, now.raw, 6);
    at += kEntry_bytes;
  }
  return page;
}

Bytes thresholds_page(const Smart& smart) {
  Bytes page = empty_pages(1);
  put(page, 0, kRevision, 2);
  std::size_t at = kFirstEntry;
  for (const SmartAttribute& attribute : smart.attributes) {
    put(page, at, attribute.id, 1);
    put(page, at + 1, attribute.threshold, 1);
    at += kEntry_bytes;
  }
  set_page_checksum(page);
  return page;
}

bool threshold_exceeded(const Smart& smart, const LiveCounts& counts) {
  return std::any_of(smart.attributes.begin(), smart.attributes.end(), [&](const SmartAttribute& attribute) {
    return (attribute.flags & kForetellsFailure) != 0 && attribute.threshold != 0 &&
           current(attribute, smart, counts).value <= attribute.threshold;
  });
}

}  // namespace ncqlab::drive
