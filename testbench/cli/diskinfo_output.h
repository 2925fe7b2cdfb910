// What FreeBSD's `diskinfo -v -t` prints of a disk (usr.sbin/diskinfo/diskinfo.c).
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace ncqlab::cli {

struct DiskinfoOutput {
  std::uint64_t capacity_sectors = 0;  // of 512 bytes
  std::string model;                   // "Disk descr."; empty: not printed, as by older versions
  std::string serial;                  // "Disk ident."
  double rpm = 0;                      // "Rotation rate in RPM"; 0: not printed
  bool turns = true;
  // As testbench/workload/diskinfo.h names its rows.
  static constexpr std::array<const char*, 7> kSeekRows = {
      "Full stroke", "Half stroke", "Quarter stroke", "Short forward", "Short backward", "Seq outer", "Seq inner"};
  std::array<double, 7> seek_ms{};
  static constexpr std::array<const char*, 3> kRateRows = {"outside", "middle", "inside"};
  std::array<double, 3> rate_kbytes{};  // kB of 1024 bytes a second
};

// Throws config::ConfigError, which names file, line and what was expected.
DiskinfoOutput read_diskinfo(const std::string& path);

}  // namespace ncqlab::cli
