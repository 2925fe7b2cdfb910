// Addresses of logs (ACS-3, Annex A; SATA 3.x, 13.7), and which of them a drive has.
#pragma once

#include <cstdint>

#include "model/drive/ata/bytes.h"
#include "model/drive/profile.h"

namespace ncqlab::drive {

inline constexpr std::uint8_t kLogDirectory = 0x00;
inline constexpr std::uint8_t kLogErrorSummary = 0x01;
inline constexpr std::uint8_t kLogErrorComprehensive = 0x02;
inline constexpr std::uint8_t kLogErrorExtended = 0x03;
inline constexpr std::uint8_t kLogDeviceStatistics = 0x04;
inline constexpr std::uint8_t kLogSelfTest = 0x06;
inline constexpr std::uint8_t kLogSelfTestExtended = 0x07;
inline constexpr std::uint8_t kLogNcqError = 0x10;
inline constexpr std::uint8_t kLogPhyEvents = 0x11;
inline constexpr std::uint8_t kLogNcqNonData = 0x12;
inline constexpr std::uint8_t kLogNcqSendReceive = 0x13;
inline constexpr std::uint8_t kLogIdentifyData = 0x30;
inline constexpr std::uint8_t kLogHostFirst = 0x80;  // for hosts to write what they like
inline constexpr std::uint8_t kLogHostLast = 0x9F;
inline constexpr std::uint8_t kLogSctCommand = 0xE0;
inline constexpr std::uint8_t kLogSctData = 0xE1;

inline constexpr unsigned kHostLogPages = 16;

constexpr bool is_host_log(std::uint8_t address) { return address >= kLogHostFirst && address <= kLogHostLast; }

// Pages of a log as READ LOG EXT or SMART READ LOG sees it; 0: there is no such log.
unsigned general_log_pages(const Profile& profile, std::uint8_t address);
unsigned smart_log_pages(const Profile& profile, std::uint8_t address);

// Log 00h of either: word n is the pages of log n, word 0 the version.
Bytes log_directory(const Profile& profile, unsigned (*pages)(const Profile&, std::uint8_t));

}  // namespace ncqlab::drive
