#include "model/drive/ata/logs.h"

#include <numeric>

#include "model/drive/ata/registers.h"

namespace ncqlab::drive {

namespace {

using Page = std::vector<std::uint8_t>;

void put_dword(Page& page, std::size_t at, std::uint32_t value) {
  for (unsigned i = 0; i < 4; ++i) page[at + i] = static_cast<std::uint8_t>(value >> (8 * i));
}

bool has_log(const Profile& profile, std::uint8_t address) {
  switch (address) {
    case kLogDirectory:
      return true;
    case kLogNcqError:
      return profile.interface.ncq;
    case kLogNcqNonData:
      return profile.interface.ncq && profile.serial_ata.ncq_management;
    case kLogNcqSendReceive:
      return profile.interface.ncq && profile.serial_ata.ncq_send_receive;
    default:
      return false;
  }
}

// Word n: pages of log n. Word 0 is the version of the feature set (ACS-3, Annex A).
Page directory(const Profile& profile) {
  Page page(kSector_bytes);
  page[0] = 0x01;
  for (unsigned address = 1; address < 256; ++address) {
    if (has_log(profile, static_cast<std::uint8_t>(address))) page[std::size_t{2} * address] = 1;
  }
  return page;
}

struct Sense {
  std::uint8_t key, code, qualifier;
};

// How the bits of the error register translate into SCSI sense data (SAT-3).
Sense sense_of(std::uint8_t error) {
  if ((error & kErrorUnc) != 0) return {0x3, 0x11, 0x00};   // medium error, unrecovered read error
  if ((error & kErrorIcrc) != 0) return {0xB, 0x47, 0x00};  // aborted command, parity error
  if ((error & kErrorIdnf) != 0) return {0x5, 0x21, 0x00};  // illegal request, LBA out of range
  if ((error & kErrorAbrt) != 0) return {0xB, 0x00, 0x00};  // aborted command
  return {0, 0, 0};
}

Page ncq_error(const Profile& profile, const NcqError& error) {
  Page page(kSector_bytes);
  page[0] = static_cast<std::uint8_t>(error.non_queued ? 0x80 : error.tag);
  page[2] = error.status;
  page[3] = error.error;
  for (unsigned i = 0; i < 3; ++i) {
    page[4 + i] = static_cast<std::uint8_t>(error.lba >> (8 * i));
    page[8 + i] = static_cast<std::uint8_t>(error.lba >> (24 + 8 * i));
  }
  page[7] = error.device;
  page[12] = static_cast<std::uint8_t>(error.count);
  page[13] = static_cast<std::uint8_t>(error.count >> 8);
  if (profile.serial_ata.ncq_autosense) {
    const Sense sense = sense_of(error.error);
    page[14] = sense.key;
    page[15] = sense.code;
    page[16] = sense.qualifier;
  }
  const unsigned sum = std::accumulate(page.begin(), page.end(), 0U);
  page[511] = static_cast<std::uint8_t>(0x100 - (sum & 0xFF));
  return page;
}

// Dword n tells of subcommand n of NCQ NON-DATA.
Page ncq_non_data() {
  Page page(kSector_bytes);
  put_dword(page, 0, 0x1F);   // ABORT NCQ QUEUE: all, streaming, non-streaming, selected
  put_dword(page, 4, 0x07);   // DEADLINE HANDLING: WDNC, RDNC
  put_dword(page, 20, 0x01);  // SET FEATURES
  return page;
}

Page ncq_send_receive(const Profile& profile) {
  Page page(kSector_bytes);
  if (profile.serial_ata.trim_blocks != 0) {
    put_dword(page, 0, 0x01);  // SEND: DATA SET MANAGEMENT,
    put_dword(page, 4, 0x01);  // with TRIM
  }
  put_dword(page, 8, 0x01);  // RECEIVE: READ LOG DMA EXT
  return page;
}

}  // namespace

std::vector<std::uint8_t> read_log(const Profile& profile, const NcqError& error, std::uint8_t address,
                                   std::uint16_t page, std::uint32_t pages) {
  if (!has_log(profile, address) || page != 0 || pages != 1) return {};
  switch (address) {
    case kLogNcqError:
      return ncq_error(profile, error);
    case kLogNcqNonData:
      return ncq_non_data();
    case kLogNcqSendReceive:
      return ncq_send_receive(profile);
    default:
      return directory(profile);
  }
}

}  // namespace ncqlab::drive
