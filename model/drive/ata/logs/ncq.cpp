#include "model/drive/ata/logs/ncq.h"

#include "model/drive/ata/logs/sense.h"

namespace ncqlab::drive {

Bytes ncq_error_log(const Profile& profile, const NcqError& error) {
  Bytes page = empty_pages(1);
  page[0] = static_cast<std::uint8_t>(error.non_queued ? 0x80 : error.tag);
  page[2] = error.status;
  page[3] = error.error;
  put(page, 4, error.lba, 3);
  page[7] = error.device;
  put(page, 8, error.lba >> 24, 3);
  put(page, 12, error.count, 2);
  if (profile.serial_ata.ncq_autosense) {
    const Sense sense = sense_of(error.error);
    page[14] = sense.key;
    page[15] = sense.code;
    page[16] = sense.qualifier;
  }
  set_page_checksum(page);
  return page;
}

// Dword n tells of subcommand n of NCQ NON-DATA.
Bytes ncq_non_data_log() {
  Bytes page = empty_pages(1);
  put(page, 0, 0x1F, 4);   // ABORT NCQ QUEUE: all, streaming, non-streaming, selected
  put(page, 4, 0x07, 4);   // DEADLINE HANDLING: WDNC, RDNC
  put(page, 20, 0x01, 4);  // SET FEATURES
  return page;
}

Bytes ncq_send_receive_log(const Profile& profile) {
  Bytes page = empty_pages(1);
  if (profile.serial_ata.trim_blocks != 0) {
    put(page, 0, 0x01, 4);  // SEND: DATA SET MANAGEMENT,
    put(page, 4, 0x01, 4);  // with TRIM
  }
  put(page, 8, 0x01, 4);  // RECEIVE: READ LOG DMA EXT
  return page;
}

}  // namespace ncqlab::drive
