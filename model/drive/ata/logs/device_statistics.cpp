#include "model/drive/ata/logs/device_statistics.h"

#include <initializer_list>

namespace ncqlab::drive {

namespace {

enum StatisticsPage : std::uint8_t {
  kList = 0x00,
  kGeneral = 0x01,
  kRotatingMedia = 0x03,
  kGeneralErrors = 0x04,
  kTemperature = 0x05,
  kTransport = 0x06,
};

constexpr std::uint64_t kSupportedAndValid = 0xC0;

// The quadwords of a page from byte 8 on; those that are not supported are zero.
struct Statistic {
  std::size_t at;
  std::uint64_t value;
};

void put_page(Bytes& log, std::uint8_t number, std::initializer_list<Statistic> statistics) {
  const std::size_t first = number * std::size_t{kSector_bytes};
  put(log, first, 0x0001, 2);  // revision
  put(log, first + 2, number, 1);
  for (const Statistic& statistic : statistics) {
    put(log, first + statistic.at, statistic.value, 7);
    put(log, first + statistic.at + 7, kSupportedAndValid, 1);
  }
}

}  // namespace

Bytes device_statistics_log(const Profile& profile, const LiveCounts& counts) {
  Bytes log = empty_pages(kStatisticsPages);
  put_page(log, kList, {});
  std::size_t at = 9;
  for (const std::uint8_t page : {kList, kGeneral, kRotatingMedia, kGeneralErrors, kTemperature, kTransport}) {
    log[at++] = page;
    ++log[8];
  }
  put_page(log, kGeneral,
           {{8, counts.power_cycles},
            {16, counts.hours()},
            {24, counts.sectors_written},
            {32, counts.write_commands},
            {40, counts.sectors_read},
            {48, counts.read_commands}});
  put_page(log, kRotatingMedia,
           {{8, counts.hours()},
            {16, counts.hours()},
            {24, counts.head_loads},
            {32, counts.reallocated},
            {56, counts.pending}});
  put_page(log, kGeneralErrors, {{8, counts.uncorrectable}});
  put_page(log, kTemperature, {{8, profile.smart.temperature_celsius}});
  put_page(log, kTransport, {{8, counts.hardware_resets}, {24, counts.crc_errors()}});
  return log;
}

}  // namespace ncqlab::drive
