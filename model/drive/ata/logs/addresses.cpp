#include "model/drive/ata/logs/addresses.h"

#include "model/drive/ata/logs/device_statistics.h"
#include "model/drive/ata/logs/identify_data.h"
#include "model/drive/ata/smart/error_log.h"

namespace ncqlab::drive {

unsigned general_log_pages(const Profile& profile, std::uint8_t address) {
  const bool smart = profile.smart.present;
  const bool ncq = profile.interface.ncq;
  if (is_host_log(address)) return smart ? kHostLogPages : 0;
  switch (address) {
    case kLogDirectory:
      return 1;
    case kLogErrorExtended:
      return smart ? ErrorLog::kExtendedPages : 0;
    case kLogDeviceStatistics:
      return profile.features.device_statistics ? kStatisticsPages : 0;
    case kLogSelfTestExtended:
      return smart ? 1 : 0;
    case kLogNcqError:
      return ncq ? 1 : 0;
    case kLogPhyEvents:
      return profile.features.phy_event_counters ? 1 : 0;
    case kLogNcqNonData:
      return ncq && profile.serial_ata.ncq_management ? 1 : 0;
    case kLogNcqSendReceive:
      return ncq && profile.serial_ata.ncq_send_receive ? 1 : 0;
    case kLogIdentifyData:
      return profile.features.identify_data_log ? kIdentifyDataPages : 0;
    case kLogSctCommand:
    case kLogSctData:
      return profile.sct.present ? 1 : 0;
    default:
      return 0;
  }
}

unsigned smart_log_pages(const Profile& profile, std::uint8_t address) {
  if (!profile.smart.present) return 0;
  if (is_host_log(address)) return kHostLogPages;
  switch (address) {
    case kLogDirectory:
    case kLogErrorSummary:
    case kLogSelfTest:
      return 1;
    case kLogErrorComprehensive:
      return ErrorLog::kComprehensivePages;
    case kLogSctCommand:
    case kLogSctData:
      return profile.sct.present ? 1 : 0;
    default:
      return 0;
  }
}

Bytes log_directory(const Profile& profile, unsigned (*pages)(const Profile&, std::uint8_t)) {
  Bytes page = empty_pages(1);
  put(page, 0, 1, 2);
  for (unsigned address = 1; address < 256; ++address) {
    put(page, std::size_t{2} * address, pages(profile, static_cast<std::uint8_t>(address)), 2);
  }
  return page;
}

}  // namespace ncqlab::drive
